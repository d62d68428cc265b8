import type { Explanation } from "../core/context/explain.ts";
import type { ModelRef } from "../core/context/projection.ts";
import type { Entry, SessionHeader } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import type { Tree } from "../core/session/tree.ts";
import type { Settings } from "../core/settings.ts";
import type { Warning } from "../errors.ts";
import type { SessionStore } from "../ports/store.ts";
import type { CompactionOutcome, CompactOptions, SessionContext } from "./outcome.ts";

/** An entry to append: id, parent and time are filled in by the session. */
export type NewEntry = Entry extends infer E
  ? E extends Entry
    ? Omit<E, "id" | "parentId" | "timestamp">
    : never
  : never;

/** An open session: the library's front door. */
export interface Session {
  readonly location: string;
  readonly header: SessionHeader;
  readonly readOnly: boolean;
  readonly settings: Settings;
  /** The entry we stand on; null at the root. */
  readonly leafId: string | null;
  readonly warnings: readonly Warning[];
  readonly store: SessionStore;

  context(): Promise<SessionContext>;
  /** Model and thinking level from the whole path, however far back [X3]. */
  pathSettings(): Promise<{ model: ModelRef | null; thinkingLevel: string }>;
  /** Stores one message or entry, or several as one batch; gives the stored entries. */
  append(...items: (Message | NewEntry)[]): Promise<Entry[]>;
  compact(options?: CompactOptions): Promise<CompactionOutcome>;
  /** The same compaction, made and shown but not stored [V5]. */
  previewCompaction(options?: CompactOptions): Promise<CompactionOutcome>;
  explain(): Promise<Explanation>;
  tree(): Promise<Tree>;
  close(): Promise<void>;
}
