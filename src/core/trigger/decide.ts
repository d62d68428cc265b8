import type { Settings } from "../settings.ts";
import type { Measure } from "./measure.ts";

/** What the settings come to in one window, all in tokens and after the caps of [T3]. */
export interface Limits {
  readonly window: number;
  /** At most a quarter of the window. */
  readonly reserve: number;
  /** At most half of what the reserve or a lower threshold leaves. */
  readonly keepRecent: number;
  /** Compaction is due above it. */
  readonly threshold: number;
  /** A compacted context must land under it: 80 % of the threshold. */
  readonly target: number;
}

/** Why upkeep is due, or why nothing is to be done [T6]. All figures in tokens. */
export type Decision =
  | { readonly kind: "none"; readonly because: NothingDue }
  | { readonly kind: "prune"; readonly saved: number }
  | { readonly kind: "threshold"; readonly tokens: number; readonly threshold: number }
  | { readonly kind: "overflow"; readonly tokens: number; readonly window: number }
  | { readonly kind: "manual" | "tool" | "idle"; readonly tokens: number; readonly threshold: number };

/** `cannot-fit`: what must stay is over the target already, and no edit helps [T8]. */
export type NothingDue =
  | "disabled"
  | "under-threshold"
  | "empty"
  | "undone"
  | "breaker-open"
  | "cooling-down"
  | "cannot-fit"
  | "misconfigured";

/** What asked for the check: `check` is every automatic one. */
export interface Occasion {
  readonly reason?: "check" | "manual" | "tool" | "idle";
  /** An undo holds the threshold back until the context has grown above this [T7]. */
  readonly suspendedTo?: number;
}

const TARGET_SHARE = 0.8;
const EARLY_SHARE = 0.85;

/**
 * The limits that `settings` come to [T3].
 *
 * The threshold is `thresholdTokens` (less than the window), else `thresholdPercent` of the window, else the window
 * without the reserve. Whole tokens, each at least 1.
 */
export function limits(settings: Settings): Limits {
  const window = settings.contextWindow;
  const reserve = Math.max(1, Math.min(settings["compaction.reserveTokens"], Math.floor(window / 4)));
  const tokens = settings["compaction.thresholdTokens"];
  const percent = settings["compaction.thresholdPercent"];
  const threshold = Math.max(
    1,
    tokens !== undefined
      ? Math.min(tokens, window - 1)
      : percent !== undefined
        ? Math.floor((window * percent) / 100)
        : window - reserve,
  );
  const room = Math.min(window - reserve, threshold);
  const keepRecent = Math.max(1, Math.min(settings["compaction.keepRecentTokens"], Math.floor(room / 2)));
  return { window, reserve, keepRecent, threshold, target: Math.floor(threshold * TARGET_SHARE) };
}

/**
 * What is to be done about a context of this size [T6].
 *
 * Strictly above the threshold it is `threshold` [T3]; idle time is used from 85 % of it on. With `compaction.enabled`
 * off nothing happens by itself [T7]. What a user or the model asks for is done whatever the size; whether there is
 * anything to compact is the plan's business [P4].
 */
export function decide(measure: Measure, settings: Settings, occasion: Occasion = {}): Decision {
  const { threshold } = limits(settings);
  const { tokens } = measure;
  const { reason = "check", suspendedTo = 0 } = occasion;
  if (reason === "manual" || reason === "tool") return { kind: reason, tokens, threshold };
  if (!settings["compaction.enabled"]) return { kind: "none", because: "disabled" };
  if (tokens === 0) return { kind: "none", because: "empty" };
  if (tokens <= (reason === "idle" ? threshold * EARLY_SHARE : threshold)) {
    return { kind: "none", because: "under-threshold" };
  }
  if (tokens <= suspendedTo) return { kind: "none", because: "undone" };
  return reason === "idle" ? { kind: "idle", tokens, threshold } : { kind: "threshold", tokens, threshold };
}

/** True in the band below the threshold in which a summary may be prepared ahead [A8]. */
export function isEarly({ tokens }: Measure, settings: Settings): boolean {
  const { threshold } = limits(settings);
  return tokens > threshold * EARLY_SHARE && tokens <= threshold;
}
