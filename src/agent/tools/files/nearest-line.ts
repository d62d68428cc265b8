import { cutHead } from "../../../core/context/text.ts";

const MOST_LINES = 50_000;
const MAX_LINE = 300;

/** A sentence on the line of `text` that comes nearest to where `wanted` ceases to fit, to copy from. */
export function nearestLine(text: string, wanted: string): string {
  const lines = text.split("\n", MOST_LINES);
  const wantedLines = wanted.split("\n");
  const first = wantedLines.findIndex((line) => line.trim() !== "");
  if (first < 0) return "It is white space only; take a line with words into it.";
  let at = closest(lines, wantedLines[first] as string);
  if (at < 0) return "No line of it is like the first one; read the file and copy the text exactly.";
  let offset = first;
  // The first line fits: the fault is where the two part.
  while (lines[at] === wantedLines[offset] && at + 1 < lines.length && offset + 1 < wantedLines.length) {
    at++;
    offset++;
  }
  const found = lines[at] as string;
  const sought = wantedLines[offset] as string;
  const isSpace = found !== sought && found.trim() === sought.trim();
  const why = isSpace ? " (only the white space differs)" : "";
  return `Line ${at + 1} comes nearest to line ${offset + 1} of it${why}: ${JSON.stringify(cutHead(found, MAX_LINE).text)}`;
}

/** The line most like `wanted`: the same but for white space, else the one that shares most words; -1 for none. */
function closest(lines: readonly string[], wanted: string): number {
  const same = lines.indexOf(wanted);
  if (same >= 0) return same;
  const trimmed = wanted.trim();
  const spaced = lines.findIndex((line) => line.trim() === trimmed);
  if (spaced >= 0) return spaced;
  const words = wordsOf(wanted);
  let best = -1;
  let bestScore = 0.3;
  lines.forEach((line, at) => {
    const others = wordsOf(line);
    let shared = 0;
    for (const word of others) if (words.has(word)) shared++;
    const score = (2 * shared) / (words.size + others.size || 1);
    if (score > bestScore) {
      best = at;
      bestScore = score;
    }
  });
  return best;
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, 1_000).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));
}
