export { wellFormed } from "../session/well-formed.ts";

/** A text cut short; `cut` is how many characters (UTF-16 units) are gone. */
export interface CutText {
  readonly text: string;
  readonly cut: number;
}

/** Longest stretch looked at for a border; no real grapheme comes near it. */
const WINDOW = 1024;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first characters of `text`, at most `maxChars`, ending at a grapheme border [X6]. */
export function cutHead(text: string, maxChars: number): CutText {
  if (text.length <= maxChars) return { text, cut: 0 };
  const end = borderAtOrBefore(text, Math.max(0, Math.floor(maxChars)));
  return { text: text.slice(0, end), cut: text.length - end };
}

/** The last characters of `text`, at most `maxChars`, beginning at a grapheme border [X6]. */
export function cutTail(text: string, maxChars: number): CutText {
  if (text.length <= maxChars) return { text, cut: 0 };
  const start = borderAtOrAfter(text, text.length - Math.max(0, Math.floor(maxChars)));
  return { text: text.slice(start), cut: start };
}

/**
 * Head and tail of `text`, together at most `maxChars` characters, with `mark` between them [X6].
 *
 * The mark comes on top of `maxChars` and says how much is gone. A text that fits is returned as it is.
 */
export function elideMiddle(
  text: string,
  maxChars: number,
  mark: (cut: number) => string = (cut) => `\n[… ${cut} characters left out …]\n`,
): CutText {
  if (text.length <= maxChars) return { text, cut: 0 };
  const head = cutHead(text, Math.ceil(maxChars / 2));
  const tail = cutTail(text, Math.floor(maxChars / 2));
  const cut = text.length - head.text.length - tail.text.length;
  return { text: head.text + mark(cut) + tail.text, cut };
}

function borderAtOrBefore(text: string, at: number): number {
  if (isSafe(text, at)) return at;
  const start = safeBefore(text, at);
  let border = start;
  for (const { index } of graphemes.segment(text.slice(start, at + WINDOW))) {
    if (start + index > at) break;
    border = start + index;
  }
  return border;
}

function borderAtOrAfter(text: string, at: number): number {
  if (isSafe(text, at)) return at;
  const start = safeBefore(text, at);
  for (const { index } of graphemes.segment(text.slice(start, at + WINDOW))) {
    if (start + index >= at) return start + index;
  }
  return Math.min(text.length, at + WINDOW);
}

/** Where segmenting may begin: the nearest sure border before `at`. */
function safeBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < WINDOW && !isSafe(text, start)) start--;
  return isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

/** A sure border: an end of the text, after a line, or between two characters that never join. */
function isSafe(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || text.charCodeAt(at - 1) === 0x0a) return true;
  return neverJoins(text.charCodeAt(at - 1)) && neverJoins(text.charCodeAt(at));
}

const neverJoins = (code: number) => code < 0x300 && code !== 0x0d && code !== 0xad && code !== 0xa9 && code !== 0xae;
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
