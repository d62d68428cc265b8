/** Hits beyond this say nothing more about a text. */
const ENOUGH = 60;
const SHORTEST_PREFIX = 3;
/** What a word counts that only begins with the one asked for. */
const PREFIX_WEIGHT = 0.4;

const WORD = /[\p{L}\p{M}\p{N}]/u;
const UPPER = /\p{Lu}/u;
const LOWER = /[\p{Ll}\p{N}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * How often `word` stands in a text as a word, as a part of a name, or (counted less) as the beginning of one [R9].
 *
 * `folded` is searched; `text` is the same text before its case was folded, in which `parseArgs` has two parts.
 */
export function wordsIn(folded: string, text: string, word: string): number {
  const cased = text.length === folded.length ? text : folded;
  let count = 0;
  for (let at = folded.indexOf(word); at !== -1 && count < ENOUGH; at = folded.indexOf(word, at + 1)) {
    if (!isBorder(cased, at)) continue;
    if (isBorder(cased, at + word.length)) count++;
    else if (word.length >= SHORTEST_PREFIX) count += PREFIX_WEIGHT;
  }
  return count;
}

/** How often `piece` stands in `text`, whatever is around it. */
export function piecesIn(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at !== -1 && count < ENOUGH; at = text.indexOf(piece, at + piece.length)) count++;
  return count;
}

/** True where a word or a part of a name may begin or end. */
function isBorder(text: string, at: number): boolean {
  const before = text[at - 1] ?? "";
  const after = text[at] ?? "";
  if (!WORD.test(before) || !WORD.test(after)) return true;
  if (UPPER.test(after)) return LOWER.test(before) || (UPPER.test(before) && /\p{Ll}/u.test(text[at + 1] ?? ""));
  return UNSPACED.test(before) !== UNSPACED.test(after);
}
