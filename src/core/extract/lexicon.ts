/**
 * Every distinct word met, numbered, with its weight: how much the rest of the work may depend on it.
 *
 * Typed arrays indexed by the word's number, so that counting a long session allocates next to nothing.
 */
export interface Lexicon {
  readonly words: string[];
  /** Open addressing: number + 1 of the word in each slot, 0 for none; a power of two long, at most half full. */
  slots: Int32Array;
  /** Two hashes of each word. Words equal in both are taken for one: the texts are not compared again. */
  hashes: Int32Array;
  checks: Int32Array;
  /** The scan that found the word last, so that it is given once. */
  found: Int32Array;
  scans: number;
  /** The words that the newest scan found, so many of them as `scanned` says; read before the next scan. */
  readonly scratch: number[];
  scanned: number;
  weight: Float64Array;
  /** The mark under which the word was last counted, so that a message counts it once. */
  seen: Int32Array;
  /** 1 for names (identifiers, paths, numbers, codes), 0 for plain words. */
  name: Uint8Array;
}

const PRIME = 0x01000193;
const OTHER_PRIME = 0x5bd1e995;

export function newLexicon(): Lexicon {
  return {
    words: [],
    slots: new Int32Array(4096),
    hashes: new Int32Array(1024),
    checks: new Int32Array(1024),
    found: new Int32Array(1024),
    scans: 0,
    scratch: [],
    scanned: 0,
    weight: new Float64Array(1024),
    seen: new Int32Array(1024).fill(-1),
    name: new Uint8Array(1024),
  };
}

/** The number of `word`, given out at its first appearance. */
export function intern(lexicon: Lexicon, word: string, isName: boolean): number {
  return numberOf(lexicon, word, 0, word.length, isName);
}

/** The number of the word between `from` and `to`; plain words are the same in capitals. */
export function numberOf(lexicon: Lexicon, text: string, from: number, to: number, isName: boolean): number {
  let hash = isName ? 0x811c9dc5 : 0x2545f491;
  let check = to - from;
  for (let i = from; i < to; i++) {
    let code = text.charCodeAt(i);
    if (!isName && code >= 65) {
      if (code <= 90) code += 32;
      else if (code >= 128) return numberOfLower(lexicon, text.slice(from, to).toLowerCase());
    }
    hash = Math.imul(hash ^ code, PRIME);
    check = Math.imul(check ^ code, OTHER_PRIME);
  }
  return lookUp(lexicon, text, from, to, hash ^ (hash >>> 15), check, isName);
}

/** The same for a word already in lower case that holds letters beyond ASCII. */
function numberOfLower(lexicon: Lexicon, word: string): number {
  let hash = 0x2545f491;
  let check = word.length;
  for (let i = 0; i < word.length; i++) {
    hash = Math.imul(hash ^ word.charCodeAt(i), PRIME);
    check = Math.imul(check ^ word.charCodeAt(i), OTHER_PRIME);
  }
  return lookUp(lexicon, word, 0, word.length, hash ^ (hash >>> 15), check, false);
}

function lookUp(
  lexicon: Lexicon,
  text: string,
  from: number,
  to: number,
  hash: number,
  check: number,
  isName: boolean,
): number {
  const { slots, hashes, checks } = lexicon;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = (slots[slot] as number) - 1;
    if (id < 0) {
      const word = text.slice(from, to);
      return add(lexicon, slot, hash, check, isName ? word : word.toLowerCase(), isName);
    }
    if (hashes[id] === hash && checks[id] === check) return id;
  }
}

function add(lexicon: Lexicon, slot: number, hash: number, check: number, word: string, isName: boolean): number {
  const id = lexicon.words.length;
  lexicon.words.push(word);
  if (id >= lexicon.weight.length) grow(lexicon);
  lexicon.slots[slot] = id + 1;
  lexicon.hashes[id] = hash;
  lexicon.checks[id] = check;
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
  lexicon.checks = enlarged(new Int32Array(size), lexicon.checks);
  lexicon.found = enlarged(new Int32Array(size), lexicon.found);
  lexicon.name = enlarged(new Uint8Array(size), lexicon.name);
}
