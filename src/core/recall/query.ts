import { fold, searchWords, unspacedWords } from "./words.ts";

/** Words beyond this say nothing more about what is meant. */
const MOST_TERMS = 64;
const MOST_CHARS = 4_000;

/** A query, understood. All texts are folded. */
export interface RecallQuery {
  /** Found where a word of the text, or a part of a name in it, is the same or begins with it. */
  readonly words: readonly string[];
  /** Found anywhere in the text: words of scripts without spaces. */
  readonly pieces: readonly string[];
  /** Must stand in the text, white space aside. */
  readonly phrases: readonly string[];
  /** Named as `#a1b2c3d4`, or as a word that may be the id of an entry. */
  readonly ids: readonly string[];
}

/** `text` as a query: words, phrases in double quotes, entry ids with or without `#` [R9]. Never throws. */
export function parseQuery(text: string): RecallQuery {
  const phrases: string[] = [];
  const rest = text.slice(0, MOST_CHARS).replace(/["“”]([^"“”]+)["“”]/g, (_, phrase: string) => {
    if (phrase.trim() !== "") phrases.push(squeezed(phrase));
    return " ";
  });
  return {
    words: first(searchWords(rest)),
    pieces: first(unspacedWords(rest)),
    phrases: phrases.slice(0, MOST_TERMS),
    ids: first(rest.split(/\s+/).map(idOf)),
  };
}

/** A reference to an entry as people and summaries write it: `#id`, `[#id]` or the id alone. */
export function idOf(word: string): string {
  let end = word.length;
  while (end > 0 && "]).,;:".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end).replace(/^[[(]*#?/, "");
}

/** Folded, with every run of white space as one space. */
export const squeezed = (text: string): string => fold(text).replace(/\s+/g, " ").trim();

function first(words: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const word of words) {
    if (word !== "") found.add(word);
    if (found.size >= MOST_TERMS) break;
  }
  return [...found];
}
