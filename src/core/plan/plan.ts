import type { ContextMessage, ModelRef } from "../context/projection.ts";
import type { CompactionEntry, SummaryDetails } from "../session/entry.ts";
import type { SystemMessage } from "../session/message.ts";

/** Paths read and modified by tool calls, before they are sorted into `SummaryDetails` [F1]. */
export interface FileOps {
  readonly read: ReadonlySet<string>;
  readonly modified: ReadonlySet<string>;
}

export type CompactionMode = "keep-recent" | "retain-none";

/** A user's request, word for word, and the entry it stands in. */
export interface LastRequest {
  readonly entryId: string;
  readonly text: string;
}

/** A tool call that has no result yet. */
export interface OpenCall {
  readonly entryId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * What the parts of the stored text may have, in tokens [M10]. `history`, `prefix` and the file tags share `text`;
 * `restated` [P5] comes on top. With system, kept entries and all of it the context lands under the target [T3].
 */
export interface SummaryBudget {
  readonly text: number;
  readonly history: number;
  readonly prefix: number;
  /** What the lists of files at the end take of `text`. */
  readonly files: number;
  readonly restated: number;
  readonly short: number;
}

/**
 * What a compaction will do, decided before anything is asked or written.
 *
 * The three lists partition the live messages [P2]; `summarizedIds`, `turnPrefixIds` and `keptIds` partition the live
 * entries, metadata included. All oldest first.
 */
export interface CompactionPlan {
  readonly kind: "plan";
  readonly mode: CompactionMode;
  /** The leaf the plan was made at; the plan is stale once it has left the path [K2]. */
  readonly leafId: string;
  /** Null in mode `retain-none`: the new entry's own id is used [P5]. */
  readonly firstKeptEntryId: string | null;
  readonly messagesToSummarize: readonly ContextMessage[];
  readonly turnPrefixMessages: readonly ContextMessage[];
  readonly keptMessages: readonly ContextMessage[];
  readonly summarizedIds: readonly string[];
  readonly turnPrefixIds: readonly string[];
  readonly keptIds: readonly string[];
  readonly isSplitTurn: boolean;
  readonly previous: CompactionEntry | null;
  /** Of everything that leaves the context, the previous summary's own included [F2]. */
  readonly details: Required<Pick<SummaryDetails, "readFiles" | "modifiedFiles">>;
  readonly systemMessage?: SystemMessage;
  /** Restated word for word by the summary, since it is not among the kept messages [P5]. */
  readonly lastRequest?: LastRequest;
  readonly openCalls?: readonly OpenCall[];
  readonly budget: SummaryBudget;
  /** In force at the leaf; null where the path that was read does not tell. Stored with the entry [S10]. */
  readonly model: ModelRef | null;
  readonly thinkingLevel: string | null;
  readonly tokensBefore: number;
  /** Estimated tokens of the parts, for budgets and previews. */
  readonly tokens: {
    /** System message and what else is sent along with every request. */
    readonly system: number;
    readonly previous: number;
    readonly summarized: number;
    readonly turnPrefix: number;
    readonly kept: number;
    readonly restated: number;
  };
}

/** Nothing to do is an outcome [P4]. */
export interface NothingToCompact {
  readonly kind: "nothing";
  readonly because: "already-compacted" | "too-small" | "nothing-before-cut";
}

export type Preparation = CompactionPlan | NothingToCompact;
