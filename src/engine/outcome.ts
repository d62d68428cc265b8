import type { ContextMessage, ModelRef } from "../core/context/projection.ts";
import type { CompactionMode, CompactionPlan, NothingToCompact } from "../core/plan/plan.ts";
import type { CompactionEntry, Entry } from "../core/session/entry.ts";
import type { Citations } from "../core/verify/citations.ts";
import type { Loss } from "../core/verify/loss.ts";
import type { EspalierError, Warning } from "../errors.ts";

/** What the model sees now [X1]. `tokens` is the estimate of all messages as they will be sent [T1]. */
export interface SessionContext {
  readonly messages: readonly ContextMessage[];
  readonly tokens: number;
  /** Null where the part of the path that was read does not tell; `pathSettings` reads on. */
  readonly model: ModelRef | null;
  readonly thinkingLevel: string | null;
  readonly warnings: readonly Warning[];
}

export interface CompactOptions {
  /** What the summary should pay attention to, in the user's words. */
  readonly focus?: string;
  readonly mode?: CompactionMode;
  readonly signal?: AbortSignal;
}

/** How a compaction ended. Only `failed` is an error; nothing was written unless it is `compacted`. */
export type CompactionOutcome =
  | { readonly status: "compacted"; readonly entry: CompactionEntry; readonly result: CompactionResult }
  | { readonly status: "preview"; readonly entry: CompactionEntry; readonly result: CompactionResult }
  | { readonly status: "skipped"; readonly because: NothingToCompact["because"] }
  | { readonly status: "cancelled"; readonly by: "signal" | "hook" }
  | { readonly status: "failed"; readonly error: EspalierError };

/** What was found and mended in a summary before it is stored [V1, V2, V4]. */
export interface Verification {
  readonly loss: Loss;
  /** Pins that the summary carries, and those of them that its writer had left out. */
  readonly pins: { readonly kept: number; readonly restored: number };
  readonly citations: Citations;
}

/** The facts of a compaction beyond its entry. */
export interface CompactionResult extends Verification {
  readonly plan: CompactionPlan;
  /** The model's context after it. */
  readonly after: readonly ContextMessage[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `usage` entries of the requests that came to nothing, stored right after the compaction [M12]. */
  readonly spent: readonly Entry[];
  readonly warnings: readonly Warning[];
}
