import type { BranchSummaryEntry, Entry } from "../core/session/entry.ts";
import { beforeTree } from "./branch-hooks.ts";
import { leaveSummary } from "./branch-leave.ts";
import { NO_BRANCH, readBranch } from "./branch-read.ts";
import type { BranchInstructions } from "./branch-summary.ts";
import { setLabel } from "./label.ts";
import { leafMarkerData, moveLeaf } from "./leaf-move.ts";
import type { SessionState } from "./state.ts";

export interface NavigateOptions extends BranchInstructions {
  readonly signal?: AbortSignal;
  /** Leaves a summary of what is left where one arrives [B4]; by default what `branchSummary.enabled` says. */
  readonly summarize?: boolean;
  /** A name for the summary, or for the target where there is none. */
  readonly label?: string;
}

/** How a navigation ended. Nothing was stored unless it is `moved`; the leaf is then `newLeafId`. */
export interface NavigateOutcome {
  readonly status: "moved" | "unchanged" | "cancelled";
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  /** Text of the user's message that was gone back to, to be edited and sent again. */
  readonly editorText?: string;
  readonly summaryEntry?: BranchSummaryEntry;
  /** What cancelled it. */
  readonly by?: "hook" | "signal";
}

/** Where a navigation leads. `resumes` is set when it takes a step back. */
export interface Destination {
  readonly targetId: string | null;
  readonly newLeafId: string | null;
  readonly editorText?: string;
  readonly resumes?: string | null;
}

/**
 * How going to `targetId` ends: the leaf, a user's message opened for editing, or any other entry; null is the root [B1].
 *
 * Going to the leaf changes nothing. With a summary the leaf is the summary. Run it under `state.exclusively`. Rejects
 * `ENTRY_NOT_FOUND`; with a summary also `SUMMARY_FAILED`, `HOOK_INVALID` and, when the branch grew meanwhile,
 * `PLAN_STALE`. Whatever it rejects, the session is as it was.
 */
export async function runNavigate(
  state: SessionState,
  targetId: string | null,
  options: NavigateOptions = {},
): Promise<NavigateOutcome> {
  if (targetId !== null && typeof targetId !== "string") throw new TypeError("navigate takes an entry id or null");
  const summarize = options.summarize ?? state.settings["branchSummary.enabled"];
  return travel(state, await destinationOf(state, targetId), { ...options, summarize });
}

/** How going to `destination` ends: hooks are asked, what is left is summarised, the leaf moves, hooks are told [B4, H1]. */
export async function travel(
  state: SessionState,
  destination: Destination,
  options: NavigateOptions,
): Promise<NavigateOutcome> {
  const { targetId, newLeafId, editorText, resumes } = destination;
  const { signal = new AbortController().signal, summarize = false, label } = options;
  const oldLeafId = state.leafId;
  const text = editorText === undefined ? {} : { editorText };
  if (newLeafId === oldLeafId) return { status: "unchanged", oldLeafId, newLeafId, ...text };
  const cancelled = (by: "hook" | "signal") => ({ status: "cancelled" as const, by, oldLeafId, newLeafId: oldLeafId });
  if (signal.aborted) return cancelled("signal");
  const isAsked = summarize || state.hooks.has("session_before_tree");
  const branch = isAsked ? await readBranch(state.store, oldLeafId, newLeafId) : NO_BRANCH;
  const left = { oldLeafId, newLeafId, branch };
  const ruling = await beforeTree(state, { ...left, targetId, userWantsSummary: summarize }, signal);
  if (ruling.kind === "cancel") return cancelled("hook");
  const summary = summarize ? await leaveSummary(state, left, ruling, { ...options, signal }) : null;
  if (summary?.kind === "aborted" || (signal.aborted && !summary)) return cancelled("signal");
  if (!summary) await moveLeaf(state, newLeafId, resumes);
  if (!summary && label && targetId !== null) await setLabel(state, targetId, label);
  const told = summary ? { summaryEntry: summary.entry } : {};
  const fromExtension = summary?.entry.fromExtension === true;
  await state.hooks.tell("session_tree", { newLeafId: state.leafId, oldLeafId, ...told, fromExtension });
  return { status: "moved", oldLeafId, newLeafId: state.leafId, ...text, ...told };
}

async function destinationOf(state: SessionState, targetId: string | null): Promise<Destination> {
  if (targetId === null || targetId === state.leafId) return { targetId, newLeafId: targetId };
  const [target] = await state.store.read([targetId]);
  if (!target) return { targetId, newLeafId: targetId };
  const parentId = (await state.store.tree()).parent(targetId);
  // A marker stands for its parent, also where it is asked for by its own id [S8].
  if (leafMarkerData(target)) return { targetId, newLeafId: parentId };
  const editorText = textToEdit(target);
  if (editorText === undefined) return { targetId, newLeafId: targetId };
  const [parent] = parentId === null ? [] : await state.store.read([parentId]);
  const newLeafId = parent && leafMarkerData(parent) ? (await state.store.tree()).parent(parent.id) : parentId;
  return { targetId, newLeafId, editorText };
}

function textToEdit(entry: Entry): string | undefined {
  const isUser = entry.type === "message" && entry.message?.role === "user";
  if (!isUser && entry.type !== "custom_message") return undefined;
  const { content } = (isUser ? entry.message : entry) as { content?: unknown };
  if (typeof content === "string") return content;
  const blocks: readonly { type?: unknown; text?: unknown }[] = Array.isArray(content) ? content : [];
  return blocks.map((block) => (block?.type === "text" && typeof block.text === "string" ? block.text : "")).join("");
}
