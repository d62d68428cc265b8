import type { Place } from "./span.ts";

/** Where the kept side begins: indexes into the places given. */
export interface CutPoint {
  /** First kept place; metadata in front of the cut is on this side already [C4]. */
  readonly firstKept: number;
  /** First place of the split turn; equal to `firstKept` when no turn is split [C5]. */
  readonly turnStart: number;
}

/**
 * The cut that keeps about `keepTokens` of the newest places, or null when they hold less than that [C1-C5].
 *
 * The walk goes back until the budget is reached at a place, then takes the first cut point from there on, and without
 * one the nearest before. No cut point at all: everything is kept, `firstKept` 0. Cost is that of the walk.
 */
export function findCutPoint(places: readonly Place[], keepTokens: number): CutPoint | null {
  const reached = reach(places, keepTokens);
  if (reached < 0) return null;
  const cut = nearestCut(places, reached);
  let firstKept = cut;
  while (firstKept > 0 && places[firstKept - 1]?.metadata) firstKept--;
  if (cut === 0 || places[cut]?.startsTurn) return { firstKept, turnStart: firstKept };
  for (let place = firstKept - 1; place >= 0; place--) {
    if (places[place]?.startsTurn) return { firstKept, turnStart: place };
  }
  return { firstKept, turnStart: firstKept };
}

function reach(places: readonly Place[], keepTokens: number): number {
  let sum = 0;
  for (let place = places.length - 1; place >= 0; place--) {
    sum += places[place]?.tokens ?? 0;
    if (sum > 0 && sum >= keepTokens) return place;
  }
  return -1;
}

function nearestCut(places: readonly Place[], reached: number): number {
  for (let place = reached; place < places.length; place++) {
    if (places[place]?.cuttable) return place;
  }
  for (let place = reached - 1; place >= 0; place--) {
    if (places[place]?.cuttable) return place;
  }
  return 0;
}
