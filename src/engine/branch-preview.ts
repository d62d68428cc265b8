import type { BranchSummaryEntry } from "../core/session/entry.ts";
import { EspalierError } from "../errors.ts";
import {
  type ImportedBranch,
  type ImportOptions,
  type ImportOutcome,
  importSource,
  storeImport,
} from "./branch-import.ts";
import { checkUnchanged, summaryMove } from "./branch-leave.ts";
import { readBranch } from "./branch-read.ts";
import { type BranchDraft, branchEntries, editedDraft, generateBranchSummary } from "./branch-summary.ts";
import {
  arrive,
  cancelled,
  type Destination,
  depart,
  destinationOf,
  type NavigateOptions,
  type NavigateOutcome,
} from "./navigate.ts";
import type { SessionState } from "./state.ts";

/** A navigation that was made ready and not done; commit it, with another text as its summary if you like [V5]. */
export interface NavigationPreview extends Destination {
  readonly status: "preview";
  readonly oldLeafId: string | null;
  /** As it would be stored; absent where none would be left. */
  readonly summaryEntry?: BranchSummaryEntry;
  readonly draft?: BranchDraft;
  readonly label?: string;
}

/** A merge of another branch that was made ready and not done [V5]. */
export interface ImportPreview extends ImportedBranch {
  readonly status: "preview";
  /** As it would be stored. */
  readonly entry: BranchSummaryEntry;
  readonly draft: BranchDraft;
}

/** What a preview is committed with: another text for its summary. */
export interface SummaryEdits {
  readonly summary?: string;
  readonly signal?: AbortSignal;
}

/**
 * The same navigation up to what it would store; stores nothing and moves nothing [V5].
 *
 * Hooks are asked now and not again at the commit. Rejects what `navigate` rejects.
 */
export async function previewNavigation(
  state: SessionState,
  targetId: string | null,
  options: NavigateOptions = {},
): Promise<NavigationPreview | NavigateOutcome> {
  const { label } = options;
  const signal = state.signal(options.signal);
  const summarize = options.summarize ?? state.settings["branchSummary.enabled"];
  const setOff = await depart(state, await destinationOf(state, targetId), { ...options, summarize, signal });
  if (setOff.status !== "ready") return setOff;
  const { make, status: _, ...way } = setOff;
  const preview = { ...way, status: "preview" as const, ...(label !== undefined && { label }) };
  if (!make) return preview;
  const draft = await make();
  if (!draft) return cancelled(way.oldLeafId, "signal");
  const place = { fromId: way.oldLeafId, parentId: way.newLeafId, move: summaryMove(state) };
  return { ...preview, draft, summaryEntry: branchEntries(state, draft, place).entry };
}

/**
 * Does what was previewed [V5]. Run it under `state.exclusively`.
 *
 * Rejects `PLAN_STALE` when the session has moved or its branch has grown, `ENTRY_INVALID` for a text without words.
 */
export async function commitNavigation(
  state: SessionState,
  preview: NavigationPreview,
  { summary, signal }: SummaryEdits = {},
): Promise<NavigateOutcome> {
  const { draft, oldLeafId, label } = preview;
  checkUnchanged(state, oldLeafId);
  const edited = draft && (summary === undefined ? draft : editedDraft(draft, summary, state.host.counter));
  const make = edited ? async () => edited : null;
  return arrive(
    state,
    { ...preview, status: "ready", make },
    { signal: state.signal(signal), ...(label && { label }) },
  );
}

/** The same merge up to the entry that it would store; stores nothing [V5]. Rejects what `importBranch` rejects. */
export async function previewImport(
  state: SessionState,
  leafId: string,
  options: ImportOptions = {},
): Promise<ImportPreview | Exclude<ImportOutcome, { status: "imported" }>> {
  const { label, signal: given, ...instructions } = options;
  const signal = state.signal(given);
  const source = await importSource(state, leafId);
  if (source.status === "skipped") return source;
  const draft = await generateBranchSummary(state, source.plan, instructions, signal);
  if (!draft) return { status: "cancelled", by: "signal" };
  const { entry } = branchEntries(state, draft, { fromId: leafId, parentId: state.tipId, move: { imported: true } });
  const { commonAncestorId } = source;
  return { status: "preview", leafId, commonAncestorId, entry, draft, ...(label !== undefined && { label }) };
}

/** Stores what was previewed [V5]. Rejects `PLAN_STALE` when the path has come to hold other parts of that branch. */
export async function commitImport(
  state: SessionState,
  preview: ImportPreview,
  { summary, signal }: SummaryEdits = {},
): Promise<ImportOutcome> {
  const { leafId, commonAncestorId, draft } = preview;
  if ((await readBranch(state.store, leafId, state.tipId)).commonAncestorId !== commonAncestorId) {
    const message = `The session stands where another part of the branch ${leafId} is missing; preview the merge again.`;
    throw new EspalierError("PLAN_STALE", message, { leafId });
  }
  const edited = summary === undefined ? draft : editedDraft(draft, summary, state.host.counter);
  return storeImport(state, preview, async () => edited, state.signal(signal));
}
