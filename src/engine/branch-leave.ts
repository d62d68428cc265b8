import type { BranchSummaryEntry } from "../core/session/entry.ts";
import { EspalierError } from "../errors.ts";
import type { TreeRuling } from "./branch-hooks.ts";
import type { Departure } from "./branch-read.ts";
import { storeBranchSummary } from "./branch-store.ts";
import { type BranchInstructions, draftOfHook, generateBranchSummary, planBranch } from "./branch-summary.ts";
import type { SessionState } from "./state.ts";

/** What became of a summary that was asked for. */
export type LeftSummary =
  | { readonly kind: "stored"; readonly entry: BranchSummaryEntry }
  | { readonly kind: "aborted" };

/**
 * The summary of what is left, stored at the new leaf, where the session then stands [B4, S8]; null when there is
 * nothing to summarise, and nothing has happened.
 *
 * Made before the leaf moves: aborted or rejected it leaves the session as it was. Tells `leaf_change`.
 */
export async function leaveSummary(
  state: SessionState,
  { oldLeafId, newLeafId, branch }: Departure,
  ruling: TreeRuling,
  options: BranchInstructions & { readonly signal: AbortSignal; readonly label?: string },
): Promise<LeftSummary | null> {
  const { signal, label } = options;
  const plan = planBranch(state, branch);
  if (ruling.kind !== "summary" && plan.kind === "nothing") return null;
  const make = async () => {
    if (ruling.kind === "summary") return draftOfHook(ruling.summary);
    return plan.kind === "nothing" ? null : generateBranchSummary(state, plan, options, signal);
  };
  const place = {
    fromId: oldLeafId,
    parentId: () => newLeafId,
    // As for a marker: only the step itself can say that a marker stood beside the path that is left.
    move: () => (state.tipId === state.leafId ? {} : { resumes: state.tipId }),
    check: () => checkUnchanged(state, oldLeafId),
    ...(label !== undefined && { label }),
  };
  const entry = await storeBranchSummary(state, place, make, signal);
  if (!entry) return { kind: "aborted" };
  state.events.emit({ type: "leaf_change", oldLeafId, newLeafId: state.leafId });
  return { kind: "stored", entry };
}

const SPEAKING: ReadonlySet<string> = new Set([
  "message",
  "custom_message",
  "branch_summary",
  "compaction",
  "context_edit",
]);

/** Throws `PLAN_STALE` when the branch has got entries that its summary does not know. */
function checkUnchanged(state: SessionState, oldLeafId: string | null): void {
  if (state.leafId === oldLeafId) return;
  const path = state.path();
  const arrived = path.slice(path.findLastIndex(({ id }) => id === oldLeafId) + 1);
  const news = arrived.find(({ type }) => SPEAKING.has(type));
  if (!news) return;
  const message = `The branch got entry ${news.id} while its summary was made. Nothing was changed; navigate again.`;
  throw new EspalierError("PLAN_STALE", message, { leafId: oldLeafId, entryId: news.id });
}
