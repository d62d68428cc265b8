import type { Clock } from "../ports/clock.ts";

/**
 * A clock for tests: starts at 2026-01-01 UTC, each look at it is one second later, ids count up from `seed`.
 *
 * Two clocks with one seed give the same times and ids.
 */
export function fixedClock(seed = 0): Clock {
  let time = Date.UTC(2026, 0, 1);
  let id = seed;
  return {
    now() {
      time += 1000;
      return time;
    },
    newId: () => (++id >>> 0).toString(16).padStart(8, "0"),
  };
}
