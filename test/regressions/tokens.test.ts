import { expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import { estimateContext, estimateMessage, IMAGE_TOKENS, scriptCounter } from "../../src/core/context/tokens.ts";
import { decide } from "../../src/core/trigger/decide.ts";
import { measureContext } from "../../src/core/trigger/measure.ts";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { extend, message, pathOf, says, settingsOf, usage, user } from "../core/plan/entries.ts";
import { sessionWith } from "../summarizers/session.ts";

const counter = scriptCounter;
const measured = (path: ReturnType<typeof pathOf>, extraTokens = 0) =>
  measureContext(projectContext(path), path, { counter, extraTokens, model: null });

it("[TC-01] system prompt and tools count until the provider's own count holds them", () => {
  const path = pathOf(user("word ".repeat(80_000)));
  const alone = measured(path).tokens;
  const whole = measured(path, 42_000);
  expect(whole.tokens).toBe(alone + 42_000);
  const settings = settingsOf({ contextWindow: 128_000 });
  expect(decide(measured(path), settings).kind).toBe("none");
  expect(decide(whole, settings).kind).toBe("threshold");
  const told = extend(path, says("done", { usage: usage(123_000) }));
  expect(measured(told, 42_000)).toMatchObject({ tokens: 123_000, source: "usage" });
  const tools = [{ name: "read", description: "reads ".repeat(1_000) }];
  const system = { role: "system", content: "brief", toolsAdded: tools };
  expect(estimateMessage(system as never, counter)).toBeGreaterThan(1_000);
});

it("[TC-01] an open session counts them in its measure, and compacts on their account", async () => {
  const settings = { contextWindow: 16_000 };
  const open = (extraTokens?: number) =>
    openSession(createMemoryStore(), {
      settings,
      clock: fixedClock(),
      ...(extraTokens !== undefined && { extraTokens }),
    });
  const [plain, counted] = [await open(), await open(9_000)];
  for (const session of [plain, counted]) {
    for (let turn = 0; turn < 10; turn++) {
      await session.append({ role: "user", content: `Question ${turn}. ${"word ".repeat(200)}` });
      await session.append({ role: "assistant", content: [{ type: "text", text: "word ".repeat(200) }] });
    }
  }
  expect(counted.measure().tokens).toBe(plain.measure().tokens + 9_000);
  expect(counted.measure().extra).toBe(9_000);
  expect((await plain.maintain()).decision.kind).toBe("none");
  expect((await counted.maintain()).decision.kind).toBe("threshold");
  expect(counted.measure().tokens).toBeLessThan(9_600);
  await expect(open(Number.NaN)).rejects.toThrow(TypeError);
});

it("[TC-02] an image of 3 MB takes what images take, in a tool result too", () => {
  const content = [
    { type: "text" as const, text: "look" },
    { type: "image" as const, data: "iVBORw0K".repeat(500_000), mimeType: "image/png" },
  ];
  const messages = [
    { role: "user" as const, content },
    { role: "toolResult" as const, toolCallId: "c", toolName: "read", content, isError: false },
  ];
  for (const message of messages) expect(estimateMessage(message, counter)).toBeLessThan(IMAGE_TOKENS + 20);
  const path = pathOf(message({ role: "user", content }));
  expect(decide(measured(path), settingsOf({ contextWindow: 200_000 })).kind).toBe("none");
});

const shot = (n: number, kilobytes: number) => ({
  role: "toolResult" as const,
  toolCallId: `shot-${n}`,
  toolName: "screenshot",
  content: [
    { type: "text" as const, text: `shot ${n}` },
    { type: "image" as const, data: "iVBORw0K".repeat(kilobytes * 128), mimeType: "image/png" },
  ],
  isError: false,
});
const asks = (n: number) => ({
  role: "assistant" as const,
  content: [{ type: "toolCall" as const, id: `shot-${n}`, name: "screenshot", arguments: {} }],
});
async function shots(count: number, kilobytes: number, settings = {}) {
  const session = await openSession(createMemoryStore(), {
    settings: { contextWindow: 200_000, ...settings },
    clock: fixedClock(),
  });
  await session.append({ role: "user", content: "Look at each page." });
  for (let n = 0; n < count; n++) await session.append(asks(n), shot(n, kilobytes));
  const images = async () => JSON.stringify((await session.context()).messages).split('"type":"image"').length - 1;
  return { session, images };
}

it("[TC-03] the bytes of a request are a second budget: the oldest images are left out, no text is summarised", async () => {
  const { session, images } = await shots(45, 100, { maxRequestBytes: 2_000_000 });
  expect(session.measure().tokens).toBeLessThan(60_000);
  const { decision, images: shed, compaction } = await session.maintain();
  expect(decision).toMatchObject({ kind: "prune" });
  expect(compaction).toBeUndefined();
  expect(shed?.entryIds).toHaveLength(30);
  expect(await images()).toBe(15);
  const texts = JSON.stringify((await session.context()).messages);
  expect(texts).toContain("shot 0");
  expect(texts).toContain("[image: image/png, 75 kB] (left out)");
  expect((await session.maintain()).images).toBeUndefined();
});

it("[TC-03] a request refused for its bytes loses images first, half of them each time, and is compacted when none is left", async () => {
  const { session, images } = await shots(4, 10);
  const refused = (n: number) =>
    session.append({
      role: "assistant",
      content: [],
      stopReason: "error",
      errorMessage: `Attempt ${n}: 413 Request Entity Too Large`,
    });
  const left: number[] = [];
  for (let n = 0; n < 3; n++) {
    await refused(n);
    const { images: shed, decision, compaction } = await session.maintain({ willRetry: true });
    expect([decision.kind, compaction]).toEqual(["prune", undefined]);
    expect(shed?.bytes).toBeGreaterThan(0);
    expect((await session.maintain()).images).toBeUndefined();
    left.push(await images());
  }
  expect(left).toEqual([2, 1, 0]);
  await refused(3);
  const last = await session.maintain();
  expect(last.decision.kind === "overflow" || last.message !== undefined).toBe(true);
  expect(session.settings.contextWindow).toBe(200_000);
});

it("[TC-04] what is sealed does not count as text", () => {
  const sealed = "A".repeat(200_000);
  const thought = { type: "thinking" as const, thinking: "I think.", thinkingSignature: sealed };
  const reply = says("", { content: [thought, { type: "text", text: "done" }] });
  expect(measured(pathOf(user("go"), reply)).tokens).toBeLessThan(50);
  const hidden = says("", { content: [{ ...thought, thinking: "" }], usage: usage(40_000) });
  expect(measured(pathOf(user("go"), hidden))).toMatchObject({ tokens: 40_000, source: "usage" });
});

it("[TC-06] after a compaction that failed or was cancelled the size is what it was", async () => {
  const failing = scriptedSummarizer([{ kind: "failed", reason: "The model is down.", retryable: false }]);
  const { session, stored } = await sessionWith(failing);
  await session.append({
    role: "assistant",
    content: [{ type: "text", text: "done" }],
    stopReason: "stop",
    usage: usage(19_000),
  });
  const before = session.measure();
  expect(before).toMatchObject({ tokens: 19_000, source: "usage" });
  const entries = await stored();
  expect(await session.compact()).toMatchObject({ status: "failed", error: { code: "SUMMARY_FAILED" } });
  expect(session.measure()).toEqual(before);
  const abort = new AbortController();
  session.on("compaction_start", () => abort.abort());
  expect(await session.compact({ signal: abort.signal })).toMatchObject({ status: "cancelled" });
  expect(session.measure()).toEqual(before);
  expect(await stored()).toEqual(entries);
});

it("[TC-07] before and after are sizes of the context, not of the request for the summary", async () => {
  const text = "## Goal\nFix the files.";
  const spent = { input: 661, output: 91, cacheRead: 0, cacheWrite: 0 };
  const { session } = await sessionWith(scriptedSummarizer([{ kind: "text", text, method: "llm", usage: spent }]));
  const before = session.measure().tokens;
  const outcome = await session.compact();
  if (outcome.status !== "compacted") throw new Error(outcome.status);
  const after = estimateContext((await session.context()).messages, counter);
  expect(outcome.result).toMatchObject({ tokensBefore: before, tokensAfter: after });
  expect(outcome.entry).toMatchObject({ tokensBefore: before, tokensAfter: after });
  expect(after).toBeLessThan(before);
  expect(session.measure()).toMatchObject({ tokens: after, source: "estimate" });
});
