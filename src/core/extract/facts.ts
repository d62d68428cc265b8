import type { Lexicon } from "./lexicon.ts";
import type { Candidate } from "./work.ts";

/** What a word still gives after each line that already holds it. */
const AGAIN = 0.55;
/** Tokens that a line costs beyond its text: the list mark and the entry's id. */
const OVERHEAD = 9;

/** How often each word is already told, by number. */
export type Told = Map<number, number>;

/**
 * The candidates in the order in which they give most for their size: rare and recent words not told yet [M9].
 *
 * Lazy greedy: a word counts less each time it is told, so a line's worth only falls and is computed again only when
 * the line comes up. `told` is updated as lines are given out; stop asking when the budget is spent. Lines that are
 * equal are given once. Ties go to the newer line.
 */
export function* pick(candidates: readonly Candidate[], lexicon: Lexicon, told: Told): Generator<Candidate> {
  const heap: { readonly of: Candidate; readonly order: number; worth: number }[] = [];
  const seen = new Set<string>();
  for (let order = candidates.length - 1; order >= 0; order--) {
    const of = candidates[order] as Candidate;
    const key = of.path ? `${of.path}\n${of.text}` : of.text;
    if (seen.has(key)) continue;
    seen.add(key);
    heap.push({ of, order, worth: worthOf(of, lexicon, told) });
  }
  const before = (a: number, b: number): boolean => {
    const left = heap[a] as (typeof heap)[0];
    const right = heap[b] as (typeof heap)[0];
    return left.worth > right.worth || (left.worth === right.worth && left.order > right.order);
  };
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i, before);
  while (heap.length > 0) {
    const top = heap[0] as (typeof heap)[0];
    const worth = worthOf(top.of, lexicon, told);
    if (worth < top.worth * 0.999) {
      top.worth = worth;
      sink(heap, 0, before);
      continue;
    }
    if (worth <= 0) return;
    yield top.of;
    tell(told, top.of.words);
    const last = heap.pop() as (typeof heap)[0];
    if (heap.length > 0) {
      heap[0] = last;
      sink(heap, 0, before);
    }
  }
}

/** Counts words as told once more. */
export function tell(told: Told, words: readonly number[]): void {
  for (const word of words) told.set(word, (told.get(word) ?? 0) + 1);
}

/** The better half of the candidates by their worth so far, in their order. */
export function betterHalf(candidates: readonly Candidate[], lexicon: Lexicon): Candidate[] {
  const worth = new Float64Array(candidates.length);
  for (let i = 0; i < worth.length; i++) worth[i] = worthOf(candidates[i] as Candidate, lexicon, NOTHING);
  const middle = Float64Array.from(worth).sort()[worth.length >> 1] as number;
  return candidates.filter((_, i) => (worth[i] as number) > middle);
}

const NOTHING: Told = new Map();

function worthOf(candidate: Candidate, lexicon: Lexicon, told: Told): number {
  let sum = 0;
  for (const word of candidate.words) {
    const times = told.size > 0 ? told.get(word) : undefined;
    const weight = lexicon.weight[word] as number;
    sum += times === undefined ? weight : weight * AGAIN ** times;
  }
  return (sum * candidate.factor) / (candidate.text.length / 3.8 + OVERHEAD);
}

function sink<T>(heap: T[], from: number, before: (a: number, b: number) => boolean): void {
  let at = from;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    let best = at;
    if (left < heap.length && before(left, best)) best = left;
    if (right < heap.length && before(right, best)) best = right;
    if (best === at) return;
    [heap[at], heap[best]] = [heap[best] as T, heap[at] as T];
    at = best;
  }
}
