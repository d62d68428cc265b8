import type { BranchMove } from "../core/commit/branch-entry.ts";
import type { BranchSummaryEntry, Entry } from "../core/session/entry.ts";
import type { EventOf } from "../ports/events.ts";
import { type BranchDraft, branchEntries } from "./branch-summary.ts";
import type { NewEntry, SessionState } from "./state.ts";

/** Where a branch summary will stand and what it tells of. */
export interface BranchPlace {
  readonly fromId: string | null;
  readonly parentId: () => string | null;
  readonly move: () => BranchMove;
  /** Stored behind it, in the same batch. */
  readonly label?: string;
  /** Throws when what was summarised is not what is left any more; asked right before it is stored. */
  readonly check?: () => void;
}

/**
 * The stored summary that `make` gives, or null when it was aborted; then the session is as it was [B4].
 *
 * Tells listeners its start and its end, once each [I6]. An abort counts until the moment of storing.
 */
export async function storeBranchSummary(
  state: SessionState,
  place: BranchPlace,
  make: () => Promise<BranchDraft | null>,
  signal: AbortSignal,
): Promise<BranchSummaryEntry | null> {
  state.events.emit({ type: "branch_summary_start", fromId: place.fromId, targetId: place.parentId() });
  let end: EventOf<"branch_summary_end"> = { type: "branch_summary_end", aborted: false };
  try {
    const draft = await make();
    const entry = draft && (await stored(state, place, draft, signal));
    end = entry ? { ...end, result: entry } : { ...end, aborted: true };
    return entry;
  } catch (error) {
    end = { ...end, errorMessage: error instanceof Error ? error.message : String(error) };
    throw error;
  } finally {
    state.events.emit(end);
  }
}

async function stored(
  state: SessionState,
  { fromId, parentId, move, label, check }: BranchPlace,
  draft: BranchDraft,
  signal: AbortSignal,
): Promise<BranchSummaryEntry | null> {
  let entry: BranchSummaryEntry | null = null;
  await state.move(() => {
    if (signal.aborted) return [];
    check?.();
    const made = branchEntries(state, draft, { fromId, parentId: parentId(), move: move() });
    entry = made.entry;
    return [...made.batch, ...labelOf(state, made.entry, label)];
  });
  return entry;
}

function labelOf(state: SessionState, { id }: BranchSummaryEntry, label: string | undefined): Entry[] {
  if (label === undefined || label === "") return [];
  const item: NewEntry = { type: "label", targetId: id, label };
  return state.make([item], id);
}
