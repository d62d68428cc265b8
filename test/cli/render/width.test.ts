import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, pad, width, wrap } from "../../../src/cli/render/width.ts";
import { wellFormed } from "../../../src/core/session/well-formed.ts";

describe("width on a terminal", () => {
  it("counts wide characters twice, combining ones not at all", () => {
    expect(width("abc")).toBe(3);
    expect(width("日本語")).toBe(6);
    expect(width("e\u0301")).toBe(1);
    expect(width("👩‍👩‍👧")).toBe(2);
    expect(width("한국어 ok")).toBe(9);
  });

  it("[X6] clips between graphemes and never over the columns", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const line = text.replace(/\n/g, "");
        const clipped = clip(line, columns);
        expect(width(clipped)).toBeLessThanOrEqual(columns);
        expect(wellFormed(clipped)).toBe(clipped);
        if (width(line) <= columns) expect(clipped).toBe(line);
        else expect(clipped.endsWith("…")).toBe(true);
      }),
    );
  });

  it("pads on either side", () => {
    expect(pad("日本", 6)).toBe("日本  ");
    expect(pad("7", 3, "left")).toBe("  7");
  });

  it("wraps at spaces, breaks what is too long, hangs list items", () => {
    expect(wrap("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrap("- alpha beta gamma", 12)).toEqual(["- alpha beta", "  gamma"]);
    expect(wrap("", 10)).toEqual([""]);
  });

  it("loses no character by wrapping", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 10, max: 60 }), (text, columns) => {
        const bare = (s: string) => s.replace(/\s/g, "");
        const wrapped = wrap(text, columns);
        expect(bare(wrapped.join(""))).toBe(bare(text));
        for (const line of wrapped) expect(width(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
