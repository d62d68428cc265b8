import { describe, expect, it } from "vitest";
import { type Message, openSession, type Session } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { open, says, user, work } from "../engine/long-session.ts";

const call = (n: number, text: string): Message[] => [
  {
    role: "assistant",
    content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { n } }],
    stopReason: "toolUse",
  },
  { role: "toolResult", toolCallId: `c${n}`, toolName: "bash", content: [{ type: "text", text }], isError: false },
];
const failed = (errorMessage: string): Message => ({
  role: "assistant",
  content: [],
  stopReason: "error",
  errorMessage,
});
const counted = (usage: object): Message => ({ ...says("Done."), usage }) as Message;
const decided = async (session: Session) => (await session.maintain()).decision;
const fine = { kind: "none", because: "under-threshold" };

describe("when a compaction is due", () => {
  it("[TR-01] inside one long turn, between a result and the next request", async () => {
    const session = await open();
    await session.append(user("Go through all modules."));
    let compactions = 0;
    for (let n = 0; n < 120; n++) {
      await session.append(...call(n, `module ${n} of the list\n`.repeat(30)));
      const { compaction, tokens } = await session.maintain();
      if (compaction?.status === "compacted") compactions++;
      expect(tokens).toBeLessThan(12_000);
    }
    expect(compactions).toBeGreaterThan(0);
  });

  it("[TR-02] after errors too, by the last good usage and what came since", async () => {
    const session = await open({ contextWindow: 200_000 });
    await work(session, 150);
    await session.append(counted({ input: 195_000, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 195_010 }));
    await session.append(failed("529 overloaded_error"), failed("529 overloaded_error"));
    expect(session.measure().tokens).toBeGreaterThanOrEqual(195_010);
    expect((await decided(session)).kind).toBe("threshold");
  });

  it("[TR-04] cached tokens are part of the context", async () => {
    const session = await open({ contextWindow: 400_000 });
    await session.append(user("Hi."), counted({ input: 3, output: 140, cacheRead: 390_000, cacheWrite: 99 }));
    expect(session.measure().tokens).toBe(390_242);
    expect(await decided(session)).not.toEqual(fine);
  });

  it("[TR-05] cached tokens that the input counts already are not added again where the total is told", async () => {
    const session = await open({ contextWindow: 200_000 });
    const usage = { input: 120_000, output: 1000, cacheRead: 100_000, cacheWrite: 0, totalTokens: 121_000 };
    await session.append(user("Hi."), counted(usage));
    expect(session.measure().tokens).toBe(121_000);
  });

  it("[TR-06] on a usage that stands still though the conversation grows, and learns what the server lets through", async () => {
    const session = await open({ contextWindow: 262_144 });
    const usage = { input: 30_000, output: 10, cacheRead: 2_768, cacheWrite: 0 };
    const round = (n: number) => session.append(user(`Step ${n}. ${"word ".repeat(8_000)}`), counted(usage));
    for (let n = 0; n < 4; n++) await round(n);
    expect(await decided(session)).toEqual(fine);
    await round(4);
    expect(session.measure()).toMatchObject({ tokens: 32_778, source: "usage" });
    const { decision, compaction, tokens } = await session.maintain();
    expect(decision).toMatchObject({ kind: "overflow", window: 32_768 });
    expect(compaction?.status).toBe("compacted");
    expect(tokens).toBeLessThan(0.8 * 24_576);
    expect(session.settings.contextWindow).toBe(32_768);
    expect(await decided(session)).toEqual(fine);
  });

  it("[TR-06] not where the provider counts less than we do but counts what is new, or counts only what it had not cached", async () => {
    const growing = await open({ contextWindow: 262_144 });
    const constant = await open({ contextWindow: 262_144 });
    for (let n = 0; n < 6; n++) {
      const text = user(`Step ${n}. ${"word ".repeat(8_000)}`);
      await growing.append(text, counted({ input: 5_000 * (n + 1), output: 10, cacheRead: 0, cacheWrite: 0 }));
      await constant.append(text, counted({ input: 12, output: 10, cacheRead: 0, cacheWrite: 0 }));
    }
    for (const session of [growing, constant]) expect(await decided(session)).toEqual(fine);
  });

  it("[TR-09] not for opening a session, and not for an error that is no overflow or lies behind a reply", async () => {
    const store = createMemoryStore();
    const session = await open(undefined, store);
    await work(session, 25);
    await session.append(user("Go on."), failed("401 invalid api key"));
    expect(await decided(session)).toEqual(fine);
    await session.append(failed("prompt is too long: 17000 tokens > 16000 maximum"), says("It went well after all."));
    const { size } = await session.tree();
    const again = await openSession(store, { settings: { contextWindow: 16_000 }, clock: fixedClock() });
    expect(await decided(again)).toEqual(fine);
    expect((await again.tree()).size).toBe(size);
  });

  it("[PC-02] pruning and compacting in one check is one change before the next request, and the next check is none", async () => {
    const session = await open({ contextWindow: 48_000 });
    for (let n = 0; n < 40; n++)
      await session.append(user(`Run ${n}.`), ...call(n, `line ${n}\n`.repeat(700)), says("Ran."));
    const { pruned, compaction } = await session.maintain();
    expect([pruned?.status, compaction?.status]).toEqual(["pruned", "compacted"]);
    const { messages } = await session.context();
    for (let n = 40; n < 43; n++) {
      await session.append(user(`Run ${n}.`), ...call(n, "short"), says("Ran."));
      expect(await decided(session)).toEqual(fine);
      expect((await session.context()).messages.slice(0, messages.length)).toEqual(messages);
    }
  });
});
