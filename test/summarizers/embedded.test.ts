import { describe, expect, it } from "vitest";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { counter, work } from "../core/extract/made.ts";

const request = { kind: "history", messages: work(10), maxTokens: 1500 } as const;

describe("embeddedSummarizer", () => {
  it("[M9] answers without a model, within the budget, the same every time", async () => {
    const summarizer = embeddedSummarizer();
    const reply = await summarizer.summarize(request, new AbortController().signal);
    expect(reply).toMatchObject({ kind: "text", method: "extractive" });
    expect(reply.kind === "text" && counter.count(reply.text)).toBeLessThanOrEqual(1500);
    expect(await embeddedSummarizer().summarize(request, new AbortController().signal)).toEqual(reply);
  });

  it("[M9] says so when nothing fits, and stops when aborted", async () => {
    const summarizer = embeddedSummarizer();
    const tiny = await summarizer.summarize({ ...request, maxTokens: 1 }, new AbortController().signal);
    expect(tiny).toMatchObject({ kind: "failed", retryable: false });
    expect(await summarizer.summarize(request, AbortSignal.abort())).toEqual({ kind: "aborted" });
  });
});
