import { expect, it } from "vitest";
import { openSession, type TokenCounter } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

it("[T2] a result that is stored whole and shown short leaves the usage valid, and its whole text is never counted", async () => {
  let counted = 0;
  const counter: TokenCounter = {
    name: "watched",
    count(text) {
      counted += text.length;
      return Math.ceil(text.length / 4);
    },
  };
  const session = await openSession(createMemoryStore(), { clock: fixedClock(), counter, extraTokens: 500 });
  await session.append({ role: "user", content: "Run it." });
  expect(session.measure().source).toBe("estimate");
  const whole = "line\n".repeat(100_000);
  for (let round = 0; round < 20; round++) {
    const id = `c${round}`;
    const usage = { input: 1000 + round, output: 10, cacheRead: 0, cacheWrite: 0 };
    await session.append({
      role: "assistant",
      content: [{ type: "toolCall", id, name: "bash", arguments: { command: "make" } }],
      usage,
    });
    const text = (shown: string) => [{ type: "text" as const, text: shown }];
    await session.appendShown(
      { role: "toolResult", toolCallId: id, toolName: "bash", content: text(whole), isError: false },
      text("line\n[cut]"),
    );
    expect(session.measure()).toMatchObject({ source: "usage", newest: { measured: 1010 + round } });
    expect(session.measure().tokens).toBeLessThan(1100);
  }
  expect(counted).toBeLessThan(20_000);
  const again = await openSession(session.store, { clock: fixedClock(), counter, extraTokens: 500 });
  expect(session.measure()).toEqual(again.measure());
});
