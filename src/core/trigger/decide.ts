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

/** Why a compaction is due, or why nothing is to be done [T6]. */
export type Decision =
  | { readonly kind: "none"; readonly because: "disabled" | "under-threshold" | "empty" }
  | { readonly kind: "threshold"; readonly tokens: number; readonly threshold: number }
  | { readonly kind: "manual"; readonly tokens: number; readonly threshold: number };

/** What asked for the check: `check` is every automatic one. */
export interface Occasion {
  readonly reason?: "check" | "manual";
}

const TARGET_SHARE = 0.8;

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
 * Strictly above the threshold it is `threshold` [T3]; with `compaction.enabled` off nothing happens by itself [T7].
 * A manual request is `manual` whatever the size; whether there is anything to compact is the plan's business [P4].
 */
export function decide(measure: Measure, settings: Settings, occasion: Occasion = {}): Decision {
  const { threshold } = limits(settings);
  const { tokens } = measure;
  if (occasion.reason === "manual") return { kind: "manual", tokens, threshold };
  if (!settings["compaction.enabled"]) return { kind: "none", because: "disabled" };
  if (tokens === 0) return { kind: "none", because: "empty" };
  return tokens > threshold ? { kind: "threshold", tokens, threshold } : { kind: "none", because: "under-threshold" };
}
