import { type CustomEntry, type Entry, LEAF_MARKER } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import type { NewEntry, SessionState } from "./state.ts";

/**
 * What our leaf markers say of themselves; markers of others may say nothing.
 *
 * `fromId` is the leaf that was left, null for the root; a marker without it is no step that `back` could take back.
 * `resumes` is where the search for an older step goes on, when that is not `fromId` or the marker's parent.
 */
export interface LeafMarkerData {
  readonly fromId?: string | null;
  readonly resumes?: string | null;
}

/** The leaf marker that `entry` is, read without trust; null for any other entry. */
export function leafMarkerData(entry: Entry): LeafMarkerData | null {
  if (entry.type !== "custom" || entry.customType !== LEAF_MARKER) return null;
  const data = (entry as CustomEntry).data as Record<string, unknown> | null | undefined;
  const idAt = (key: string) => {
    const id = typeof data === "object" ? data?.[key] : undefined;
    return typeof id === "string" || id === null ? { [key]: id } : {};
  };
  return { ...idAt("fromId"), ...idAt("resumes") };
}

/**
 * Nothing; moves the leaf: stores one marker under `leafId`, then tells `leaf_change` [S8].
 *
 * With `resumes` the move takes a step back, so that the next `back` goes on from there. Run it under
 * `state.exclusively`. Rejects what the store rejects, with the leaf where it was.
 */
export async function moveLeaf(state: SessionState, leafId: string | null, resumes?: string | null): Promise<void> {
  let oldLeafId: string | null = null;
  await state.move(() => {
    oldLeafId = state.leafId;
    return [leafMarker(state, leafId, resumes === undefined ? stepFrom(state) : { resumes })];
  });
  state.events.emit({ type: "leaf_change", oldLeafId, newLeafId: leafId });
}

/** Where the tip is a marker, a step away leaves it beside its path: only the step itself can say that it was there. */
function stepFrom({ leafId, tipId }: SessionState): LeafMarkerData {
  return { fromId: leafId, ...(tipId !== leafId && { resumes: tipId }) };
}

/**
 * The entries made of `items` and stored under `parentId`, wherever that is; the session stays where it stands [A7].
 *
 * Off the path followed a marker that leads back comes behind them, in the same batch [S8].
 */
export async function appendAt(
  state: SessionState,
  parentId: string | null,
  items: readonly (Message | NewEntry)[],
): Promise<readonly Entry[]> {
  return storeAt(state, parentId, (under) => state.make(items, under));
}

/** The entries that `build` makes for a place, stored there as by `appendAt`. */
export async function storeAt(
  state: SessionState,
  parentId: string | null,
  build: (parentId: string | null) => readonly Entry[],
): Promise<readonly Entry[]> {
  let made: readonly Entry[] = [];
  await state.move(() => {
    const { leafId, tipId } = state;
    const follows = parentId === leafId || parentId === tipId;
    made = build(follows ? tipId : parentId);
    return follows || made.length === 0 ? made : [...made, leafMarker(state, leafId, { resumes: tipId })];
  });
  return made;
}

function leafMarker(state: SessionState, parentId: string | null, data: LeafMarkerData): Entry {
  const [entry] = state.make([{ type: "custom", customType: LEAF_MARKER, data }], parentId);
  return entry as Entry;
}
