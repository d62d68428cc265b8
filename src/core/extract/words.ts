import { isWide } from "./cut.ts";

/**
 * Every distinct word met, numbered, with its weight: how much the rest of the work may depend on it.
 *
 * Typed arrays indexed by the word's number, so that counting a long session allocates next to nothing.
 */
export interface Lexicon {
  readonly ids: Map<string, number>;
  readonly words: string[];
  weight: Float64Array;
  /** The mark under which the word was last counted, so that a message counts it once. */
  seen: Int32Array;
  /** 1 for names (identifiers, paths, numbers, codes), 0 for plain words. */
  name: Uint8Array;
}

/** Runs longer than this are encoded data, not words. */
const LONGEST = 120;
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINER = 4;

const CLASS = new Uint8Array(128);
for (let c = 48; c < 58; c++) CLASS[c] = DIGIT;
for (let c = 65; c < 91; c++) CLASS[c] = UPPER;
for (let c = 97; c < 123; c++) CLASS[c] = LOWER;
for (const c of "_./-@~#+\\") CLASS[c.charCodeAt(0)] = JOINER;

export function newLexicon(): Lexicon {
  return {
    ids: new Map(),
    words: [],
    weight: new Float64Array(1024),
    seen: new Int32Array(1024).fill(-1),
    name: new Uint8Array(1024),
  };
}

/** The number of `word`, given out at its first appearance. */
export function intern(lexicon: Lexicon, word: string, isName: boolean): number {
  const known = lexicon.ids.get(word);
  if (known !== undefined) return known;
  const id = lexicon.words.length;
  lexicon.ids.set(word, id);
  lexicon.words.push(word);
  if (id >= lexicon.weight.length) grow(lexicon);
  lexicon.name[id] = isName ? 1 : 0;
  return id;
}

/**
 * Numbers of the words of `text` between `from` and `to`, in order, each once.
 *
 * Names: words with a digit, an inner capital or a joiner (`src/a.ts`, `maxTokens`, `E404`). Plain words, of four
 * letters or more, only when `plain`; scripts without spaces give pairs of characters instead of words.
 */
export function wordsOf(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean): number[] {
  const found: number[] = [];
  let start = -1;
  let wide = -1;
  for (let i = from; i <= to; i++) {
    const code = i < to ? text.charCodeAt(i) : 32;
    const kind = code < 128 ? CLASS[code] : isWide(code) || isMark(code) ? OTHER : LOWER;
    if (kind !== OTHER) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      if (i - start <= LONGEST) addWord(lexicon, text, start, i, plain, found);
      start = -1;
    }
    if (code >= 128 && isWide(code) && !isMark(code)) {
      if (plain && wide === i - 1) push(found, intern(lexicon, text.slice(i - 1, i + 1), false));
      wide = i;
    }
  }
  return found;
}

function addWord(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean, found: number[]): void {
  let start = from;
  let end = to;
  while (start < end && isEdge(text.charCodeAt(start))) start++;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end--;
  if (end - start < 3) return;
  let letters = 0;
  let digits = 0;
  let humps = 0;
  let slash = false;
  let joined = false;
  let dot = -1;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? CLASS[code] : LOWER;
    if (kind === DIGIT) digits++;
    else if (kind === JOINER) {
      if (code === 47 || code === 92) slash = true;
      else if (code === 46) dot = i;
      else if (code === 95) joined = true;
    } else {
      letters++;
      if (kind === UPPER && i > start && CLASS[text.charCodeAt(i - 1)] === LOWER) humps++;
    }
  }
  if (dot >= 0 && !slash && letters > 0 && !isExtension(text, dot + 1, end) && digits < letters) {
    for (let at = start; at < end; ) {
      const next = text.indexOf(".", at);
      const stop = next < 0 || next > end ? end : next;
      if (stop > at) addWord(lexicon, text, at, stop, plain, found);
      at = stop + 1;
    }
    return;
  }
  const flag = start - from === 2 && text.charCodeAt(from) === 45 && text.charCodeAt(from + 1) === 45;
  if (flag) start = from;
  const isName = flag || slash || joined || dot >= 0 || humps > 0 || (digits > 0 && letters > 0) || digits >= 4;
  if (isName ? end - start >= 4 : plain && letters >= 4 && digits === 0) {
    const word = text.slice(start, end);
    push(found, intern(lexicon, isName ? word : word.toLowerCase(), isName));
  }
}

function push(found: number[], id: number): void {
  if (found.length > 64 ? found.at(-1) !== id : !found.includes(id)) found.push(id);
}

function isEdge(code: number): boolean {
  return code < 128 && CLASS[code] === JOINER && code !== 95 && code !== 126;
}

/** Punctuation outside ASCII: general, CJK, full width, Latin-1. */
function isMark(code: number): boolean {
  return (
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20) ||
    (code >= 0x80 && code <= 0xbf) ||
    (code >= 0xd800 && code <= 0xdfff)
  );
}

/** One to five letters and digits at the end, as of a file. */
function isExtension(text: string, from: number, to: number): boolean {
  return EXTENSIONS.has(text.slice(from, to).toLowerCase());
}

const EXTENSIONS = new Set(
  "ts tsx mts cts js jsx mjs cjs json jsonl md mdx yml yaml toml py pyi ipynb rs go java kt c h cc cpp hpp cs rb php sh bash sql css scss html vue svelte txt lock cfg ini xml csv tsv log diff patch proto svg png jpg env rst tf gradle swift lua zig ex exs com org io net dev".split(
    " ",
  ),
);

function grow(lexicon: Lexicon): void {
  const size = lexicon.weight.length * 2;
  const weight = new Float64Array(size);
  weight.set(lexicon.weight);
  const seen = new Int32Array(size).fill(-1);
  seen.set(lexicon.seen);
  const name = new Uint8Array(size);
  name.set(lexicon.name);
  lexicon.weight = weight;
  lexicon.seen = seen;
  lexicon.name = name;
}
