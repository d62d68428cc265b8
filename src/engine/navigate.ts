import type { BranchSummaryEntry, Entry } from "../core/session/entry.ts";
import { beforeTree } from "./branch-hooks.ts";
import { draftMaker, leaveSummary, type MakeDraft } from "./branch-leave.ts";
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
  const summarize = options.summarize ?? state.settings["branchSummary.enabled"];
  return travel(state, await destinationOf(state, targetId), { ...options, summarize });
}

/** How going to `destination` ends: hooks are asked, what is left is summarised, the leaf moves, hooks are told [B4, H1]. */
export async function travel(
  state: SessionState,
  destination: Destination,
  options: NavigateOptions,
): Promise<NavigateOutcome> {
  const { label } = options;
  const signal = state.signal(options.signal);
  const setOff = await depart(state, destination, { ...options, signal });
  return setOff.status === "ready" ? arrive(state, setOff, { signal, ...(label && { label }) }) : setOff;
}

/** A navigation that nothing speaks against; `make` is there where a summary is to be left. */
export interface SetOff extends Pick<Destination, "targetId" | "newLeafId" | "editorText" | "resumes"> {
  readonly status: "ready";
  readonly oldLeafId: string | null;
  readonly make: MakeDraft | null;
}

/** Asks hooks, and finds out what a summary has to tell; stores nothing [H1]. */
export async function depart(
  state: SessionState,
  destination: Destination,
  options: NavigateOptions & { readonly signal: AbortSignal },
): Promise<SetOff | NavigateOutcome> {
  const { targetId, newLeafId } = destination;
  const { signal, summarize = false } = options;
  const oldLeafId = state.leafId;
  if (newLeafId === oldLeafId) return { status: "unchanged", oldLeafId, newLeafId, ...textOf(destination) };
  if (signal.aborted) return cancelled(oldLeafId, "signal");
  const isAsked = summarize || state.hooks.has("session_before_tree");
  const branch = isAsked ? await readBranch(state.store, oldLeafId, newLeafId) : NO_BRANCH;
  const asked = { oldLeafId, newLeafId, branch, targetId, userWantsSummary: summarize };
  const ruling = await beforeTree(state, asked, signal);
  if (ruling.kind === "cancel") return cancelled(oldLeafId, "hook");
  const make = summarize ? draftMaker(state, branch, ruling, options, signal) : null;
  if (signal.aborted && !make) return cancelled(oldLeafId, "signal");
  return { ...destination, status: "ready", oldLeafId, make };
}

/** Leaves the summary, or moves the leaf without one, and tells hooks. */
export async function arrive(
  state: SessionState,
  setOff: SetOff,
  { signal, label }: { readonly signal: AbortSignal; readonly label?: string },
): Promise<NavigateOutcome> {
  const { targetId, oldLeafId, newLeafId, resumes, make } = setOff;
  const summary = make && (await leaveSummary(state, setOff, make, { signal, ...(label && { label }) }));
  if (summary?.kind === "aborted") return cancelled(oldLeafId, "signal");
  if (!summary) await moveLeaf(state, newLeafId, resumes);
  if (!summary && label && targetId !== null) await setLabel(state, targetId, label);
  const told = summary ? { summaryEntry: summary.entry } : {};
  const fromExtension = summary?.entry.fromExtension === true;
  await state.hooks.tell("session_tree", { newLeafId: state.leafId, oldLeafId, ...told, fromExtension });
  return { status: "moved", oldLeafId, newLeafId: state.leafId, ...textOf(setOff), ...told };
}

export const cancelled = (leafId: string | null, by: "hook" | "signal"): NavigateOutcome => ({
  status: "cancelled",
  by,
  oldLeafId: leafId,
  newLeafId: leafId,
});

const textOf = ({ editorText }: Pick<Destination, "editorText">) => (editorText === undefined ? {} : { editorText });

/** Where going to `targetId` leads. Throws a TypeError for what is no id; rejects `ENTRY_NOT_FOUND`. */
export async function destinationOf(state: SessionState, targetId: string | null): Promise<Destination> {
  if (targetId !== null && typeof targetId !== "string") throw new TypeError("navigate takes an entry id or null");
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
