import { type BranchFacts, type BranchMove, branchSummaryEntry } from "../core/commit/branch-entry.ts";
import type { TokenCounter } from "../core/context/tokens.ts";
import { type BranchPlan, type BranchPreparation, branchBudget, prepareBranchEntries } from "../core/plan/branch.ts";
import type { BranchSummaryEntry, Entry } from "../core/session/entry.ts";
import { branchRequest, branchSummaryText } from "../core/summary/branch.ts";
import type { Spent } from "../core/summary/request.ts";
import type { Guidance } from "../core/summary/requests.ts";
import { BRANCH_SUMMARY_PREAMBLE } from "../core/summary/templates.ts";
import { checkCitations } from "../core/verify/citations.ts";
import { EspalierError } from "../errors.ts";
import type { HookBranchSummary } from "../ports/hooks.ts";
import type { ReadBranch } from "./branch-read.ts";
import { spentItem } from "./spent.ts";
import type { SessionState } from "./state.ts";

/** What the summary of a branch should look at, in the caller's words [B1]. */
export interface BranchInstructions {
  /** Replaces the prompt, or with `replaceInstructions: false` is added to it as focus. */
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
}

/** A branch summary in hand, not stored. */
export type BranchDraft = Pick<BranchFacts, "summary" | "details" | "method" | "model" | "usage"> & {
  /** Requests that came to nothing [M12]. */
  readonly spent: readonly Spent[];
  /** What it was asked for; a hook's tells of what the hook says. */
  readonly plan?: BranchPlan;
};

/** What of a read branch a summary is asked for, under these settings [B3]. */
export function planBranch({ settings, host }: SessionState, { entries, before }: ReadBranch): BranchPreparation {
  return prepareBranchEntries(entries, branchBudget(settings).entries, host.counter, before);
}

/**
 * The summary of a branch, ready to be stored, or null when `signal` aborted it [B4].
 *
 * Its citations are checked [V4]. Stores nothing. Rejects `SUMMARY_FAILED`.
 */
export async function generateBranchSummary(
  { settings, store, host: { counter, summarizer } }: SessionState,
  plan: BranchPlan,
  instructions: BranchInstructions,
  signal: AbortSignal,
): Promise<BranchDraft | null> {
  if (signal.aborted) return null;
  const most = branchBudget(settings).reply;
  const request = branchRequest(plan, most, { cwd: store.header.cwd, ...guidanceOf(instructions) });
  const reply = await summarizer.summarize(request, signal);
  if (reply.kind === "aborted" || signal.aborted) return null;
  if (reply.kind === "failed") throw failed(reply.reason, reply.cause);
  const { text } = checkCitations(reply.text, coveredIds(plan));
  const summary = branchSummaryText(text, plan.details, request.maxTokens, counter);
  if (summary === "") throw failed("The answer held no text.");
  const { method, model, usage, spent = [] } = reply;
  return { summary, details: plan.details, method, ...(model && { model }), ...(usage && { usage }), spent, plan };
}

/** The same of a summary that a hook gave [H1]. Throws `HOOK_INVALID` for one without text. */
export function draftOfHook({ summary, details }: HookBranchSummary): BranchDraft {
  if (typeof summary !== "string" || summary.trim() === "") {
    const message = "A session_before_tree hook gave a branch summary without text. Nothing was stored.";
    throw new EspalierError("HOOK_INVALID", message, {});
  }
  const given = typeof details === "object" && details !== null && !Array.isArray(details) ? details : {};
  return { summary, details: given, method: "hook", spent: [] };
}

/**
 * The draft with `summary` as its text, lists of files and citations as they are for any other [V5, V4].
 *
 * Throws `ENTRY_INVALID` for a text without words.
 */
export function editedDraft(draft: BranchDraft, summary: string, counter: TokenCounter): BranchDraft {
  if (summary === draft.summary) return draft;
  const told = summary.trim();
  const words = told.startsWith(BRANCH_SUMMARY_PREAMBLE) ? told.slice(BRANCH_SUMMARY_PREAMBLE.length) : told;
  const { plan } = draft;
  const text = plan
    ? branchSummaryText(checkCitations(words, coveredIds(plan)).text, plan.details, Number.POSITIVE_INFINITY, counter)
    : told;
  if (text === "") {
    throw new EspalierError("ENTRY_INVALID", "The edited summary of the branch is empty; nothing was stored.", {});
  }
  return { ...draft, summary: text, details: { ...draft.details, edited: true } };
}

/** The entries that store `draft`: `usage` entries under the tip for what came to nothing, then the summary at `parentId`. */
export function branchEntries(
  state: SessionState,
  { spent, plan: _, ...draft }: BranchDraft,
  place: { readonly fromId: string | null; readonly parentId: string | null; readonly move: BranchMove },
): { readonly entry: BranchSummaryEntry; readonly batch: readonly Entry[] } {
  const wasted = state.make(spent.map((request) => spentItem("branch_summary", request)));
  const parentId = place.move.imported ? (wasted.at(-1)?.id ?? place.parentId) : place.parentId;
  const entry = branchSummaryEntry({ ...draft, ...place, parentId, stamp: state.stamp() });
  return { entry, batch: [...wasted, entry] };
}

function guidanceOf({ customInstructions, replaceInstructions = true }: BranchInstructions): Guidance {
  const words = customInstructions?.trim() ?? "";
  if (words === "") return {};
  return replaceInstructions ? { prompt: words } : { focus: words };
}

/** The ids that a summary of these messages may cite: their own, and those that summaries among them cite. */
function coveredIds({ messages }: BranchPlan): Set<string> {
  const ids = new Set<string>();
  for (const { entryId, message } of messages) {
    ids.add(entryId);
    if (!("summary" in message)) continue;
    for (const [, id = ""] of String(message.summary).matchAll(/#([^\s#[\],]+)/g)) ids.add(id);
  }
  return ids;
}

function failed(reason: string, cause?: unknown): EspalierError {
  const message = `The summary of the branch could not be made: ${reason} Nothing was changed.`;
  return new EspalierError("SUMMARY_FAILED", message, { reason }, cause);
}
