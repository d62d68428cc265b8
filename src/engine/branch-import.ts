import type { BranchSummaryEntry } from "../core/session/entry.ts";
import { readBranch } from "./branch-read.ts";
import { storeBranchSummary } from "./branch-store.ts";
import { type BranchInstructions, generateBranchSummary, planBranch } from "./branch-summary.ts";
import type { SessionState } from "./state.ts";

export interface ImportOptions extends BranchInstructions {
  readonly signal?: AbortSignal;
  /** A name for the summary. */
  readonly label?: string;
}

/** How a merge back ended. Nothing was stored unless it is `imported`. */
export type ImportOutcome =
  | { readonly status: "imported"; readonly entry: BranchSummaryEntry; readonly commonAncestorId: string | null }
  | { readonly status: "skipped"; readonly because: "on-the-path" | "nothing-to-summarize" }
  | { readonly status: "cancelled"; readonly by: "signal" };

/**
 * How the merge of another branch ends: a summary of what the path to `leafId` has beyond this one, appended here [B5].
 *
 * The leaf is left nowhere. Run it under `state.exclusively`. Rejects `ENTRY_NOT_FOUND`, `SUMMARY_FAILED`.
 */
export async function importBranch(
  state: SessionState,
  leafId: string,
  { signal = new AbortController().signal, label, ...instructions }: ImportOptions = {},
): Promise<ImportOutcome> {
  if (typeof leafId !== "string") throw new TypeError("importBranch takes an entry id");
  await state.store.read([leafId]);
  const branch = await readBranch(state.store, leafId, state.tipId);
  if (branch.ids.length === 0) return { status: "skipped", because: "on-the-path" };
  const plan = planBranch(state, branch);
  if (plan.kind === "nothing") return { status: "skipped", because: "nothing-to-summarize" };
  const place = {
    fromId: leafId,
    parentId: () => state.tipId,
    move: () => ({ imported: true }),
    ...(label !== undefined && { label }),
  };
  const make = () => generateBranchSummary(state, plan, instructions, signal);
  const entry = await storeBranchSummary(state, place, make, signal);
  if (!entry) return { status: "cancelled", by: "signal" };
  return { status: "imported", entry, commonAncestorId: branch.commonAncestorId };
}
