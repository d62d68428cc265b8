import type { BranchSummaryEntry, CompactionEntry } from "../core/session/entry.ts";
import type { SummaryKind } from "../core/summary/request.ts";
import type { Warning } from "../errors.ts";
import type { SummaryProgress } from "./summarizer.ts";

/** What asked for a compaction [T6]. They differ in data, never in code. */
export type CompactionReason = "manual" | "threshold" | "overflow" | "tool" | "idle";

/** How a compaction ended. */
export interface CompactionEnd {
  readonly type: "compaction_end";
  readonly reason: CompactionReason;
  readonly willRetry: boolean;
  readonly aborted: boolean;
  /** The stored entry; absent unless something was stored. */
  readonly result?: CompactionEntry;
  /** Why nothing was to be done [P4]. */
  readonly skipped?: string;
  readonly errorMessage?: string;
}

/** What a listener hears [H3]. Every start has exactly one end [I6]. */
export type SessionEvent =
  | { readonly type: "compaction_start"; readonly reason: CompactionReason; readonly willRetry: boolean }
  | {
      readonly type: "compaction_progress";
      readonly reason: CompactionReason;
      readonly part: SummaryKind;
      /** What the summariser of this part does; absent when the part begins [M12]. */
      readonly progress?: SummaryProgress;
    }
  | CompactionEnd
  | {
      readonly type: "prune";
      readonly reason: CompactionReason;
      /** Entries of the tool outputs that a placeholder replaces now, and the tokens that this saves. */
      readonly entryIds: readonly string[];
      readonly saved: number;
    }
  /** `fromId` is the leaf of the branch, `targetId` the entry at which its summary will stand; null is the root. */
  | { readonly type: "branch_summary_start"; readonly fromId: string | null; readonly targetId: string | null }
  | {
      readonly type: "branch_summary_end";
      readonly aborted: boolean;
      /** The stored entry; absent unless something was stored. */
      readonly result?: BranchSummaryEntry;
      readonly errorMessage?: string;
    }
  /** Beside the events of every compaction that nobody asked for by hand. */
  | { readonly type: "auto_compaction_start"; readonly reason: CompactionReason; readonly willRetry: boolean }
  | ({ readonly type: "auto_compaction_end" } & Omit<CompactionEnd, "type">)
  | { readonly type: "leaf_change"; readonly oldLeafId: string | null; readonly newLeafId: string | null }
  | { readonly type: "warning"; readonly warning: Warning };

export type SessionEventType = SessionEvent["type"];

/** The event of one type. */
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;
