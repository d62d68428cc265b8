import { describe, expect, it, vi } from "vitest";
import { type Message, openSession, type Session, type SettingsInput, type Summarizer } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

const open = (settings: SettingsInput, summarizer?: Summarizer) =>
  openSession(createMemoryStore(), { settings, clock: fixedClock(), ...(summarizer && { summarizer }) });

const user = (text: string): Message => ({ role: "user", content: text });
const says = (text: string, more: object = {}): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  ...more,
});

function* call(n: number, output: string): Generator<Message> {
  yield {
    role: "assistant",
    content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { command: `run ${n}` } }],
  };
  yield {
    role: "toolResult",
    toolCallId: `c${n}`,
    toolName: "bash",
    content: [{ type: "text", text: output }],
    isError: false,
  };
}

async function fill(session: Session, turns: number, words = 40): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await session.append(user(`Question ${turn} about file-${turn}.ts? ${"some words ".repeat(words)}`));
    await session.append(says(`Answer ${turn}: it sets value_${turn}. ${"more words ".repeat(words)}`));
  }
}

const failing: Summarizer = {
  id: "dead",
  summarize: async () => ({ kind: "failed", reason: "the model is gone.", retryable: false }),
};

describe("maintain", () => {
  it("[T6] says why nothing is to be done", async () => {
    const session = await open({ contextWindow: 8000 });
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "empty" });
    await fill(session, 1);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "under-threshold" });
  });

  it("[T5, T8, I4] compacts under 80 % of the threshold once the context is above it", async () => {
    const session = await open({ contextWindow: 8000 });
    await fill(session, 30);
    const { decision, compaction, tokens } = await session.maintain();
    expect(decision).toMatchObject({ kind: "threshold", threshold: 6000 });
    expect(compaction?.status).toBe("compacted");
    expect(tokens).toBeLessThan(4800);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "under-threshold" });
  });

  it("[T7, I5] does nothing by itself when compaction is off, and says so on an overflow", async () => {
    const session = await open({ contextWindow: 8000, compaction: { enabled: false } });
    await fill(session, 30);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "disabled" });
    await session.append(
      says("", { stopReason: "error", errorMessage: "prompt is too long: 9000 tokens > 8000 maximum" }),
    );
    const told = await session.maintain();
    expect(told.decision).toEqual({ kind: "none", because: "disabled" });
    expect(told.message).toContain("compaction.enabled is off");
  });

  it("[T4, T6] compacts on an overflow, once for each", async () => {
    const session = await open({ contextWindow: 16_000 });
    await fill(session, 50);
    await session.append(
      says("", { stopReason: "error", errorMessage: "prompt is too long: 17000 tokens > 16000 maximum" }),
    );
    const first = await session.maintain({ willRetry: true });
    expect(first.decision.kind).toBe("overflow");
    expect(first.compaction?.status).toBe("compacted");
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "under-threshold" });
  });

  it("[T4, A6] learns the window from an overflow far below the declared one, and stops when it comes again", async () => {
    const session = await open({ contextWindow: 200_000 });
    await fill(session, 60);
    const overflow = says("", { stopReason: "error", errorMessage: "maximum context length is 8192 tokens" });
    await session.append(overflow);
    const first = await session.maintain();
    expect(first.decision).toMatchObject({ kind: "overflow", window: 8192 });
    expect(first.tokens).toBeLessThan(8192 * 0.75 * 0.8);
    await session.append(
      user("go on"),
      says("", { stopReason: "error", errorMessage: "input is too long for requested model" }),
    );
    const again = await session.maintain();
    expect(again.decision).toEqual({ kind: "none", because: "misconfigured" });
    expect(again.message).toContain("Context overflow recovery failed");
  });

  it("[T8] elides one message that is larger than the window, and keeps its original", async () => {
    const session = await open({ contextWindow: 8000 });
    const huge = `start ${"x y z ".repeat(30_000)} end`;
    await session.append(user("Look at the log."), ...call(1, huge), says("I see."));
    const { tokens, decision } = await session.maintain();
    expect(decision.kind).toBe("threshold");
    expect(tokens).toBeLessThan(4800);
    const stored = [];
    for await (const { entry } of session.store.entries()) stored.push(JSON.stringify(entry));
    expect(stored.some((line) => line.includes(huge))).toBe(true);
  });

  it("[T8, T3] elides the newest output where it alone fills the budget, and leaves what the summary replaces as it is", async () => {
    const session = await open({ contextWindow: 32_000, compaction: { thresholdTokens: 10_000 } });
    await session.append(
      user("Look at the old log."),
      ...call(1, `old ${"x y z ".repeat(20_000)} end`),
      says("I see."),
    );
    await fill(session, 10);
    const newest = `first line\n${"p q r ".repeat(10_000)}\nlast line`;
    const last = await session.append(user("Now the new one."), ...call(2, newest));
    const { tokens, compaction } = await session.maintain();
    expect(compaction?.status).toBe("compacted");
    expect(tokens).toBeLessThan(8000);
    const edited = [];
    for await (const { entry } of session.store.entries())
      if (entry.type === "context_edit") edited.push(entry.targetId);
    expect(edited).toEqual([last.at(-1)?.id]);
    const { messages } = await session.context();
    const shown = JSON.stringify(messages.at(-1)?.message);
    expect(shown).toContain("first line");
    expect(shown).toContain("last line");
  });

  it("[T8, T3] where the newest output fits but leaves a few lines for the summary, the output gives way", async () => {
    const session = await open({ contextWindow: 16_000, compaction: { thresholdTokens: 6000 } });
    await fill(session, 20);
    await session.append(user("Now the new one."), ...call(1, `first line\n${"p q r ".repeat(1250)}\nlast line`));
    const newest = session.store.position().leafId;
    const { compaction, tokens } = await session.maintain();
    expect(tokens).toBeLessThan(4800);
    const { messages } = await session.context();
    const sizes = messages.map(({ message }) => JSON.stringify(message).length);
    expect(compaction?.status === "compacted" && compaction.entry.summary.length).toBeGreaterThan(3000);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(7500);
    expect(JSON.stringify(messages)).toContain("last line");
    expect(JSON.stringify(await session.store.read([newest as string]))).toContain("p q r ".repeat(1250));
  });

  it("[T8, P5] keeps nothing where the newest call alone fills the budget, and restates what was asked", async () => {
    const session = await open({ contextWindow: 32_000, compaction: { thresholdTokens: 10_000 } });
    await fill(session, 30);
    const text = `export const table = [\n${"  [1, 2, 3],\n".repeat(6000)}];`;
    const write = {
      type: "toolCall",
      id: "w1",
      name: "write",
      arguments: { path: "src/table.ts", content: text },
    } as const;
    await session.append(user("Write the table to src/table.ts, whatever its size."), {
      role: "assistant",
      content: [write],
    });
    await session.append({
      role: "toolResult",
      toolCallId: "w1",
      toolName: "write",
      content: [{ type: "text", text: "written" }],
      isError: false,
    });
    const { tokens, compaction } = await session.maintain();
    expect(compaction?.status).toBe("compacted");
    expect(tokens).toBeLessThan(8000);
    const shown = JSON.stringify((await session.context()).messages);
    expect(shown).toContain("Write the table to src/table.ts, whatever its size.");
    expect(shown).toContain("src/table.ts");
  });

  it("[T8, A6] stops with one message where nothing that may go is large enough", async () => {
    const session = await open({ contextWindow: 4096 });
    await session.append({ role: "system", content: "rule ".repeat(4000) }, user("Hello."), says("Hi."));
    const { decision, message } = await session.maintain();
    expect(decision).toEqual({ kind: "none", because: "cannot-fit" });
    expect(message).toMatch(/^Auto-compaction failed: .*system \d+, tools 0, summary 0, kept messages \d+/);
  });

  it("[T8, I4] opens the breaker after three failures; a change of settings closes it", async () => {
    const session = await open({ contextWindow: 8000 }, failing);
    await fill(session, 30);
    const warnings: string[] = [];
    session.on("warning", ({ warning }) => warnings.push(warning.code));
    for (let round = 0; round < 3; round++) {
      const { compaction, message } = await session.maintain();
      expect(compaction?.status).toBe("failed");
      expect(message).toMatch(/^Auto-compaction failed: .*the model is gone/);
    }
    expect(warnings).toEqual(["BREAKER_OPEN"]);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "breaker-open" });
    session.configure({ contextWindow: 7000 });
    expect((await session.maintain()).compaction?.status).toBe("failed");
  });

  it("[T8] cools down after a rate limit, which is no failure", async () => {
    const limited: Summarizer = {
      id: "limited",
      summarize: async () => ({
        kind: "failed",
        reason: "429 Too Many Requests: rate limit reached.",
        retryable: true,
      }),
    };
    const session = await open({ contextWindow: 8000 }, limited);
    await fill(session, 30);
    expect((await session.maintain()).compaction?.status).toBe("failed");
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "cooling-down" });
  });

  it("[A8] prepares a summary ahead at 85 % and uses it at the threshold", async () => {
    let asked = 0;
    const session = await open(
      { contextWindow: 8000, prefetch: true },
      {
        id: "counted",
        summarize: async () => {
          asked++;
          return { kind: "text", text: `## Goal\n- summary ${asked}`, method: "llm" };
        },
      },
    );
    while (session.measure().tokens < 5300) await fill(session, 1);
    expect((await session.maintain()).decision.kind).toBe("none");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const askedAhead = asked;
    expect(askedAhead).toBeGreaterThan(0);
    while (session.measure().tokens <= 6000) await fill(session, 1);
    const { compaction } = await session.maintain();
    expect(compaction?.status).toBe("compacted");
    expect(asked).toBe(askedAhead);
  });

  it("[A8, A5] a summary that is prepared ahead is called off with the compaction that waits for it", async () => {
    let begun = 0;
    const endless: Summarizer = {
      id: "endless",
      summarize: (_, signal) =>
        new Promise((resolve) => {
          begun++;
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
        }),
    };
    const session = await open({ contextWindow: 8000, prefetch: true }, endless);
    while (session.measure().tokens < 5300) await fill(session, 1);
    await session.maintain();
    await vi.waitFor(() => expect(begun).toBe(1));
    while (session.measure().tokens <= 6000) await fill(session, 1);
    const controller = new AbortController();
    const maintained = session.maintain({ signal: controller.signal });
    controller.abort();
    expect((await maintained).compaction).toEqual({ status: "cancelled", by: "signal" });
    expect((await session.context()).messages[0]?.message.role).toBe("user");
  });

  it("[A8] a focus asks for a summary of its own, not for the one that was prepared without it", async () => {
    const focuses: (string | undefined)[] = [];
    const heard: Summarizer = {
      id: "heard",
      async summarize({ kind, focus }) {
        if (kind === "history") focuses.push(focus);
        return { kind: "text", text: "## Goal\n- all of it", method: "llm" };
      },
    };
    const session = await open({ contextWindow: 8000, prefetch: true }, heard);
    while (session.measure().tokens < 5300) await fill(session, 1);
    await session.maintain();
    await vi.waitFor(() => expect(focuses).toEqual([undefined]));
    while (session.measure().tokens <= 6000) await fill(session, 1);
    expect((await session.maintain({ focus: "the parser" })).compaction?.status).toBe("compacted");
    expect(focuses).toEqual([undefined, "the parser"]);
    while (session.measure().tokens < 5300) await fill(session, 1);
    await session.maintain();
    await vi.waitFor(() => expect(focuses).toEqual([undefined, "the parser", undefined]));
    expect((await session.compact({ focus: "by hand" })).status).toBe("compacted");
    expect(focuses.at(-1)).toBe("by hand");
  });

  it("[A5, S9] closing calls off a summary under way, also of a summarizer that never hears of it", async () => {
    const session = await open({ contextWindow: 8000 }, { id: "deaf", summarize: () => new Promise(() => {}) });
    await fill(session, 30);
    const compacting = session.compact();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await session.close();
    expect(await compacting).toEqual({ status: "cancelled", by: "signal" });
  });

  it("[A8, H2] a hook of what is prepared ahead holds no check up", async () => {
    const session = await open({ contextWindow: 8000, prefetch: true });
    const answers: (() => void)[] = [];
    session.hook("session.compacting", () => new Promise((resolve) => void answers.push(() => resolve({}))));
    while (session.measure().tokens < 5300) await fill(session, 1);
    await session.maintain();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "under-threshold" });
    answers[0]?.();
  });

  it("[R5] leaves a warm cache alone while little is gained", async () => {
    const session = await open({ contextWindow: 1_000_000 });
    for (let n = 0; n < 20; n++) {
      await session.append(user(`run ${n}`), ...call(n, `line ${n}\n`.repeat(1200)));
      const usage = { input: 10, output: 10, cacheRead: 1000, cacheWrite: 100 };
      await session.append(says("ok", { usage, timestamp: Date.now() + 1e12 }));
    }
    const { decision } = await session.maintain();
    expect(decision).toEqual({ kind: "none", because: "under-threshold" });
    const cold = await open({ contextWindow: 1_000_000, pruning: { cacheAware: false } });
    for (let n = 0; n < 30; n++)
      await cold.append(user(`run ${n}`), ...call(n, `line ${n}\n`.repeat(1200)), says("ok"));
    expect((await cold.maintain()).decision.kind).toBe("prune");
  });

  it("[H3, I6] gives each start one end, with its alias for automatic ones", async () => {
    const session = await open({ contextWindow: 8000 }, failing);
    await fill(session, 30);
    const events: string[] = [];
    session.on("*", ({ type }) => events.push(type));
    await session.maintain();
    expect(events.filter((type) => type.endsWith("_start") || type.endsWith("_end"))).toEqual([
      "compaction_start",
      "auto_compaction_start",
      "compaction_end",
      "auto_compaction_end",
    ]);
  });
});
