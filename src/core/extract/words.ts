import { isWide } from "./cut.ts";

/**
 * Every distinct word met, numbered, with its weight: how much the rest of the work may depend on it.
 *
 * Typed arrays indexed by the word's number, so that counting a long session allocates next to nothing.
 */
export interface Lexicon {
  readonly words: string[];
  /** Open addressing: number + 1 of the word in each slot, 0 for none; a power of two long, at most half full. */
  slots: Int32Array;
  /** Each word's hash. */
  hashes: Int32Array;
  /** The call of `wordsOf` that found the word last, so that it is given once. */
  found: Int32Array;
  calls: number;
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
const ONLY_LOWER = 1 << LOWER;

const CLASS = new Uint8Array(128);
for (let c = 48; c < 58; c++) CLASS[c] = DIGIT;
for (let c = 65; c < 91; c++) CLASS[c] = UPPER;
for (let c = 97; c < 123; c++) CLASS[c] = LOWER;
for (const c of "_./-@~#+\\") CLASS[c.charCodeAt(0)] = JOINER;

export function newLexicon(): Lexicon {
  return {
    words: [],
    slots: new Int32Array(4096),
    hashes: new Int32Array(1024),
    found: new Int32Array(1024),
    calls: 0,
    weight: new Float64Array(1024),
    seen: new Int32Array(1024).fill(-1),
    name: new Uint8Array(1024),
  };
}

/** The number of `word`, given out at its first appearance. */
export function intern(lexicon: Lexicon, word: string, isName: boolean): number {
  return numberOf(lexicon, word, 0, word.length, isName);
}

/**
 * Numbers of the words of `text` between `from` and `to`, in order, each once.
 *
 * Names: words with a digit, an inner capital or a joiner (`src/a.ts`, `maxTokens`, `E404`). Plain words, of four
 * letters or more, only when `plain`; scripts without spaces give pairs of characters instead of words.
 */
export function wordsOf(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean): number[] {
  const found: number[] = [];
  lexicon.calls++;
  let start = -1;
  let wide = -1;
  let kinds = 0;
  for (let i = from; i <= to; i++) {
    const code = i < to ? text.charCodeAt(i) : 32;
    const kind = code < 128 ? (CLASS[code] as number) : isWide(code) || isMark(code) ? OTHER : LOWER;
    if (kind !== OTHER) {
      if (start < 0) start = i;
      kinds |= 1 << kind;
    } else if (start >= 0) {
      const length = i - start;
      if (kinds === ONLY_LOWER) {
        if (plain && length >= 4 && length <= LONGEST) push(lexicon, found, numberOf(lexicon, text, start, i, false));
      } else if (length >= 3 && length <= LONGEST) addWord(lexicon, text, start, i, plain, found);
      start = -1;
      kinds = 0;
    }
    if (code >= 128 && isWide(code) && !isMark(code)) {
      if (plain && wide === i - 1) push(lexicon, found, numberOf(lexicon, text, i - 1, i + 1, false));
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
  let before = OTHER;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (CLASS[code] as number) : LOWER;
    if (kind === DIGIT) digits++;
    else if (kind === JOINER) {
      if (code === 47 || code === 92) slash = true;
      else if (code === 46) dot = i;
      else if (code === 95) joined = true;
    } else {
      letters++;
      if (kind === UPPER && before === LOWER) humps++;
    }
    before = kind;
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
  if (slash || dot >= 0) start = withLead(text, from, start);
  if (isName ? end - start >= 4 : plain && letters >= 4 && digits === 0)
    push(lexicon, found, numberOf(lexicon, text, start, end, isName));
}

/** Where a path begins: `/`, `~/`, `../`, `@` and the dot of a hidden file belong to it, `./` does not. */
function withLead(text: string, from: number, start: number): number {
  if (start - from === 2 && text.charCodeAt(from) === 46 && text.charCodeAt(from + 1) === 47) return start;
  return start - from <= 3 ? from : start - 1;
}

/** Finds or adds the word between `from` and `to`; plain words are the same in capitals. */
function numberOf(lexicon: Lexicon, text: string, from: number, to: number, isName: boolean): number {
  let hash = isName ? 0x811c9dc5 : 0x2545f491;
  for (let i = from; i < to; i++) {
    let code = text.charCodeAt(i);
    if (!isName && code >= 65) {
      if (code <= 90) code += 32;
      else if (code >= 128) return numberOfLower(lexicon, text.slice(from, to).toLowerCase());
    }
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return lookUp(lexicon, text, from, to, hash ^ (hash >>> 15), isName);
}

/** The same for a word already in lower case that holds letters beyond ASCII. */
function numberOfLower(lexicon: Lexicon, word: string): number {
  let hash = 0x2545f491;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return lookUp(lexicon, word, 0, word.length, hash ^ (hash >>> 15), false);
}

function lookUp(lexicon: Lexicon, text: string, from: number, to: number, hash: number, isName: boolean): number {
  const mask = lexicon.slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = (lexicon.slots[slot] as number) - 1;
    if (id < 0) {
      const word = text.slice(from, to);
      return add(lexicon, slot, hash, isName ? word : word.toLowerCase(), isName);
    }
    if (lexicon.hashes[id] === hash && isSame(lexicon.words[id] as string, text, from, to, isName)) return id;
  }
}

function isSame(word: string, text: string, from: number, to: number, isName: boolean): boolean {
  if (word.length !== to - from) return false;
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(from + i);
    if (word.charCodeAt(i) !== (!isName && code >= 65 && code <= 90 ? code + 32 : code)) return false;
  }
  return true;
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

function push(lexicon: Lexicon, found: number[], id: number): void {
  if (lexicon.found[id] === lexicon.calls) return;
  lexicon.found[id] = lexicon.calls;
  found.push(id);
}

function add(lexicon: Lexicon, slot: number, hash: number, word: string, isName: boolean): number {
  const id = lexicon.words.length;
  lexicon.words.push(word);
  if (id >= lexicon.weight.length) grow(lexicon);
  lexicon.slots[slot] = id + 1;
  lexicon.hashes[id] = hash;
  lexicon.name[id] = isName ? 1 : 0;
  if (id * 2 > lexicon.slots.length) rehash(lexicon);
  return id;
}

function rehash(lexicon: Lexicon): void {
  const slots = new Int32Array(lexicon.slots.length * 2);
  const mask = slots.length - 1;
  for (let id = 0; id < lexicon.words.length; id++) {
    let slot = (lexicon.hashes[id] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
  lexicon.slots = slots;
}

function grow(lexicon: Lexicon): void {
  const size = lexicon.weight.length * 2;
  const enlarged = <T extends Int32Array | Float64Array | Uint8Array>(to: T, from: T): T => {
    to.set(from);
    return to;
  };
  lexicon.weight = enlarged(new Float64Array(size), lexicon.weight);
  lexicon.seen = enlarged(new Int32Array(size).fill(-1), lexicon.seen);
  lexicon.hashes = enlarged(new Int32Array(size), lexicon.hashes);
  lexicon.found = enlarged(new Int32Array(size), lexicon.found);
  lexicon.name = enlarged(new Uint8Array(size), lexicon.name);
}
