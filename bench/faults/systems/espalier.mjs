import { openSession } from "../../../dist/index.js";
import { openModel } from "../../../dist/models/index.js";
import { createMemoryStore } from "../../../dist/stores/memory.js";
import { embeddedSummarizer, fallbackSummarizer, llmSummarizer } from "../../../dist/summarizers/index.js";
import { entries, KEEP_TOKENS } from "../conversation.mjs";

/** Espalier's compaction as the command line puts it together, with a shorter time limit. */
export async function compacted(baseUrl) {
  const model = await openModel({ model: "mock/m", baseUrl, api: "openai-chat", env: {}, timeoutMs: 5_000 });
  const summarizer = fallbackSummarizer([llmSummarizer(model)], { last: embeddedSummarizer() });
  const settings = { contextWindow: 60_000, compaction: { keepRecentTokens: KEEP_TOKENS } };
  const session = await openSession(createMemoryStore({ entries }), { summarizer, settings });
  const outcome = await session.compact();
  if (outcome.status === "failed") throw outcome.error;
  if (outcome.status !== "compacted") return { kept: true };
  return { summary: outcome.entry.summary, by: outcome.entry.method };
}
