import { expect, it } from "vitest";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { AssistantMessage } from "../../../src/core/session/message.ts";
import { emptyLengthStop, newestOverflow, silentOverflow } from "../../../src/core/trigger/overflow-reply.ts";

const reply = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text: "done" }],
  provider: "anthropic",
  model: "claude",
  stopReason: "stop",
  ...more,
});
const used = (input: number, output = 10, cacheRead = 0) => ({ input, output, cacheRead, cacheWrite: 0 });
const entry = (id: string, more: object): Entry =>
  ({ type: "message", id, parentId: null, timestamp: "2026-01-01T00:00:00.000Z", ...more }) as Entry;
const failed = (errorMessage: string, more = {}) => reply({ stopReason: "error", content: [], errorMessage, ...more });

it("[T4] a usage above the window is a silent overflow", () => {
  expect(silentOverflow(reply({ usage: used(210_000) }), 200_000)).toBe(true);
  expect(silentOverflow(reply({ usage: used(10_000, 10, 195_000) }), 200_000)).toBe(true);
  expect(silentOverflow(reply({ usage: used(200_000) }), 200_000)).toBe(false);
  expect(silentOverflow(reply({ usage: used(210_000), stopReason: "error" }), 200_000)).toBe(false);
  expect(silentOverflow(reply({ usage: "odd" as never }), 200_000)).toBe(false);
  expect(silentOverflow(reply({}), 200_000)).toBe(false);
});

it("[T4] a length stop without output is an overflow when the input fills the window", () => {
  const cut: Partial<AssistantMessage> = { stopReason: "length", content: [] };
  expect(emptyLengthStop(reply({ ...cut, usage: used(199_000, 0) }), 200_000)).toBe(true);
  expect(emptyLengthStop(reply({ stopReason: "length", usage: used(199_000, 0) }), 200_000)).toBe(true);
  expect(emptyLengthStop(reply({ ...cut, usage: used(40_000, 0) }), 200_000)).toBe(false);
  expect(emptyLengthStop(reply({ stopReason: "length", usage: used(199_000, 900) }), 200_000)).toBe(false);
  expect(emptyLengthStop(reply({ usage: used(199_000, 0) }), 200_000)).toBe(false);
});

it("[T4] only an error of the current model that is newer than the newest compaction counts", () => {
  const model = { provider: "anthropic", modelId: "claude" };
  const error = entry("e1", { message: failed("prompt is too long: 213462 tokens > 200000 maximum") });
  const user = entry("u1", { message: { role: "user", content: "go on" } });
  const compaction = entry("c1", { type: "compaction", summary: "s", firstKeptEntryId: "u1", tokensBefore: 1 });
  expect(newestOverflow([user, error, user], model, 200_000)).toMatchObject({
    entryId: "e1",
    by: "error",
    error: { limitTokens: 200_000, sentTokens: 213_462 },
  });
  expect(newestOverflow([error, compaction, user], model, 200_000)).toBeUndefined();
  expect(newestOverflow([error], { provider: "openai", modelId: "gpt" }, 200_000)).toBeUndefined();
  expect(newestOverflow([error], null, 200_000)?.by).toBe("error");
  expect(newestOverflow([error, entry("a1", { message: reply({}) })], model, 200_000)).toBeUndefined();
  const limited = entry("e2", { message: failed("429 Too many tokens, rate limit") });
  expect(newestOverflow([limited], model, 200_000)).toBeUndefined();
  expect(newestOverflow([], model, 200_000)).toBeUndefined();
});

it("[T4] tells a silent overflow and a reply without room from an error", () => {
  const silent = entry("a1", { message: reply({ usage: used(210_000) }) });
  const noRoom = entry("a2", { message: reply({ content: [], stopReason: "length", usage: used(200_000, 0) }) });
  expect(newestOverflow([silent], null, 200_000)?.by).toBe("silent");
  expect(newestOverflow([noRoom], null, 200_000)?.by).toBe("no-room");
});
