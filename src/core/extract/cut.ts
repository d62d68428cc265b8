import { cutHead } from "../context/text.ts";

/** How far back a border is looked for; a longer unbroken run is left out whole. */
const REACH = 400;

/** The text on one line: runs of white space become one space, both ends trimmed. */
export function oneLine(text: string): string {
  const bare = text.trim();
  return /[^\S ]| {2}/.test(bare) ? bare.replace(/\s+/g, " ") : bare;
}

/**
 * The beginning of `text` in at most `max` UTF-16 units, an ellipsis and the number of characters left out.
 *
 * Cut between words, in scripts without spaces between graphemes: never inside an identifier, a path or an emoji, so no
 * broken name results [M9, X6]. A text that fits comes back as it is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = border(text, Math.max(0, max - 24));
  const left = (text.length - end).toLocaleString("en-US");
  return `${text.slice(0, end).trimEnd()}${end > 0 ? " " : ""}… (+${left} characters)`;
}

/** The largest cut position at or below `at` that breaks no word and no grapheme; 0 when there is none in reach. */
export function border(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const from = Math.max(0, at - REACH);
  for (let i = at; i > from; i--) {
    const before = text.charCodeAt(i - 1);
    const after = text.charCodeAt(i);
    if (before <= 32 || after <= 32) return i;
    if (isWide(before) || isWide(after)) return cutHead(text, i).text.length;
  }
  return 0;
}

/** Without spaces between words: kana, Han, hangul and their punctuation, Thai to Khmer. */
export function isWide(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef) ||
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0x1780 && code <= 0x17ff)
  );
}
