import type { BranchMove } from "../core/commit/branch-entry.ts";
import type { BranchSummaryEntry } from "../core/session/entry.ts";
import { EspalierError } from "../errors.ts";
import type { TreeRuling } from "./branch-hooks.ts";
import type { Departure, ReadBranch } from "./branch-read.ts";
import { storeBranchSummary } from "./branch-store.ts";
import {
  type BranchDraft,
  type BranchInstructions,
  draftOfHook,
  generateBranchSummary,
  planBranch,
} from "./branch-summary.ts";
import type { SessionState } from "./state.ts";

/** What became of a summary that was asked for. */
export type LeftSummary =
  | { readonly kind: "stored"; readonly entry: BranchSummaryEntry }
  | { readonly kind: "aborted" };

/** Makes the summary of what is left, null when it was aborted. */
export type MakeDraft = () => Promise<BranchDraft | null>;

/** What makes the summary of `branch`, by a hook's `ruling` or by asking for it; null when there is nothing to summarise. */
export function draftMaker(
  state: SessionState,
  branch: ReadBranch,
  ruling: TreeRuling,
  instructions: BranchInstructions,
  signal: AbortSignal,
): MakeDraft | null {
  if (ruling.kind === "summary") return async () => draftOfHook(ruling.summary);
  const plan = planBranch(state, branch);
  return plan.kind === "nothing" ? null : () => generateBranchSummary(state, plan, instructions, signal);
}

/**
 * The summary that `make` gives of what is left, stored at the new leaf, where the session then stands [B4, S8].
 *
 * Made before the leaf moves: aborted or rejected it leaves the session as it was. Tells `leaf_change`.
 */
export async function leaveSummary(
  state: SessionState,
  { oldLeafId, newLeafId }: Pick<Departure, "oldLeafId" | "newLeafId">,
  make: MakeDraft,
  { signal, label }: { readonly signal: AbortSignal; readonly label?: string },
): Promise<LeftSummary> {
  const place = {
    fromId: oldLeafId,
    parentId: () => newLeafId,
    move: () => summaryMove(state),
    check: () => checkUnchanged(state, oldLeafId),
    ...(label !== undefined && { label }),
  };
  const entry = await storeBranchSummary(state, place, make, signal);
  if (!entry) return { kind: "aborted" };
  state.events.emit({ type: "leaf_change", oldLeafId, newLeafId: state.leafId });
  return { kind: "stored", entry };
}

/** As for a marker: only the step itself can say that a marker stood beside the path that is left. */
export function summaryMove({ tipId, leafId }: SessionState): BranchMove {
  return tipId === leafId ? {} : { resumes: tipId };
}

const SPEAKING: ReadonlySet<string> = new Set([
  "message",
  "custom_message",
  "branch_summary",
  "compaction",
  "context_edit",
]);

/** Throws `PLAN_STALE` when the session stands elsewhere, or its branch has got entries that its summary does not know. */
export function checkUnchanged(state: SessionState, oldLeafId: string | null): void {
  if (state.leafId === oldLeafId) return;
  const path = state.path();
  const arrived = path.slice(path.findLastIndex(({ id }) => id === oldLeafId) + 1);
  const news = arrived.find(({ type }) => SPEAKING.has(type));
  if (!news) return;
  const message = `The branch got entry ${news.id} while its summary was made. Nothing was changed; navigate again.`;
  throw new EspalierError("PLAN_STALE", message, { leafId: oldLeafId, entryId: news.id });
}
