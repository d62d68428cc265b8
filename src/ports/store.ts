import type { Entry, SessionHeader } from "../core/session/entry.ts";
import type { Tree } from "../core/session/tree.ts";
import type { Warning } from "../errors.ts";

/** What a store can promise; the conformance suite skips by these facts, with a reason. */
export interface StoreCapabilities {
  /** Entries survive the death of the process. */
  readonly durable: boolean;
  /** A second writer is refused with `SESSION_LOCKED`. */
  readonly locks: boolean;
  /** Stored entries can be replaced, their originals kept: `rewrite` and `originals` are there. */
  readonly rewrite?: boolean;
}

/** One entry as it stands in the store: `line` is its place (1-based; the header is line 1 in a file). */
export interface StoredEntry {
  readonly entry: Entry;
  readonly line: number;
  /** The stored text without its line end, byte for byte. */
  readonly raw: string;
}

/** Where we stand [S8]. `leafId` is the target; `tipId` is what the next entry's `parentId` must be. Both null: at the root. */
export interface LeafPosition {
  readonly leafId: string | null;
  readonly tipId: string | null;
}

/**
 * One session, open. The only view the engine has of where entries are kept.
 *
 * Metadata and bodies are separate: `tree()` scans without parsing bodies, `readPath` and `read` fetch them when asked.
 * After a rejected call the stored session is as it was before [S5].
 * Every store passes the suite in `espalier/testing`.
 */
export interface SessionStore {
  readonly supports: StoreCapabilities;
  /** A path or name that errors and the command line can show. */
  readonly location: string;
  readonly header: SessionHeader;
  readonly readOnly: boolean;
  /** Bad lines and the like, found so far; grows as more of the session is read [S6]. */
  readonly warnings: readonly Warning[];

  position(): LeafPosition;

  /**
   * The path that ends in `fromId`, oldest first, read from the newest entry back until `enough(entry)` says so
   * (that entry is included) or a root is reached. Cost is that of what is read, not of the session [S10].
   * Rejects `ENTRY_NOT_FOUND`. `null` gives an empty path.
   */
  readPath(fromId: string | null, enough?: (entry: Entry) => boolean): Promise<Entry[]>;

  /** Bodies by id, in the order asked for. Rejects `ENTRY_NOT_FOUND`. */
  read(ids: readonly string[]): Promise<Entry[]>;

  /** All entries in stored order, as a stream in bounded memory. `fromLine` and `toLine` are inclusive. */
  entries(range?: { fromLine?: number; toLine?: number }): AsyncIterable<StoredEntry>;

  /** Metadata of the whole session. Built by one scan at the first call, kept current by `append` afterwards. */
  tree(): Promise<Tree>;

  /**
   * Adds entries as one batch: all of them or none. `durable` waits for the disk as the store's setting says [S5].
   * Each `parentId` must be stored, earlier in the batch, or null. The last entry becomes the tip.
   * Rejects `SESSION_READ_ONLY`, `SESSION_CHANGED`, `SESSION_CLOSED`, `ENTRY_INVALID` or `STORE_IO` (with `cause`).
   */
  append(entries: readonly Entry[]): Promise<void>;

  /**
   * Puts entries in the place of the stored ones with their ids, all of them or none; parents must be the same [R2].
   * The originals are safe before anything is replaced. Rejects as `append` does, and `ENTRY_NOT_FOUND`.
   */
  rewrite?(entries: readonly Entry[]): Promise<void>;

  /** What `rewrite` has replaced, oldest first; of an id that was replaced twice the first is the original. */
  originals?(): AsyncIterable<Entry>;

  /** A turn is over: what the setting `fsync: turn` holds back is on the disk when this resolves. */
  endTurn(): Promise<void>;

  close(): Promise<void>;
}
