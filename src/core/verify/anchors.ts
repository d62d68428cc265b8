import { type AnchorKind, anchorKind } from "./anchor-kind.ts";

export interface ScanOptions {
  /** Written by somebody, not by a machine: quoted names and bare numbers count. */
  readonly prose?: boolean;
  /** Gives every word, plain ones too, as `name`. */
  readonly all?: boolean;
  /** Kinds already told; shared between texts it spares looking at the same token twice. */
  readonly memo?: Map<string, AnchorKind | null>;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
/** `_ . / \ : - @ # % + ~ $ *` join names. */
const JOINER = 8;
/** `= ? &` join only inside URLs. */
const QUERY = 16;

const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) CLASS[code] = LOWER;
  else if (/[A-Z]/.test(char)) CLASS[code] = UPPER;
  else if (/\d/.test(char)) CLASS[code] = DIGIT;
  else if ("_./\\:-@#%+~$*".includes(char)) CLASS[code] = JOINER;
  else if ("=?&".includes(char)) CLASS[code] = QUERY;
}

/** `\\n` and the like: in text that was escaped once more they are no part of a name. */
const ESCAPED = new Set(Array.from("nrtbfuxv", (char) => char.charCodeAt(0)));

const LONGEST = 240;
const MOST_TOLD = 100_000;
const LONGEST_QUOTE = 80;
const UNIT_WORDS = new Set(
  "ms s sec secs seconds minutes min hours days weeks months bytes kb mb gb tb kib mib gib px tokens lines files tests rows percent times retries requests users items".split(
    " ",
  ),
);

/**
 * Gives every anchor of `text` to `found`, in order, repeated ones too [V2].
 *
 * One pass over the characters, no backtracking. Plain words cost nothing but their passing; tokens of more than 240
 * characters are data and are passed over.
 */
export function scanAnchors(
  text: string,
  found: (anchor: string, kind: AnchorKind) => void,
  { prose = false, all = false, memo = new Map() }: ScanOptions = {},
): void {
  let start = -1;
  let seen = 0;
  let hump = false;
  let url = false;
  let before = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    let kind = code < 128 ? (CLASS[code] as number) : isLetter(code) ? LOWER : 0;
    if (kind === QUERY && !url) kind = 0;
    if (code === 92 && !joins(at)) kind = 0;
    if (kind !== 0) {
      if (start < 0) {
        start = at;
        seen = 0;
        hump = false;
        url = false;
      } else if (kind === UPPER && before === LOWER) hump = true;
      else if (code === 47 && text.charCodeAt(at - 1) === 47 && text.charCodeAt(at - 2) === 58) url = true;
      seen |= kind;
      before = kind;
      continue;
    }
    if (start >= 0) {
      const plain = seen === LOWER || (seen <= (LOWER | UPPER) && !hump && !isErrorName(text, start, at));
      if (all || !plain) token(start, at, plain);
      start = -1;
    }
    if (code === 92 && kind === 0) at++;
    else if (prose && (code === 96 || code === 34)) quote(at, code);
  }

  /** A backslash joins behind a drive letter and between names; before a letter that it may escape it does not. */
  function joins(at: number): boolean {
    if (start < 0) return false;
    if (text.charCodeAt(start + 1) === 58) return true;
    const next = text.charCodeAt(at + 1);
    return ((CLASS[next] ?? 0) & (LOWER | UPPER)) !== 0 && !ESCAPED.has(next);
  }

  function token(from: number, to: number, plain: boolean): void {
    if (to - from > LONGEST) return;
    const word = text.slice(from, to);
    if (plain) {
      found(word, "name");
      return;
    }
    if (seen === DIGIT) {
      const unit = unitAfter(to);
      if (unit !== "") found(`${word} ${unit}`, "number");
      else if (all || (prose && word.length >= 4 && word.length <= 6)) found(word, "number");
      return;
    }
    for (const piece of piecesOf(word, url)) {
      let kind = memo.get(piece);
      if (kind === undefined) {
        kind = anchorKind(piece);
        if (memo.size < MOST_TOLD) memo.set(piece, kind);
      }
      if (kind) found(piece, kind);
      else if (all) found(piece, "name");
    }
  }

  function unitAfter(at: number): string {
    if (text.charCodeAt(at) !== 32) return "";
    let end = at + 1;
    while (end < text.length && end - at < 10 && ((CLASS[text.charCodeAt(end)] ?? 0) & (LOWER | UPPER)) !== 0) end++;
    const word = text.slice(at + 1, end).toLowerCase();
    return UNIT_WORDS.has(word) ? word : "";
  }

  /** A quote is looked for only a short way, and once per opening mark. */
  function quote(open: number, mark: number): void {
    const end = Math.min(text.length, open + LONGEST_QUOTE + 2);
    for (let at = open + 1; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 10) return;
      if (code !== mark) continue;
      const inner = text.slice(open + 1, at);
      if (inner.length >= 3 && inner.includes(" ") && inner.trim() === inner)
        found(inner, mark === 96 ? "command" : "name");
      return;
    }
  }
}

/** A token without its line number and the punctuation of its sentence; several when colons part it. */
function piecesOf(word: string, url: boolean): string[] {
  if (/^[A-Za-z]:[\\/]/.test(word)) return [bare(word.split(":").slice(0, 2).join(":"))];
  if (url || word.includes("::")) return [bare(word)];
  return word.includes(":") ? word.split(":").map(bare) : [bare(word)];
}

function bare(word: string): string {
  let end = word.length;
  while (end > 0 && ".:-/\\*+#@~$".includes(word[end - 1] as string)) end--;
  let from = 0;
  while (from < end && ":*+#$".includes(word[from] as string)) from++;
  return word.slice(from, end);
}

const isErrorName = (text: string, from: number, to: number) =>
  to - from >= 5 && to - from <= 20 && text.charCodeAt(from) === 69 && isUpper(text, from, to);

function isUpper(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (CLASS[text.charCodeAt(at)] !== UPPER) return false;
  return true;
}

/** Letters of scripts that part words by spaces; the others stand between names like white space. */
const isLetter = (code: number) => code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7;
