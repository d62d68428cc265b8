import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "../../../src/agent/tools/excerpt.ts";
import { createKeptText } from "../../../src/agent/tools/shell/kept-text.ts";
import { createTerminalText } from "../../../src/agent/tools/shell/terminal-text.ts";

const shown = (chunks: readonly string[]) => {
  const terminal = createTerminalText();
  return chunks.map((chunk) => terminal.push(chunk)).join("") + terminal.end();
};

const kept = (chunks: readonly string[], limit: number) => {
  const text = createKeptText(limit);
  for (const chunk of chunks) text.push(chunk);
  return text.end();
};

const PIECES = [
  "a",
  "b c",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "\x1b[1m",
  "\x1b[",
  "\x1b",
  "\x1b]0;t\x07",
  "\x1b]8;;x\x1b\\",
  "\b",
  "é",
  "👩‍👧",
  "7",
];

describe("terminal text", () => {
  it("is the same however the stream was cut into chunks, and has nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.array(fc.nat(60)), (pieces, cuts) => {
        const text = pieces.join("");
        const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(shown(chunks)).toBe(shown([text]));
        expect(shown(chunks)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it("of a line that never ends is given on", () => {
    const terminal = createTerminalText();
    expect(terminal.push("x".repeat(20_000))).toHaveLength(20_000);
    terminal.push(`\x1b]${"y".repeat(10_000)}`);
    expect(terminal.end().length).toBeGreaterThan(7_000);
  });
});

describe("kept text", () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "語", "👩‍👧", "\n"), maxLength: 30 }), {
    maxLength: 30,
  });

  it("is all of it, or its beginning and its end within the limit; the count adds up", () => {
    fc.assert(
      fc.property(chunks, fc.integer({ min: 40, max: 400 }), (parts, limit) => {
        const whole = parts.join("");
        const { text, dropped, breaks } = kept(parts, limit);
        expect(breaks).toBe(whole.split("\n").length - 1);
        if (dropped === 0) {
          expect(text).toBe(whole);
          return;
        }
        const [head = "", tail = ""] = text.split(
          /\n\[… [\d,]+ characters? were not kept: more than [\d,]+ in all …\]\n/,
        );
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(head.length + dropped + tail.length).toBe(whole.length);
        expect(text.length).toBeLessThan(limit + 300);
      }),
    );
  });
});

describe("an excerpt", () => {
  it("keeps to its bounds, cuts nothing in two, and counts what is missing", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b ", "語", "👩‍👧‍👦", "\n", "e\u0301"), maxLength: 600 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 400 }), (whole, lines, bytes) => {
        const shown = excerpt(kept([whole], 1_000_000), { lines, bytes });
        if (shown.cut === 0) {
          expect(shown.text).toBe(whole);
          return;
        }
        const [head = "", tail = ""] = shown.text.split(/\n?\[… .* cut here; recall finds them …\]\n/);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(bytes + 1);
        expect((head + tail).split("\n").length - 1).toBeLessThanOrEqual(lines + 1);
        const cut = whole.length - head.length - tail.length;
        expect([cut, cut - 1]).toContain(shown.cut);
        const pieces = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(whole)].map(
          ({ segment }) => segment,
        );
        const borders = new Set(pieces.map((_, at) => pieces.slice(0, at).join("").length).concat(whole.length));
        expect(borders.has(head.length) && borders.has(whole.length - tail.length)).toBe(true);
      }),
    );
  });
});
