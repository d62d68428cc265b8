import { describe, expect, it } from "vitest";
import { pick } from "../../../src/core/extract/facts.ts";
import { newLexicon } from "../../../src/core/extract/lexicon.ts";
import { wordsOf } from "../../../src/core/extract/words.ts";
import type { Candidate } from "../../../src/core/extract/work.ts";

/** Lines over few words, so that most of them tell the same; `reads` counts how often one was looked at. */
function made(size: number) {
  const lexicon = newLexicon();
  const looked = { reads: 0 };
  const candidates = Array.from({ length: size }, (_, i): Candidate => {
    const text = `src/part${i % 97}.ts calls load_part${i % 89} with max_size${i % 83} in turn ${i}`;
    const words = wordsOf(lexicon, text, 0, text.length, false);
    for (const word of words) lexicon.weight[word] = 1 + (word % 7);
    return {
      id: `e${i}`,
      text,
      at: i,
      factor: 1,
      decision: false,
      path: "",
      get words() {
        looked.reads++;
        return words;
      },
    };
  });
  return { lexicon, candidates, looked };
}

describe("pick", () => {
  it("[M9] gives the line with the weightiest untold words first", () => {
    const lexicon = newLexicon();
    const line = (text: string): Candidate => ({
      id: "a",
      text,
      words: wordsOf(lexicon, text, 0, text.length, false),
      at: 0,
      factor: 1,
      decision: false,
      path: "",
    });
    const candidates = [
      line("src/a.ts uses openStore"),
      line("src/a.ts uses openStore again"),
      line("E404 at the port 8123 of here"),
    ];
    lexicon.weight.fill(1);
    const order = [...pick(candidates, lexicon, new Map())].map(({ text }) => text);
    expect(order).toEqual([
      "src/a.ts uses openStore",
      "E404 at the port 8123 of here",
      "src/a.ts uses openStore again",
    ]);
  });

  it("[M9] looks at each line a bounded number of times, however many there are", () => {
    const looks = (size: number) => {
      const { lexicon, candidates, looked } = made(size);
      let left = 150;
      for (const _ of pick(candidates, lexicon, new Map())) if (--left === 0) break;
      return looked.reads;
    };
    expect(looks(8000)).toBeLessThan(looks(4000) * 2.5);
    expect(looks(8000)).toBeLessThan(8000 * 12);
  });
});
