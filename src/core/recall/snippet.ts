import { type CutText, cutHead, cutTail } from "../context/text.ts";
import type { RecallQuery } from "./query.ts";

const MOST_HITS = 5_000;
/** How much of a snippet comes before its first hit. */
const LEAD = 0.2;

/**
 * The part of `text` where most of what was asked for stands together, at most `maxChars` long, at grapheme borders [R9].
 *
 * `cut` says how many characters are left out around it. A text that fits is given whole.
 */
export function snippet(text: string, query: RecallQuery, maxChars: number): CutText {
  if (text.length <= maxChars) return { text, cut: 0 };
  const start = Math.max(0, bestStart(hitsIn(text, query), maxChars) - Math.floor(maxChars * LEAD));
  const tail = cutTail(text, text.length - start).text;
  const shown = cutHead(tail, maxChars).text;
  const before = tail.length < text.length ? "… " : "";
  const after = shown.length < tail.length ? " …" : "";
  return { text: `${before}${shown}${after}`, cut: text.length - shown.length };
}

/** The first `maxChars` characters; `cut` is the number of those left out. */
export const opening = (text: string, maxChars: number): CutText => cutHead(text, maxChars);

interface Hit {
  readonly at: number;
  readonly term: string;
}

function hitsIn(text: string, { words, pieces, phrases }: RecallQuery): Hit[] {
  const sources = [...words, ...pieces, ...phrases].map((term) => term.split(" ").map(escaped).join("\\s+"));
  if (sources.length === 0) return [];
  // The longest first: at one place a whole path says more than its first part.
  const pattern = new RegExp(sources.sort((a, b) => b.length - a.length).join("|"), "giu");
  const hits: Hit[] = [];
  for (const match of text.matchAll(pattern)) {
    hits.push({ at: match.index, term: match[0].toLowerCase() });
    if (hits.length >= MOST_HITS) break;
  }
  return hits;
}

/** Where the window with the most different terms begins, then with the most hits, then the earliest. */
function bestStart(hits: readonly Hit[], maxChars: number): number {
  const room = maxChars * (1 - LEAD);
  const inside = new Map<string, number>();
  let best = hits[0]?.at ?? 0;
  let most = 0;
  let end = 0;
  for (const [begin, { at, term }] of hits.entries()) {
    for (; end < hits.length && (hits[end] as Hit).at < at + room; end++) {
      const entering = (hits[end] as Hit).term;
      inside.set(entering, (inside.get(entering) ?? 0) + 1);
    }
    const worth = inside.size * MOST_HITS + (end - begin);
    if (worth > most) {
      most = worth;
      best = at;
    }
    const left = (inside.get(term) ?? 1) - 1;
    if (left === 0) inside.delete(term);
    else inside.set(term, left);
  }
  return best;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
