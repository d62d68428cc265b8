const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]|.\ufe0f)/u;
const EMPTY = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let segmenter: Intl.Segmenter | undefined;

function* graphemes(line: string): Generator<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(line)) yield segment;
}

const cells = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : EMPTY.test(grapheme) ? 0 : 1);

/** Columns that `line` takes on a terminal: wide characters take two, combining ones none. One line, no escapes. */
export function width(line: string): number {
  if (ASCII.test(line)) return line.length;
  let columns = 0;
  for (const grapheme of graphemes(line)) columns += cells(grapheme);
  return columns;
}

/** `line` in at most `columns` columns, its end replaced by `…` if it was longer; never splits a grapheme. */
export function clip(line: string, columns: number): string {
  if (columns <= 0) return "";
  if (ASCII.test(line)) return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
  let used = 0;
  let short = "";
  let out = "";
  for (const grapheme of graphemes(line)) {
    used += cells(grapheme);
    if (used > columns) return `${short}…`;
    out += grapheme;
    if (used < columns) short = out;
  }
  return out;
}

/** `line` filled with spaces to `columns`, on the right, or on the left for numbers. */
export function pad(line: string, columns: number, side: "left" | "right" = "right"): string {
  const space = " ".repeat(Math.max(0, columns - width(line)));
  return side === "right" ? line + space : space + line;
}

/** `text` broken at spaces into lines of at most `columns`; a word that is longer is broken between graphemes. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const indent = /^\s*(?:[-*]\s+|\d+\.\s+)?/.exec(line)?.[0] ?? "";
    const hang = " ".repeat(Math.min(width(indent), Math.floor(columns / 2)));
    let current = "";
    let used = 0;
    for (const word of line.split(/(?<=\s)/)) {
      const needed = width(word.trimEnd());
      if (used > 0 && used + needed > columns) {
        lines.push(current.trimEnd());
        current = hang;
        used = hang.length;
      }
      if (used + needed <= columns) {
        current += word;
        used += width(word);
        continue;
      }
      for (const grapheme of graphemes(word)) {
        if (used + cells(grapheme) > columns) {
          lines.push(current);
          current = hang;
          used = hang.length;
        }
        current += grapheme;
        used += cells(grapheme);
      }
    }
    lines.push(current.trimEnd());
  }
  return lines;
}
