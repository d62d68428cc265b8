import { type CutText, cutHead, cutTail } from "../../core/context/text.ts";
import { count } from "./answer.ts";
import type { Kept } from "./shell/kept-text.ts";

export interface Bounds {
  readonly lines: number;
  readonly bytes: number;
}

/** The head's share; errors stand at the end. */
const HEAD = 0.4;

/**
 * What is shown of a kept text: all of it, or its head and tail, cut at line borders where they are near and else at
 * grapheme borders, with a mark that says how much is missing [X6]. The mark comes on top of the bounds.
 */
export function excerpt({ text, dropped, breaks }: Kept, { lines, bytes }: Bounds): CutText {
  if (dropped === 0 && breaks <= lines && Buffer.byteLength(text) <= bytes) return { text, cut: 0 };
  const head = headOf(text, { lines: Math.floor(lines * HEAD), bytes: Math.floor(bytes * HEAD) });
  const rest = text.slice(head.length);
  const tail = tailOf(rest, { lines: Math.ceil(lines * (1 - HEAD)), bytes: Math.ceil(bytes * (1 - HEAD)) });
  const cut = rest.length - tail.length + dropped;
  const cutBreaks = breaks - breaksIn(head) - breaksIn(tail);
  const what = cutBreaks > 0 ? `${count(cutBreaks, "line")} (${count(cut, "character")})` : count(cut, "character");
  return { text: `${head}${head.endsWith("\n") ? "" : "\n"}[… ${what} cut here; recall finds them …]\n${tail}`, cut };
}

/** The end of a text within bounds, whole lines where they are short enough. */
export function tailOf(text: string, { lines, bytes }: Bounds): string {
  let part = within(text, bytes, cutTail);
  let start = part.length;
  for (let left = lines; left > 0 && start > 0; left--) start = part.lastIndexOf("\n", start - 2) + 1;
  part = part.slice(start);
  const firstBreak = part.indexOf("\n") + 1;
  const isMidLine = part.length < text.length && text[text.length - part.length - 1] !== "\n";
  return isMidLine && firstBreak > 0 && firstBreak < part.length / 2 ? part.slice(firstBreak) : part;
}

function headOf(text: string, { lines, bytes }: Bounds): string {
  let part = within(text, bytes, cutHead);
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const next = part.indexOf("\n", end);
    if (next < 0) return wholeLines(part);
    end = next + 1;
  }
  part = part.slice(0, end);
  return part;
}

function wholeLines(part: string): string {
  const lastBreak = part.lastIndexOf("\n") + 1;
  return lastBreak > part.length / 2 ? part.slice(0, lastBreak) : part;
}

function within(text: string, bytes: number, cut: (text: string, chars: number) => CutText): string {
  let part = cut(text, bytes).text;
  for (let size = Buffer.byteLength(part); size > bytes; size = Buffer.byteLength(part)) {
    part = cut(part, Math.min(part.length - 1, Math.floor((part.length * bytes) / size))).text;
  }
  return part;
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}
