import type { Model } from "../ports/model.ts";
import type { Summarizer } from "../ports/summarizer.ts";
import { PATIENCE } from "./ask.ts";
import { type LlmOptions, llmSummarizer } from "./llm.ts";

const TRIES = 3;

/**
 * The summariser behind a remote endpoint, `method` is `remote` [M8].
 *
 * `model` is that endpoint as a model (`remoteModel`): so its answers are checked, retried and folded like any other's,
 * with three tries for what may pass.
 */
export function remoteSummarizer(model: Model, options: LlmOptions = {}): Summarizer {
  const asked = llmSummarizer(model, { ...options, patience: { ...PATIENCE, tries: TRIES, ...options.patience } });
  return {
    id: asked.id,
    async summarize(request, signal, report) {
      const reply = await asked.summarize(request, signal, report);
      return reply.kind === "text" ? { ...reply, method: "remote" } : reply;
    },
  };
}
