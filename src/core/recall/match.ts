import { type RecallQuery, squeezed } from "./query.ts";
import { fold, searchWords } from "./words.ts";

const SHORTEST_PREFIX = 3;
/** What a word counts that only begins with the one asked for. */
const PREFIX_WEIGHT = 0.4;
/** How fast repeats saturate and how much length counts: the usual constants of BM25. */
const K1 = 1.2;
const B = 0.7;

/** How often each term of a query stands in one text, in the order of `terms`, and how long the text is. */
export interface Match {
  readonly counts: readonly number[];
  readonly length: number;
}

/** Counts a query's terms in one text after the other and weighs them by how rare they were in all of them [R9]. */
export interface Matcher {
  /** Every text of the search passes here once; null where nothing is found in it. Linear in the text. */
  match(text: string): Match | null;
  /** The BM25 score, once all texts have passed. */
  score(match: Match): number;
}

export function createMatcher({ words, pieces, phrases }: RecallQuery): Matcher {
  const terms = words.length + pieces.length + phrases.length;
  const slots = new Map(words.map((word, slot) => [word, slot]));
  const prefixes = words.filter((word) => word.length >= SHORTEST_PREFIX);
  const seenIn = new Array<number>(terms).fill(0);
  let texts = 0;
  let characters = 0;

  const countWords = (text: string, counts: number[]) => {
    for (const word of searchWords(text)) {
      const slot = slots.get(word);
      if (slot !== undefined) counts[slot] = (counts[slot] ?? 0) + 1;
      for (const prefix of prefixes) {
        if (word.length <= prefix.length || !word.startsWith(prefix)) continue;
        const at = slots.get(prefix) as number;
        counts[at] = (counts[at] ?? 0) + PREFIX_WEIGHT;
      }
    }
  };

  return {
    match(text) {
      texts++;
      characters += text.length;
      const folded = fold(text);
      const counts = new Array<number>(terms).fill(0);
      if (words.some((word) => folded.includes(word))) countWords(text, counts);
      for (const [at, piece] of pieces.entries()) counts[words.length + at] = occurrences(folded, piece);
      const even = phrases.length > 0 ? squeezed(folded) : "";
      for (const [at, phrase] of phrases.entries()) {
        const count = occurrences(even, phrase);
        if (count === 0) return null;
        counts[words.length + pieces.length + at] = count;
      }
      if (counts.every((count) => count === 0)) return null;
      for (const [at, count] of counts.entries()) if (count > 0) seenIn[at] = (seenIn[at] ?? 0) + 1;
      return { counts, length: text.length };
    },
    score({ counts, length }) {
      const average = characters / Math.max(1, texts) || 1;
      let score = 0;
      for (const [at, count] of counts.entries()) {
        if (count === 0) continue;
        const seen = seenIn[at] ?? 0;
        const rarity = Math.log(1 + (texts - seen + 0.5) / (seen + 0.5));
        score += (rarity * (count * (K1 + 1))) / (count + K1 * (1 - B + (B * length) / average));
      }
      return score;
    },
  };
}

function occurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length)) count++;
  return count;
}
