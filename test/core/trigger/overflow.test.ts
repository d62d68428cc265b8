import { describe, expect, it } from "vitest";
import { NOT_OVERFLOW, PLAIN_SIGNS } from "../../../src/core/trigger/error-signs.ts";
import { classifyError } from "../../../src/core/trigger/overflow.ts";
import { OVERFLOW_ROWS } from "../../../src/core/trigger/overflow-rows.ts";

const kindOf = (message: string, more = {}) => classifyError({ message, ...more }).kind;

describe("every row of the table", () => {
  for (const { provider, sample } of OVERFLOW_ROWS) {
    it(`[T4] knows the overflow of ${provider}`, () => {
      expect(classifyError({ message: sample, provider })).toMatchObject({ kind: "overflow", provider });
      expect(kindOf(`400 ${JSON.stringify({ error: { message: sample } })}`, { provider })).toBe("overflow");
      expect(kindOf(sample.toUpperCase(), { provider })).toBe("overflow");
    });
  }
  for (const { kind, sample } of [...NOT_OVERFLOW, ...PLAIN_SIGNS]) {
    it(`[T4] takes "${sample}" for ${kind}`, () => expect(kindOf(sample)).toBe(kind));
  }
});

it("[T4] reads the numbers that a text states", () => {
  const numbers = (message: string) => {
    const { limitTokens, sentTokens, outputTokens } = classifyError({ message });
    return [sentTokens, limitTokens, outputTokens];
  };
  expect(numbers("prompt is too long: 213,462 tokens > 200,000 maximum")).toEqual([213_462, 200_000, undefined]);
  expect(numbers("exceed context limit: 188240 + 21333 > 200000, decrease")).toEqual([188_240, 200_000, 21_333]);
  expect(
    numbers(
      "This model's maximum context length is 131072 tokens. However, you requested 138956 tokens (7884 in the messages, 131072 in the completion).",
    ),
  ).toEqual([7884, 131_072, 131_072]);
  expect(numbers("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens")).toEqual([
    9000,
    8192,
    undefined,
  ]);
  expect(numbers("Range of input length should be [1, 129024]")).toEqual([undefined, 129_024, undefined]);
  expect(numbers("Your input exceeds the context window of this model.")).toEqual([undefined, undefined, undefined]);
  const told = OVERFLOW_ROWS.filter(({ sample }) => numbers(sample)[1] !== undefined);
  expect(told.length).toBeGreaterThan(14);
});

it("[T4] status and code go before the text", () => {
  const overflow = "prompt is too long: 213462 tokens > 200000 maximum";
  expect(kindOf(overflow, { status: 429 })).toBe("rate-limit");
  expect(kindOf(overflow, { status: 401 })).toBe("auth");
  expect(kindOf(overflow, { code: "rate_limit_error" })).toBe("rate-limit");
  expect(kindOf("Bad request", { status: 400, code: "context_length_exceeded" })).toBe("overflow");
  expect(kindOf("Bad request", { status: 400, code: "ContextWindowExceededError" })).toBe("overflow");
  expect(kindOf("the request exceeds the available context size", { status: 500 })).toBe("overflow");
  for (const status of [408, 500, 502, 503, 504, 529]) expect(kindOf("", { status })).toBe("transient");
  for (const status of [400, 404, 422]) expect(kindOf("", { status })).toBe("other");
  for (const code of ["ECONNREFUSED", "ECONNRESET", "TIMEOUT", "UND_ERR_SOCKET"])
    expect(kindOf("failed", { code })).toBe("transient");
});

it("[T4] parses a status where one stands, and no other digits", () => {
  expect(classifyError({ message: "github-copilot API error (413): failed to parse request" })).toEqual({
    kind: "payload",
    status: 413,
  });
  expect(classifyError({ message: '529 {"type":"error"}' })).toEqual({ kind: "transient", status: 529 });
  expect(kindOf("HTTP/1.1 503 upstream")).toBe("transient");
  expect(kindOf("status code 502")).toBe("transient");
  expect(kindOf("artifact art_503 is not known", { status: 400 })).toBe("other");
  expect(kindOf("artifact art-503 is not known")).toBe("other");
});

it("[T4] bytes and media are payload unless the text speaks of tokens", () => {
  expect(kindOf("Request too large", { status: 413 })).toBe("payload");
  expect(kindOf("", { status: 413 })).toBe("payload");
  expect(kindOf("Request exceeds the maximum size", { code: "request_too_large" })).toBe("payload");
  expect(kindOf("Request too large: input token count (9) exceeds the maximum", { status: 413 })).toBe("overflow");
});

it("[T4] an error without a body is an overflow only from a provider known for it", () => {
  expect(kindOf("400 status code (no body)", { provider: "cerebras" })).toBe("overflow");
  expect(kindOf('{"error":"413 (no body)"}', { provider: "cerebras" })).toBe("overflow");
  expect(kindOf("400 status code (no body)", { provider: "openai" })).toBe("other");
  expect(kindOf("413 (no body)")).toBe("payload");
});

it("[T4] is total and does not slow down with the text", () => {
  expect(kindOf(undefined as unknown as string)).toBe("other");
  const traps = [
    "input token count ",
    "requested tokens exceed ",
    "prompt contains 1 tokens ",
    "image ",
    "1".repeat(50),
  ];
  for (const trap of traps) expect(kindOf(trap.repeat(200_000))).toBe("other");
  expect(kindOf(`${"x".repeat(5_000_000)} prompt is too long`)).toBe("overflow");
});
