import type { CompactionPlan } from "../core/plan/plan.ts";
import type { BranchSummaryEntry, CompactionEntry, Entry, SummaryDetails } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import type { CompactionReason } from "./events.ts";

/** A compaction that a hook made by itself; checked before it is stored [K4]. */
export interface HookCompaction {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly shortSummary?: string;
  readonly details?: SummaryDetails;
  readonly preserveData?: Record<string, unknown>;
}

/** A branch summary that a hook made by itself. */
export interface HookBranchSummary {
  readonly summary: string;
  readonly details?: SummaryDetails;
}

/** What a navigation is about to do. */
export interface TreePreparation {
  readonly targetId: string | null;
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  readonly commonAncestorId: string | null;
  readonly entriesToSummarize: readonly Entry[];
  readonly userWantsSummary: boolean;
}

/**
 * Every hook: what it is told and what it may answer [H1]. `undefined` and `{}` mean no opinion.
 *
 * Hooks run in the order of their registration. The first `cancel` wins, the first custom result wins, contexts add up.
 */
export interface HookTable {
  session_before_compact: {
    payload: {
      readonly preparation: CompactionPlan;
      /** The live part of the path. */
      readonly branchEntries: readonly Entry[];
      readonly customInstructions?: string;
      readonly reason: CompactionReason;
      readonly willRetry: boolean;
      readonly signal: AbortSignal;
    };
    result: { readonly cancel?: boolean; readonly compaction?: HookCompaction };
  };
  /** Only when no hook gave a compaction. `prompt` replaces the base prompt, `context` lines go into the request. */
  "session.compacting": {
    payload: { readonly sessionId: string; readonly messages: readonly Message[] };
    result: {
      readonly prompt?: string;
      readonly context?: readonly string[];
      readonly preserveData?: Record<string, unknown>;
    };
  };
  session_compact: {
    payload: { readonly compactionEntry: CompactionEntry; readonly fromExtension: boolean };
    result: Record<never, never>;
  };
  session_compact_failed: {
    payload: { readonly reason: CompactionReason; readonly errorMessage?: string; readonly aborted: boolean };
    result: Record<never, never>;
  };
  /** `summary` is used only when a summary was asked for. */
  session_before_tree: {
    payload: { readonly preparation: TreePreparation; readonly signal: AbortSignal };
    result: { readonly cancel?: boolean; readonly summary?: HookBranchSummary };
  };
  session_tree: {
    payload: {
      readonly newLeafId: string | null;
      readonly oldLeafId: string | null;
      readonly summaryEntry?: BranchSummaryEntry;
      readonly fromExtension: boolean;
    };
    result: Record<never, never>;
  };
}

export type HookName = keyof HookTable;
export type HookPayload<N extends HookName> = HookTable[N]["payload"];
export type HookResult<N extends HookName> = HookTable[N]["result"];

/** One hook. It may answer at once or later; `hooks.timeout` bounds the wait. */
export type Hook<N extends HookName> = (
  payload: HookPayload<N>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that returns nothing has no opinion
) => HookResult<N> | undefined | void | Promise<HookResult<N> | undefined | void>;

/** Hooks as given to `openSession`. */
export type Hooks = { readonly [N in HookName]?: Hook<N> | readonly Hook<N>[] };

export interface HookOptions {
  /** If the hook throws or is slow, the operation is cancelled instead of going on without it. */
  readonly gate?: boolean;
}
