import { estimateContext } from "../core/context/tokens.ts";
import { type CompactionEntry, type Entry, LEAF_MARKER, REDO_MARKER, UNDO_MARKER } from "../core/session/entry.ts";
import { PIN_LABEL, PIN_MARKER, UNPIN_MARKER } from "../core/verify/pins.ts";
import { isMetadata, lastUndone, type UndoLeafData, type Undone } from "../core/verify/undone.ts";
import { EspalierError } from "../errors.ts";
import type { NewEntry, SessionState } from "./state.ts";

/** The context before and after, in tokens: what was sent changes, so the next request pays for it anew [X7]. */
interface Cost {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** `leaf`: the leaf moved in front of the compaction; `marker`: a marker says that it does not count. */
export type UndoOutcome =
  | ({ readonly status: "undone"; readonly compactionId: string; readonly how: "leaf" | "marker" } & Cost)
  | { readonly status: "nothing"; readonly because: "no-compaction" };

/** `again`: the session went on since the leaf had moved, so the compaction stands there once more, as `entryId`. */
export type RedoOutcome =
  | ({
      readonly status: "redone";
      readonly compactionId: string;
      readonly how: "leaf" | "marker" | "again";
      readonly entryId?: string;
    } & Cost)
  | { readonly status: "nothing"; readonly because: "nothing-undone" };

/**
 * How taking back the compaction in force ends; the context is what it was before, with what came since [V3].
 *
 * Durable: one marker is stored. When only metadata follows the compaction the leaf moves in front of it, which other
 * readers of the file understand too. A second undo takes the next older one. Run it under `state.exclusively`.
 */
export async function runUndo(state: SessionState): Promise<UndoOutcome> {
  const { compaction } = state.projection();
  if (!compaction) return { status: "nothing", because: "no-compaction" };
  const { id: compactionId, parentId } = compaction;
  let how: "leaf" | "marker" = "marker";
  const cost = await moved(state, () => {
    const after = following(state.path(), compactionId);
    how = after.every(isMetadata) ? "leaf" : "marker";
    if (how === "leaf") return leafMove(state, parentId, { undone: compactionId }, after);
    return state.make([{ type: "custom", customType: UNDO_MARKER, data: { compactionId } }]);
  });
  return { status: "undone", compactionId, how, ...cost };
}

/**
 * How honouring the compaction again that was undone last ends [V3].
 *
 * What came since the undo stays, behind what the compaction kept. An undo made before the compaction in force has
 * nothing left to redo.
 */
export async function runRedo(state: SessionState): Promise<RedoOutcome> {
  const undone = lastUndone(state.path(), state.projection().compaction?.id ?? null);
  if (!undone) return { status: "nothing", because: "nothing-undone" };
  const { compactionId } = undone;
  if (!undone.byLeaf) {
    const cost = await moved(state, () =>
      state.make([{ type: "custom", customType: REDO_MARKER, data: { compactionId } }]),
    );
    return { status: "redone", compactionId, how: "marker", ...cost };
  }
  const compaction = await compactionOf(state, compactionId);
  if (!compaction) return { status: "nothing", because: "nothing-undone" };
  let entryId: string | undefined;
  const cost = await moved(state, () => {
    const after = following(state.path(), undone.marker.id);
    if (after.every(isMetadata)) return leafMove(state, compactionId, { redone: compactionId }, after);
    const made = state.make([again(compaction, undone, after)]);
    entryId = made[0]?.id;
    return made;
  });
  return { status: "redone", compactionId, ...(entryId ? { how: "again", entryId } : { how: "leaf" }), ...cost };
}

/** Null when it is not in the session: a fork takes only its path along. */
async function compactionOf({ store }: SessionState, id: string): Promise<CompactionEntry | null> {
  try {
    const [entry] = await store.read([id]);
    return entry?.type === "compaction" ? entry : null;
  } catch (error) {
    if (EspalierError.is(error, "ENTRY_NOT_FOUND")) return null;
    throw error;
  }
}

async function moved(state: SessionState, build: () => readonly Entry[]): Promise<Cost> {
  const tokens = () => estimateContext(state.projection().messages, state.host.counter);
  const tokensBefore = tokens();
  const oldLeafId = state.leafId;
  await state.move(build);
  // What is live may begin earlier now than what had been read: read again, in turn with appends.
  await state.rewrite(() => []);
  const newLeafId = state.leafId;
  state.events.emit({ type: "leaf_change", oldLeafId, newLeafId });
  return { tokensBefore, tokensAfter: tokens() };
}

function following(path: readonly Entry[], id: string): Entry[] {
  return path.slice(path.findLastIndex((entry) => entry.id === id) + 1);
}

/** A marker under `leafId`, and behind it what of the metadata left behind still says something on the path. */
function leafMove(
  state: SessionState,
  leafId: string | null,
  data: UndoLeafData,
  left: readonly Entry[],
): readonly Entry[] {
  return state.make([{ type: "custom", customType: LEAF_MARKER, data }, ...left.filter(matters).map(asNew)], leafId);
}

function matters(entry: Entry): boolean {
  switch (entry.type) {
    case "model_change":
    case "thinking_level_change":
      return true;
    case "label":
      return entry.label === undefined || entry.label === "" || entry.label === PIN_LABEL;
    case "custom":
      return entry.customType === PIN_MARKER || entry.customType === UNPIN_MARKER;
    default:
      return false;
  }
}

function again(compaction: CompactionEntry, { marker }: Undone, after: readonly Entry[]): NewEntry {
  const keepsNone = compaction.firstKeptEntryId === compaction.id;
  const firstKeptEntryId = keepsNone ? (after[0]?.id ?? marker.id) : compaction.firstKeptEntryId;
  return asNew({ ...compaction, firstKeptEntryId });
}

function asNew({ id: _, parentId: __, timestamp: ___, ...fields }: Entry): NewEntry {
  return fields as NewEntry;
}
