import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip } from "../../../src/core/extract/cut.ts";

describe("clip", () => {
  it("[M9] never cuts inside a word and says how much is gone", () => {
    expect(clip("open src/core/very/long/path.ts now", 50)).toBe("open src/core/very/long/path.ts now");
    expect(clip("open the file src/core/very/long/path/to/it.ts now", 44)).toBe("open the file … (+36 characters)");
  });

  it("[X6] never splits a grapheme", () => {
    expect(clip("猫が好きです。".repeat(20), 30)).toMatch(/^[猫が好きです。]+ … \(\+\d+ characters\)$/);
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 24, max: 120 }), (text, max) => {
        const head = clip(text, max).replace(/ ?… \(\+[\d,]+ characters\)$/, "");
        const borders = new Set([...graphemes.segment(text)].map(({ index }) => index));
        expect(text.length <= max || head === "" || text.startsWith(head)).toBe(true);
        if (text.length > max && head.length > 0 && text.charCodeAt(head.length) > 32)
          expect(borders).toContain(head.length);
      }),
    );
  });
});
