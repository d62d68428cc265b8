import { count } from "../answer.ts";
import { nearestLine } from "./nearest-line.ts";

/** One exact replacement. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  readonly number: number;
}

/**
 * `text` with all replacements made; each `oldText` is looked for in the original, where it must stand exactly once.
 *
 * `\r\n` and `\n` count as the same; new lines get the ending that most lines of the text have, all else stays byte for
 * byte. Throws, and names the edit, where an oldText is empty, missing, not unique, unchanged, or overlaps another.
 */
export function replaceAll(text: string, edits: readonly Replacement[]): string {
  const { plain, returns } = withoutReturns(text);
  const eol = returns.length * 2 > plain.split("\n").length - 1 ? "\r\n" : "\n";
  const spans = edits.map((edit, index) => spanOf(plain, edit, index + 1, edits.length));
  spans.sort((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  let previous: Span | undefined;
  for (const span of spans) {
    if (previous && span.start < previous.end) {
      throw new Error(`Edits ${previous.number} and ${span.number} overlap; make one edit of them.`);
    }
    const from = span.start + countBelow(returns, span.start);
    result += text.slice(at, from) + span.newText.replaceAll("\n", eol);
    at = span.end + countBelow(returns, span.end);
    previous = span;
  }
  return result + text.slice(at);
}

function spanOf(plain: string, edit: Replacement, number: number, of: number): Span {
  const name = of === 1 ? "oldText" : `oldText of edit ${number}`;
  const oldText = edit.oldText.replaceAll("\r\n", "\n");
  const newText = edit.newText.replaceAll("\r\n", "\n");
  if (oldText === "") throw new Error(`The ${name} is empty; give the text to be replaced, or use write.`);
  if (oldText === newText) throw new Error(`The ${name} and its newText are the same; nothing would change.`);
  const start = plain.indexOf(oldText);
  if (start < 0) throw new Error(`The ${name} is not in the file. ${nearestLine(plain, oldText)}`);
  if (plain.indexOf(oldText, start + 1) >= 0) {
    const times = Math.max(2, plain.split(oldText).length - 1);
    throw new Error(`The ${name} stands ${count(times, "time")} in the file; add lines around it to make it unique.`);
  }
  return { start, end: start + oldText.length, newText, number };
}

/** The text with `\n` for `\r\n`, and where in it a `\r` was taken out, in order. */
function withoutReturns(text: string): { plain: string; returns: number[] } {
  const returns: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) returns.push(at - returns.length);
  return { plain: returns.length > 0 ? text.replaceAll("\r\n", "\n") : text, returns };
}

/** How many of the sorted `numbers` are below `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
