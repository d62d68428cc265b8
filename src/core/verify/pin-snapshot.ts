import { isRecord } from "../context/record.ts";
import type { CompactionEntry, Entry } from "../session/entry.ts";
import type { Pin, PinBoard } from "./pins.ts";

/** A board as our compactions store it under `details.espalier.pins` [S10]. */
export interface PinSnapshot extends PinBoard {
  /** The leaf when it was made: labels and markers after it are not in it. */
  readonly at: string;
}

export const EMPTY_BOARD: PinBoard = { pins: [], unpinned: [] };

/** The board that a compaction stored; null for those of other programs. Items of odd shape are left out. */
export function pinSnapshotOf(compaction: CompactionEntry): PinSnapshot | null {
  const own: unknown = compaction.details?.espalier;
  const stored = isRecord(own) ? own.pins : undefined;
  if (!isRecord(stored) || !Array.isArray(stored.pins)) return null;
  const unpinned = Array.isArray(stored.unpinned) ? stored.unpinned : [];
  return {
    at: typeof stored.at === "string" ? stored.at : "",
    pins: stored.pins.filter(isPin),
    unpinned: unpinned.filter((text) => typeof text === "string"),
  };
}

/**
 * Index in `path` of the first entry whose labels and markers the snapshot of `compaction` does not know.
 *
 * What arrived while that compaction was made stands before it and is not in its snapshot.
 */
export function marksFrom(path: readonly Entry[], compaction: CompactionEntry | null, at: string): number {
  if (!compaction) return 0;
  const leaf = path.findLastIndex((entry) => entry.id === at);
  return 1 + (leaf >= 0 ? leaf : path.findLastIndex((entry) => entry.id === compaction.id));
}

function isPin(value: unknown): value is Pin {
  if (!isRecord(value) || typeof value.text !== "string" || typeof value.entryId !== "string") return false;
  return value.by === "label" || value.by === "text" || value.by === "user";
}
