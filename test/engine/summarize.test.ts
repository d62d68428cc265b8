import { expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { callsTool, pathOf, result, says, user } from "../core/plan/entries.ts";

it("[M5, M10] asks the split turn first, then the history with what that left, each with the working folder", async () => {
  const text = "words of a long answer ".repeat(100);
  const steps = Array.from({ length: 6 }, (_, n) => [
    callsTool("write", { path: `f${n}` }, `c${n}`),
    result(`c${n}`, text),
  ]);
  const turns = Array.from({ length: 6 }, () => [user("do that"), says(text)]);
  const path = pathOf(...turns.flat(), user("do this"), ...steps.flat());
  const header = { type: "session", id: "s", timestamp: "", cwd: "/home/me/app" } as const;
  const summarizer = scriptedSummarizer(["## Original Request\ndo this", "## Goal\ndo that"]);
  const session = await openSession(createMemoryStore({ entries: path, header }), {
    settings: { contextWindow: 20_000, compaction: { keepRecentTokens: 1_000 } },
    summarizer,
    clock: fixedClock(),
  });
  expect((await session.compact()).status).toBe("compacted");
  const [first, second] = summarizer.requests;
  expect([first?.kind, second?.kind]).toEqual(["turn-prefix", "history"]);
  expect([first?.cwd, second?.cwd]).toEqual(["/home/me/app", "/home/me/app"]);
  expect(second?.maxTokens).toBeGreaterThan(first?.maxTokens ?? 0);
});
