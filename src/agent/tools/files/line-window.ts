import { cutHead } from "../../../core/context/text.ts";

export interface LineWindowOptions {
  /** First line, from 1. */
  readonly from: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Characters of a line. */
  readonly maxLine: number;
}

/** What a window holds once the text has passed. */
export interface Lines {
  readonly lines: readonly string[];
  /** Lines seen in all. */
  readonly seen: number;
}

/** Behind the cut of a long line, so that a grapheme there is whole. */
const MARGIN = 1_100;

/**
 * A window over text that passes in chunks: `push` takes a chunk, `isFull` says that the rest is only counted, `end`
 * gives the lines. Holds what it shows and nothing else, however long text or lines are. Line ends, `\r\n` too, are gone.
 */
export function createLineWindow({ from, maxLines, maxBytes, maxLine }: LineWindowOptions) {
  const lines: string[] = [];
  let bytes = 0;
  let number = 1;
  let isFull = false;
  let line = "";
  let length = 0;

  const take = () => {
    if (number < from || isFull) return;
    const shown = shorten(line.endsWith("\r") ? line.slice(0, -1) : line, length, maxLine);
    const size = Buffer.byteLength(shown) + 1;
    if (lines.length > 0 && bytes + size > maxBytes) {
      isFull = true;
      return;
    }
    lines.push(shown);
    bytes += size;
    isFull = lines.length >= maxLines;
  };
  const add = (text: string, start: number, end: number) => {
    const room = maxLine + MARGIN - line.length;
    if (room > 0 && number >= from && !isFull) line += text.slice(start, Math.min(end, start + room));
    length += end - start;
  };

  return {
    get isFull() {
      return isFull;
    },
    push(text: string) {
      let start = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
        add(text, start, at);
        take();
        number++;
        line = "";
        length = 0;
        start = at + 1;
      }
      add(text, start, text.length);
    },
    end(): Lines {
      if (length > 0) take();
      return { lines, seen: length > 0 ? number : number - 1 };
    },
  };
}

function shorten(line: string, length: number, maxLine: number): string {
  if (length <= maxLine) return line;
  const { text } = cutHead(line, maxLine);
  return `${text}[… ${(length - text.length).toLocaleString("en-US")} characters of this line cut]`;
}
