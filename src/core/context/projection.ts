import type { Warning } from "../../errors.ts";
import type { CompactionEntry, Entry } from "../session/entry.ts";
import type { Message, SystemMessage } from "../session/message.ts";

/**
 * One message of the model's context and the entry it comes from.
 *
 * `synthetic` marks what no entry says: a result for a call that has none (its `entryId` is that of the call), or the
 * note in front of a context that begins with an assistant (its `entryId` is the assistant's) [X5].
 */
export interface ContextMessage {
  readonly entryId: string;
  readonly message: Message;
  readonly edited?: boolean;
  readonly synthetic?: boolean;
}

/** Provider and model id, as in `anthropic` and `claude-sonnet-4-5`. */
export interface ModelRef {
  readonly provider: string;
  readonly modelId: string;
}

/** An entry of the live span that gives the model nothing, and why. */
export interface Dropped {
  readonly entryId: string;
  readonly why:
    | "omitted-by-edit"
    | "failed-attempt"
    | "aborted-attempt"
    | "empty"
    | "orphan-result"
    | "duplicate-result"
    | "excluded"
    | "superseded-system"
    | "superseded-compaction"
    | "undone-compaction"
    | "unknown-role";
}

/** What `projectContext` decides: the only judgement of what is live [X1]. */
export interface Projection {
  /** Oldest first, system message leading if there is one, acceptable to a provider once rendered [X5]. */
  readonly messages: readonly ContextMessage[];
  /** The live span: every entry from the first kept one on, without the ruling compaction itself. Metadata included. */
  readonly live: readonly Entry[];
  /** The newest compaction on the path that is not undone [X2, V3]. */
  readonly compaction: CompactionEntry | null;
  readonly dropped: readonly Dropped[];
  /** All edits in force: target id to the id of the edit entry. */
  readonly edits: ReadonlyMap<string, string>;
  readonly systemMessage?: SystemMessage;
  /** From the whole path; null where the given entries do not tell. */
  readonly model: ModelRef | null;
  readonly thinkingLevel: string | null;
  readonly warnings: readonly Warning[];
}
