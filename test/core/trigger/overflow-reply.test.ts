import { expect, it } from "vitest";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { AssistantMessage } from "../../../src/core/session/message.ts";
import {
  emptyLengthStop,
  failureFacts,
  newestOverflow,
  newestRefusal,
  silentOverflow,
} from "../../../src/core/trigger/overflow-reply.ts";

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

it("[T4] the status and the code that a reply stores go before its words", () => {
  const odd = "the request was not accepted";
  const told = (more: object) => newestOverflow([entry("e1", { message: failed(odd, more) })], null, 200_000)?.by;
  expect(told({})).toBeUndefined();
  expect(told({ errorCode: "context_length_exceeded" })).toBe("error");
  const words = "prompt is too long: 213462 tokens > 200000 maximum";
  const limited = failed(words, { errorStatus: 429, errorCode: "context_length_exceeded" });
  expect(newestOverflow([entry("e1", { message: limited })], null, 200_000)).toBeUndefined();
  expect(newestOverflow([entry("e1", { message: failed(words, { errorStatus: 400 }) })], null, 200_000)?.by).toBe(
    "error",
  );
  const without = reply({ stopReason: "error", content: [], ...{ errorCode: "context_length_exceeded" } });
  expect(newestOverflow([entry("e1", { message: without })], null, 200_000)?.by).toBe("error");
});

it("[T4] what a reply stores of its failure is read without trust", () => {
  const odd = failed("x", { errorStatus: "429", errorCode: 7, provider: null });
  expect(failureFacts(odd)).toEqual({ message: "x" });
  expect(failureFacts({ role: "assistant" } as never)).toEqual({ message: "" });
});

it("[T4] a request refused for its bytes is no overflow, and counts until something is edited or compacted", () => {
  const refused = entry("e1", { message: failed("413 Request Entity Too Large", { errorStatus: 413 }) });
  const user = entry("u1", { message: { role: "user", content: "go on" } });
  expect(newestOverflow([refused], null, 200_000)).toBeUndefined();
  expect(newestRefusal([refused, user], null)).toMatchObject({ entryId: "e1", by: "refused" });
  expect(newestRefusal([entry("e1", { message: failed("401 no key") })], null)).toBeUndefined();
  expect(newestRefusal([refused, entry("x1", { type: "context_edit", targetId: "u1", replacement: null })], null)).toBe(
    undefined,
  );
  expect(newestRefusal([refused], { provider: "openai", modelId: "gpt" })).toBeUndefined();
});
