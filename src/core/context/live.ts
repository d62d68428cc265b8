import { type CompactionEntry, type Entry, REDO_MARKER, UNDO_MARKER } from "../session/entry.ts";

/** Where the live span begins, told by what a scan has been fed. */
export interface LiveSpan {
  /** The newest compaction that is not undone. */
  readonly compaction: CompactionEntry | null;
  /** How many of the newest entries of the path make up the span, the ruling compaction included. */
  readonly length: number;
  /** Ids of compactions whose newest marker is an undo. */
  readonly undone: ReadonlySet<string>;
  /** True when the compaction's `firstKeptEntryId` was not met; the span then begins after the compaction before it. */
  readonly dangling: boolean;
}

/** A scan over one path, from the newest entry back. */
export interface LiveScan {
  /**
   * True once `entry` and those fed before it hold the whole live span; stop then.
   *
   * O(1). Feed each entry of the path once, newest first. After true the result does not change any more.
   */
  enough(entry: Entry): boolean;
  /** The span, given that what was fed reaches the root or `enough` has said so. */
  span(): LiveSpan;
}

/**
 * A scan that finds the live span: the one judge of which entries of a path are live [X1, X2].
 *
 * The newest compaction that is not undone rules [V3]: of the `espalier.undo` and `espalier.redo` markers that name a
 * compaction the newest counts. The span begins at its `firstKeptEntryId`, or at the compaction when that is its own
 * id. Fits `SessionStore.readPath(from, scan.enough)`.
 */
export function createLiveScan(): LiveScan {
  const marked = new Set<string>();
  const undone = new Set<string>();
  let fed = 0;
  let compaction: CompactionEntry | null = null;
  let found = false;
  let sincePrevious: number | null = null;

  function mark(entry: Entry & { type: "custom" }): void {
    if (entry.customType !== UNDO_MARKER && entry.customType !== REDO_MARKER) return;
    const id = (entry.data as { compactionId?: unknown } | null | undefined)?.compactionId;
    if (typeof id !== "string" || marked.has(id)) return;
    marked.add(id);
    if (entry.customType === UNDO_MARKER) undone.add(id);
  }

  return {
    enough(entry) {
      if (found) return true;
      if (entry.type === "custom") mark(entry);
      const rules = entry.type === "compaction" && !undone.has(entry.id);
      if (rules && compaction !== null) sincePrevious ??= fed;
      if (rules) compaction ??= entry;
      fed++;
      found = compaction !== null && entry.id === compaction.firstKeptEntryId;
      return found;
    },
    span() {
      const dangling = compaction !== null && !found;
      return { compaction, length: dangling ? (sincePrevious ?? fed) : fed, undone, dangling };
    },
  };
}

/** The live span of a whole path, oldest entry first, or of a suffix that a scan found to be enough. */
export function liveSpanOf(path: readonly Entry[]): LiveSpan {
  const scan = createLiveScan();
  for (let at = path.length - 1; at >= 0; at--) if (scan.enough(path[at] as Entry)) break;
  return scan.span();
}
