/** What automatic compaction has come to lately. A value: every event gives a new one. */
export interface Breaker {
  /** Failures in a row. */
  readonly failures: number;
  /** Nothing automatic before this time, in ms. */
  readonly coolUntil: number;
}

export const CLOSED: Breaker = { failures: 0, coolUntil: 0 };

const LIMIT = 3;
const COOL_MS = 30_000;

/** True when automatic compaction has failed three times in a row and nothing has changed since [T8]. */
export function isOpen({ failures }: Breaker): boolean {
  return failures >= LIMIT;
}

/** The breaker after one more failure. */
export function afterFailure(breaker: Breaker): Breaker {
  return { ...breaker, failures: breaker.failures + 1 };
}

/** The breaker after a rate limit: it waits, and the failure does not count. `retryAfterMs` is the provider's wish. */
export function afterRateLimit(breaker: Breaker, now: number, retryAfterMs = 0): Breaker {
  return { ...breaker, coolUntil: now + Math.max(COOL_MS, retryAfterMs) };
}
