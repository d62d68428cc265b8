import type { BranchPlan } from "../core/plan/branch.ts";
import type { BranchSummaryEntry } from "../core/session/entry.ts";
import { readBranch } from "./branch-read.ts";
import { storeBranchSummary } from "./branch-store.ts";
import { type BranchDraft, type BranchInstructions, generateBranchSummary, planBranch } from "./branch-summary.ts";
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
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const { label, signal: given, ...instructions } = options;
  const signal = state.signal(given);
  const source = await importSource(state, leafId);
  if (source.status === "skipped") return source;
  const make = () => generateBranchSummary(state, source.plan, instructions, signal);
  return storeImport(state, { leafId, commonAncestorId: source.commonAncestorId, label }, make, signal);
}

type Skipped = Extract<ImportOutcome, { status: "skipped" }>;
interface Source {
  readonly status: "ready";
  readonly plan: BranchPlan;
  readonly commonAncestorId: string | null;
}

/** What of the path to `leafId` is not on this one, or why there is nothing to merge. */
export async function importSource(state: SessionState, leafId: string): Promise<Source | Skipped> {
  if (typeof leafId !== "string") throw new TypeError("importBranch takes an entry id");
  await state.store.read([leafId]);
  const branch = await readBranch(state.store, leafId, state.tipId);
  if (branch.ids.length === 0) return { status: "skipped", because: "on-the-path" };
  const plan = planBranch(state, branch);
  if (plan.kind === "nothing") return { status: "skipped", because: "nothing-to-summarize" };
  return { status: "ready", plan, commonAncestorId: branch.commonAncestorId };
}

/** Stores the summary that `make` gives of the branch that ends in `leafId`, at the tip. */
export async function storeImport(
  state: SessionState,
  { leafId, commonAncestorId, label }: ImportedBranch,
  make: () => Promise<BranchDraft | null>,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const place = {
    fromId: leafId,
    parentId: () => state.tipId,
    move: () => ({ imported: true }),
    ...(label !== undefined && { label }),
  };
  const entry = await storeBranchSummary(state, place, make, signal);
  return entry ? { status: "imported", entry, commonAncestorId } : { status: "cancelled", by: "signal" };
}

/** A branch that is merged back: its leaf, where it parted, and the name that its summary gets. */
export interface ImportedBranch {
  readonly leafId: string;
  readonly commonAncestorId: string | null;
  readonly label?: string | undefined;
}
