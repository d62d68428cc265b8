import { piecesIn, wordsIn } from "./occurrences.ts";
import { type RecallQuery, squeezed } from "./query.ts";

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
  const seenIn = new Array<number>(terms).fill(0);
  let texts = 0;
  let characters = 0;

  /** Every count of the text, or null where a phrase is missing. */
  const countsIn = (text: string): number[] | null => {
    const composed = text.normalize("NFC");
    const folded = composed.toLowerCase();
    const even =
      phrases.length > 0 && phrases.every((phrase) => folded.includes(firstWord(phrase))) ? squeezed(folded) : "";
    const quoted = phrases.map((phrase) => piecesIn(even, phrase));
    if (quoted.includes(0)) return null;
    const said = words.map((word) => wordsIn(folded, composed, word));
    return [...said, ...pieces.map((piece) => piecesIn(folded, piece)), ...quoted];
  };

  return {
    match(text) {
      texts++;
      characters += text.length;
      const counts = countsIn(text);
      if (!counts?.some((count) => count > 0)) return null;
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

const firstWord = (phrase: string): string => phrase.split(" ", 1)[0] ?? "";
