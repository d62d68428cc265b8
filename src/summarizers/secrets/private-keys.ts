import type { FoundSecret } from "./secret.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** No key is longer. */
const LONGEST = 16_384;
/** What the inside of a key consists of, line ends and their escapes included. */
const INSIDE = /[A-Za-z0-9+/=\s\\:,-]/;

/** The blocks of private keys in `text`, also those of which a cut has left only the beginning or the end. */
export function privateKeys(text: string): FoundSecret[] {
  const ends = [...text.matchAll(END)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  const found: FoundSecret[] = [];
  let next = 0;
  let covered = 0;
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < covered) continue;
    for (; (ends[next]?.from ?? Number.POSITIVE_INFINITY) < begin.index; next++) {
      add(insideBefore(text, ends[next]?.from ?? 0, covered), ends[next]?.to ?? 0);
    }
    const end = ends[next];
    const whole = end !== undefined && end.from - begin.index <= LONGEST;
    add(begin.index, whole ? end.to : insideAfter(text, begin.index + begin[0].length));
    if (whole) next++;
  }
  for (; next < ends.length; next++) add(insideBefore(text, ends[next]?.from ?? 0, covered), ends[next]?.to ?? 0);
  return found;

  function add(start: number, end: number): void {
    if (end <= start || start < covered) return;
    found.push({ start, end, kind: "private-key" });
    covered = end;
  }
}

function insideAfter(text: string, from: number): number {
  let at = from;
  const limit = Math.min(text.length, from + LONGEST);
  while (at < limit && INSIDE.test(text[at] ?? "") && !text.startsWith("\n\n", at)) at++;
  return at;
}

function insideBefore(text: string, from: number, floor: number): number {
  let at = from;
  const limit = Math.max(floor, from - LONGEST);
  while (at > limit && INSIDE.test(text[at - 1] ?? "") && !text.startsWith("\n\n", at - 1)) at--;
  return at;
}
