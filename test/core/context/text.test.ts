import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutHead, cutTail, elideMiddle, wellFormed } from "../../../src/core/context/text.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The borders of a text, by the platform's own segmentation of the whole. */
const bordersOf = (text: string) =>
  new Set([...Array.from(segmenter.segment(text), ({ index }) => index), text.length]);

const texts = fc
  .array(
    fc.constantFrom(
      "a",
      "b ",
      "é",
      "e\u0301",
      "👩‍💻",
      "👍🏽",
      "🇫🇷",
      "한국",
      "漢",
      "क्षि",
      "\r\n",
      "\n",
      "\u200d",
      "z".repeat(9),
    ),
  )
  .map((parts) => parts.join(""));

describe("cutting", () => {
  it("[X6] never splits a grapheme and says how much is gone", () => {
    const holds = fc.property(texts, fc.nat(60), (text, max) => {
      const borders = bordersOf(text);
      const head = cutHead(text, max);
      expect(borders.has(head.text.length)).toBe(true);
      expect(text.startsWith(head.text)).toBe(true);
      expect(head.text.length).toBeLessThanOrEqual(max);
      expect(head.cut).toBe(text.length - head.text.length);
      const tail = cutTail(text, max);
      expect(borders.has(text.length - tail.text.length)).toBe(true);
      expect(text.endsWith(tail.text)).toBe(true);
      expect(tail.text.length).toBeLessThanOrEqual(max);
      expect(tail.cut).toBe(text.length - tail.text.length);
    });
    fc.assert(holds, { numRuns: 3000 });
  });

  it("[X6] keeps head and tail, with the number between", () => {
    const { text, cut } = elideMiddle(`${"a".repeat(50)}${"b".repeat(50)}`, 20);
    expect(cut).toBe(80);
    expect(text).toBe(`${"a".repeat(10)}\n[… 80 characters left out …]\n${"b".repeat(10)}`);
    expect(elideMiddle("short", 20)).toEqual({ text: "short", cut: 0 });
  });

  it("[X6] costs nothing on one endless line or grapheme", () => {
    expect(cutHead("漢".repeat(5_000_000), 2000).text).toHaveLength(2000);
    expect(cutTail("👩‍💻".repeat(500_000), 2000).text.length).toBeGreaterThan(1980);
    const zalgo = `a${"\u0301".repeat(100_000)}`;
    expect(cutHead(zalgo, 5000).text.length).toBeLessThanOrEqual(5000);
    expect(cutTail(zalgo, 5000).text.length).toBeLessThanOrEqual(5000);
  });

  it("[X6] replaces lone surrogates only", () => {
    expect(wellFormed("a\ud800b\udc00c👩‍💻")).toBe("a\ufffdb\ufffdc👩‍💻");
  });
});
