import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteLine, lineSplitter } from "../../../src/core/session/lines.ts";

function split(chunks: readonly Uint8Array[]): ByteLine[] {
  const splitter = lineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

const text = (line: ByteLine) => Buffer.from(line.bytes).toString("utf8");

describe("lineSplitter", () => {
  it("[S6] gives the same lines however the bytes are cut into chunks", () => {
    const content = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "\u2028", "é", ""), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 7 }), (body, size) => {
        const bytes = Buffer.from(body);
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        const lines = split(chunks);
        const expected = body.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(lines.map(text)).toEqual(expected.map((line) => line.replace(/\r$/, "")));
        for (const line of lines) {
          expect(bytes.subarray(line.offset, line.offset + line.bytes.length)).toEqual(Buffer.from(line.bytes));
        }
        expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
        expect(lines.filter(({ ended }) => !ended).length).toBe(body === "" || body.endsWith("\n") ? 0 : 1);
      }),
    );
  });

  it("[S6] takes a BOM off the first line only", () => {
    const lines = split([Buffer.from("\uFEFFa\n\uFEFFb")]);
    expect(lines.map(text)).toEqual(["a", "\uFEFFb"]);
    expect(lines.map(({ offset }) => offset)).toEqual([3, 5]);
  });

  it("[S10] joins a line of many chunks once", () => {
    const chunk = new Uint8Array(64 << 10).fill(97);
    const chunks = Array.from({ length: 1000 }, () => chunk);
    expect(split(chunks)[0]?.bytes.length).toBe(1000 * chunk.length);
  });
});
