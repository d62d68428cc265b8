import { type CustomEntry, type Entry, LEAF_MARKER, REDO_MARKER, UNDO_MARKER } from "../session/entry.ts";

/** An undo that can be redone: the compaction it took back, and the marker that did. */
export interface Undone {
  readonly compactionId: string;
  readonly marker: CustomEntry;
  /** The leaf moved in front of the compaction, which is on another branch now. */
  readonly byLeaf: boolean;
}

/** What the leaf marker of an undo or redo says: the compaction that is left or entered again [V3]. */
export interface UndoLeafData {
  readonly undone?: string;
  readonly redone?: string;
}

/**
 * The undo on `path` that was made last and is not redone, or null [V3].
 *
 * Those before `rulingId`, the compaction in force, don't count any more. `path` ends in the tip and reaches back to
 * the ruling compaction, or to the root.
 */
export function lastUndone(path: readonly Entry[], rulingId: string | null): Undone | null {
  const redone = new Set<string>();
  let ids: Set<string> | undefined;
  const isOnPath = (id: string) => {
    ids ??= new Set(path.map((entry) => entry.id));
    return ids.has(id);
  };
  for (let at = path.length - 1; at >= 0; at--) {
    const entry = path[at] as Entry;
    if (entry.id === rulingId) return null;
    if (entry.type !== "custom") continue;
    const id = stringAt(entry.data, entry.customType === LEAF_MARKER ? "undone" : "compactionId");
    if (id === "" || redone.has(id)) continue;
    if (entry.customType === REDO_MARKER) redone.add(id);
    const isUndo = entry.customType === UNDO_MARKER && isOnPath(id);
    if (isUndo || entry.customType === LEAF_MARKER) {
      return { compactionId: id, marker: entry, byLeaf: entry.customType === LEAF_MARKER };
    }
  }
  return null;
}

/** True for entries that give the model nothing and change nothing that it has: all may follow a compaction [V3]. */
export function isMetadata(entry: Entry): boolean {
  return !CONTENT.has(entry.type);
}

const CONTENT: ReadonlySet<string> = new Set([
  "message",
  "custom_message",
  "branch_summary",
  "compaction",
  "context_edit",
]);

function stringAt(data: unknown, key: string): string {
  const value = (data as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === "string" ? value : "";
}
