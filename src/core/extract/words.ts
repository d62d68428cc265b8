import { isWide } from "./cut.ts";
import { type Lexicon, numberOf } from "./lexicon.ts";

/** Runs longer than this are encoded data, not words. */
const LONGEST = 120;

/** Kinds of characters, one bit each: of a run the bits together say what it may be. */
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const JOINER = 8;
const LETTERS = LOWER | UPPER;

const KIND = new Uint8Array(128);
for (let c = 48; c < 58; c++) KIND[c] = DIGIT;
for (let c = 65; c < 91; c++) KIND[c] = UPPER;
for (let c = 97; c < 123; c++) KIND[c] = LOWER;
for (const c of "_./-@~#+\\") KIND[c.charCodeAt(0)] = JOINER;

/**
 * Numbers of the words of `text` between `from` and `to`, in order, each once.
 *
 * Names: words with a digit, an inner capital or a joiner (`src/a.ts`, `maxTokens`, `E404`). Plain words, of four
 * letters or more, only when `plain`; scripts without spaces give pairs of characters instead of words.
 */
export function wordsOf(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean): number[] {
  return lexicon.scratch.slice(0, scan(lexicon, text, from, to, plain));
}

/** How many words `wordsOf` would give: they stand in `lexicon.scratch`, and nothing is allocated. */
export function scan(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean): number {
  lexicon.scans++;
  lexicon.scanned = 0;
  let start = -1;
  let wide = -1;
  let kinds = 0;
  for (let i = from; i <= to; i++) {
    const code = i < to ? text.charCodeAt(i) : 32;
    const kind = code < 128 ? (KIND[code] as number) : isWide(code) || isMark(code) ? OTHER : LOWER;
    if (kind !== OTHER) {
      if (start < 0) start = i;
      kinds |= kind;
      continue;
    }
    if (start >= 0) {
      if (plain || kinds !== LOWER) addRun(lexicon, text, start, i, kinds, plain);
      start = -1;
      kinds = 0;
    }
    if (code >= 128 && isWide(code) && !isMark(code)) {
      if (plain && wide === i - 1) push(lexicon, numberOf(lexicon, text, i - 1, i + 1, false));
      wide = i;
    }
  }
  return lexicon.scanned;
}

/** Adds the word, name or nothing that a run of letters, digits and joiners is. */
function addRun(lexicon: Lexicon, text: string, from: number, to: number, kinds: number, plain: boolean): void {
  const length = to - from;
  if (length < 3 || length > LONGEST) return;
  if (kinds & JOINER) {
    addJoined(lexicon, text, from, to, plain);
  } else if (length >= 4) {
    const isName = (kinds & DIGIT) !== 0 || (kinds === LETTERS && hasHump(text, from, to));
    if (isName || plain) push(lexicon, numberOf(lexicon, text, from, to, isName));
  }
}

/** A capital after a small letter. */
function hasHump(text: string, from: number, to: number): boolean {
  let before = OTHER;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (KIND[code] as number) : LOWER;
    if (kind === UPPER && before === LOWER) return true;
    before = kind;
  }
  return false;
}

/** A run that may hold joiners: without those at its ends; at dots in parts, unless it names a file. */
function addJoined(lexicon: Lexicon, text: string, from: number, to: number, plain: boolean): void {
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
    const kind = code < 128 ? (KIND[code] as number) : LOWER;
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
    for (let at = start, i = start; i <= end; i++) {
      if (i < end && text.charCodeAt(i) !== 46) continue;
      if (i > at) addJoined(lexicon, text, at, i, plain);
      at = i + 1;
    }
    return;
  }
  const flag = start - from === 2 && text.charCodeAt(from) === 45 && text.charCodeAt(from + 1) === 45;
  if (flag) start = from;
  const isName = flag || slash || joined || dot >= 0 || humps > 0 || (digits > 0 && letters > 0) || digits >= 4;
  if (slash || dot >= 0) start = withLead(text, from, start);
  if (isName ? end - start >= 4 : plain && letters >= 4 && digits === 0)
    push(lexicon, numberOf(lexicon, text, start, end, isName));
}

/** Where a path begins: `/`, `~/`, `../`, `@` and the dot of a hidden file belong to it, `./` does not. */
function withLead(text: string, from: number, start: number): number {
  if (start - from === 2 && text.charCodeAt(from) === 46 && text.charCodeAt(from + 1) === 47) return start;
  return start - from <= 3 ? from : start - 1;
}

function isEdge(code: number): boolean {
  return code < 128 && KIND[code] === JOINER && code !== 95 && code !== 126;
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

/** As a file's name ends. */
function isExtension(text: string, from: number, to: number): boolean {
  return to - from <= LONGEST_EXTENSION && EXTENSIONS.has(text.slice(from, to).toLowerCase());
}

const LONGEST_EXTENSION = 6;
const EXTENSIONS = new Set(
  "ts tsx mts cts js jsx mjs cjs json jsonl md mdx yml yaml toml py pyi ipynb rs go java kt c h cc cpp hpp cs rb php sh bash sql css scss html vue svelte txt lock cfg ini xml csv tsv log diff patch proto svg png jpg env rst tf gradle swift lua zig ex exs com org io net dev".split(
    " ",
  ),
);

function push(lexicon: Lexicon, id: number): void {
  if (lexicon.found[id] === lexicon.scans) return;
  lexicon.found[id] = lexicon.scans;
  lexicon.scratch[lexicon.scanned++] = id;
}
