import { expect, it } from "vitest";
import type { ContextMessage } from "../../src/core/context/projection.ts";
import type { SummaryRequest } from "../../src/core/summary/request.ts";
import { fallbackSummarizer } from "../../src/summarizers/fallback.ts";
import { scriptedSummarizer } from "../../src/testing/index.ts";

const dead = () => scriptedSummarizer([{ kind: "failed", reason: "gone.", retryable: false }]);
const messages: readonly ContextMessage[] = [{ entryId: "a", message: { role: "user", content: "Do it." } }];
const part = (kind: SummaryRequest["kind"], more: Partial<SummaryRequest> = {}): SummaryRequest => {
  return { kind, messages, maxTokens: 100, ...more };
};

it("[M7] who fails for the split turn is not asked again for the history beside it, nor for the short line", async () => {
  const [first, second] = [dead(), scriptedSummarizer(["## Goal\n- x"])];
  const chain = fallbackSummarizer([first, second]);
  const { signal } = new AbortController();
  const beside = messages;
  for (const request of [part("turn-prefix", { beside }), part("history", { beside }), part("short")]) {
    expect(await chain.summarize(request, signal)).toMatchObject({ kind: "text" });
  }
  expect(first.requests).toHaveLength(1);
  expect(second.requests).toHaveLength(3);
  for (const request of [part("history"), part("branch")]) await chain.summarize(request, signal);
  expect(first.requests).toHaveLength(3);
});
