import { describe, expect, it } from "vitest";
import { openSession, type Summarizer } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { fallbackSummarizer } from "../../src/summarizers/fallback.ts";

const SETTINGS = { contextWindow: 8000, compaction: { keepRecentTokens: 400 } };

async function talk(summarizer: Summarizer) {
  const session = await openSession(createMemoryStore(), { settings: SETTINGS, summarizer });
  for (let turn = 0; turn < 12; turn++) {
    await session.append({ role: "user", content: `Look at src/part-${turn}.ts. ${"It is long. ".repeat(60)}` });
    await session.append({ role: "assistant", content: [{ type: "text", text: `Part ${turn} exports a number.` }] });
  }
  return session;
}

const of = (summarize: (...given: unknown[]) => unknown): Summarizer => ({
  id: "own",
  summarize: summarize as Summarizer["summarize"],
});

describe("a summarizer of somebody's own", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects with nothing", () => Promise.reject()],
    ["answers nothing", async () => undefined],
    ["answers another kind", async () => ({ kind: "summary", text: "x" })],
    ["answers a text that is none", async () => ({ kind: "text", text: 5 })],
    ["answers no words", async () => ({ kind: "text", text: " \n", method: "llm" })],
  ])(
    "[M6] that %s fails the compaction and changes nothing; with a fallback the next one writes",
    async (_, summarize) => {
      const session = await talk(of(summarize));
      const { leafId } = session;
      const outcome = await session.compact();
      expect(outcome).toMatchObject({ status: "failed", error: { code: "SUMMARY_FAILED" } });
      expect(session.leafId).toBe(leafId);
      const branch = (await session.tree()).path(leafId)[3] as string;
      await expect(session.navigate(branch, { summarize: true })).rejects.toMatchObject({ code: "SUMMARY_FAILED" });
      expect((await session.append({ role: "user", content: "Go on." })).length).toBe(1);

      const behind = await talk(fallbackSummarizer([of(summarize)], { last: embeddedSummarizer() }));
      expect(await behind.compact()).toMatchObject({ status: "compacted", entry: { method: "extractive" } });
    },
  );

  it("[M6] that gives a reason without a full stop is told in a sentence", async () => {
    const session = await talk(of(async () => ({ kind: "failed", reason: "no quota left ", retryable: false })));
    const outcome = await session.compact();
    expect(outcome).toMatchObject({
      error: { message: "The summary could not be made: no quota left. Nothing was changed." },
    });
  });

  it("[A5] that never answers, not even an abort, is not waited for after one", async () => {
    const session = await talk(of(() => new Promise(() => {})));
    const abort = new AbortController();
    const outcome = session.compact({ signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    expect((await outcome).status).toBe("cancelled");
    expect((await session.navigate(null)).status).toBe("moved");
  });
});
