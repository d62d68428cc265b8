import { describe, expect, it } from "vitest";
import { estimateContext, scriptCounter } from "../../src/core/index.ts";
import { type Message, openSession, type Session, type Summarizer } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { fixedClock } from "../../src/testing/index.ts";

/** Numbers from 0 to 1, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const WORDS = "parse the file and fix error in src/core/tree.ts line 42 because value_7 is undefined before init".split(
  " ",
);

function text(roll: () => number, length: number): string {
  const words: string[] = [];
  for (let size = 0; size < length; ) {
    const word = WORDS[Math.floor(roll() * WORDS.length)] ?? "";
    words.push(word);
    size += word.length + 1;
  }
  return words.join(" ");
}

/** A summariser that mostly works, sometimes fails or says far too much, and is dead for every fifth stretch of requests. */
function moody(roll: () => number): Summarizer {
  const embedded = embeddedSummarizer();
  let asked = 0;
  return {
    id: "moody",
    async summarize(request, signal) {
      const isDead = Math.floor(asked++ / 12) % 5 === 4;
      const mood = isDead ? 0 : roll();
      if (mood < 0.1) return { kind: "failed", reason: "the service is down.", retryable: true };
      if (mood < 0.15) return { kind: "text", text: text(roll, 400_000), method: "llm" };
      return embedded.summarize(request, signal);
    },
  };
}

interface Tally {
  requests: number;
  over: number;
  reasons: Map<string, number>;
}

/** The check before a request, and what the request would then hold. */
async function check(session: Session, tally: Tally): Promise<void> {
  const before = (await session.context()).tokens;
  const { decision, tokens } = await session.maintain();
  const key = decision.kind === "none" ? decision.because : decision.kind;
  tally.reasons.set(key, (tally.reasons.get(key) ?? 0) + 1);
  const { messages } = await session.context();
  const sent = estimateContext(messages, scriptCounter);
  tally.requests++;
  if (sent > session.settings.contextWindow) tally.over++;
  if (decision.kind === "threshold") expect(Math.min(sent, tokens)).toBeLessThanOrEqual(before);
}

async function drive(seed: number, contextWindow: number, turns: number): Promise<Tally> {
  const roll = dice(seed);
  const session = await openSession(createMemoryStore(), {
    settings: { contextWindow },
    summarizer: moody(roll),
    clock: fixedClock(),
  });
  const open = { start: 0, end: 0 };
  session.on("compaction_start", () => open.start++);
  session.on("compaction_end", () => open.end++);
  const tally: Tally = { requests: 0, over: 0, reasons: new Map() };
  let model = "one";
  const reply = (content: Message["role"] extends never ? never : object[]): Message =>
    ({ role: "assistant", content, provider: "p", model, stopReason: "stop" }) as Message;
  for (let turn = 0; turn < turns; turn++) {
    if (roll() < 0.01) model = model === "one" ? "two" : "one";
    await session.append({ role: "user", content: text(roll, roll() < 0.02 ? 40_000 : 200) });
    for (let round = Math.floor(roll() * 3); round > 0; round--) {
      await check(session, tally);
      const id = `c${turn}-${round}`;
      await session.append(
        reply([{ type: "toolCall", id, name: roll() < 0.3 ? "read" : "bash", arguments: { path: `f${turn}` } }]),
      );
      const size = roll() < 0.03 ? 200_000 : roll() * 4000;
      await session.append({
        role: "toolResult",
        toolCallId: id,
        toolName: "bash",
        content: [{ type: "text", text: text(roll, size) }],
        isError: roll() < 0.1,
      });
    }
    await check(session, tally);
    await session.append(reply([{ type: "text", text: text(roll, 300) }]));
    if (tally.reasons.has("breaker-open")) session.configure({ contextWindow });
  }
  expect(open.end).toBe(open.start);
  await session.close();
  return tally;
}

describe("upkeep over many turns", () => {
  // 5,000 turns with ESPALIER_SOAK=25; the short form runs with every test.
  const scale = Number(process.env.ESPALIER_SOAK ?? 1);
  it.each([
    [4096, 60],
    [8192, 50],
    [16_384, 40],
    [65_536, 25],
    [200_000, 15],
    [1_000_000, 10],
  ])(
    "[T8, I4, I5, I6] in a window of %i tokens no request is over it, nothing loops, each stop has a reason",
    async (window, turns) => {
      const tally = await drive(window, window, turns * scale);
      expect(tally.requests).toBeGreaterThanOrEqual(turns * scale);
      const stops = tally.reasons.get("cannot-fit") ?? 0;
      const compactions = tally.reasons.get("threshold") ?? 0;
      expect(tally.over).toBeLessThanOrEqual(stops);
      expect(compactions).toBeLessThan(tally.requests / 2);
    },
    60_000 * scale,
  );
});
