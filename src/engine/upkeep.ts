import { type Breaker, CLOSED } from "../core/trigger/breaker.ts";
import type { CompactionOutcome } from "./outcome.ts";

/** A compaction that is being prepared in the background [A8]. */
export interface Ahead {
  /** Stores it; rejects or does not say `compacted` when it is not valid any more [K2]. */
  take(): Promise<CompactionOutcome>;
  abort(): void;
}

/** What automatic maintenance remembers between its checks. Lives as long as the session is open. */
export interface Upkeep {
  breaker: Breaker;
  /** The model that the breaker speaks of; another one starts afresh [T8]. */
  model?: string;
  /** The window that was declared, when a smaller one was learned from an overflow and nothing has fitted since [T4]. */
  declared?: number;
  /** A summary that is being prepared in the background [A8]. */
  ahead?: Ahead;
  /** Size of the context when the undo of this marker was made [T7]. */
  undone?: { readonly markerId: string; readonly tokens: number };
}

export function createUpkeep(): Upkeep {
  return { breaker: CLOSED };
}
