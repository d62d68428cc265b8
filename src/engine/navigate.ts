import type { BranchSummaryEntry, Entry } from "../core/session/entry.ts";
import type { TreePreparation } from "../ports/hooks.ts";
import { leafMarkerData, moveLeaf } from "./leaf-move.ts";
import type { SessionState } from "./state.ts";

export interface NavigateOptions {
  readonly signal?: AbortSignal;
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
 * Going to the leaf changes nothing. Run it under `state.exclusively`. Rejects `ENTRY_NOT_FOUND`.
 */
export async function runNavigate(
  state: SessionState,
  targetId: string | null,
  options: NavigateOptions = {},
): Promise<NavigateOutcome> {
  if (targetId !== null && typeof targetId !== "string") throw new TypeError("navigate takes an entry id or null");
  return travel(state, await destinationOf(state, targetId), options);
}

/** How going to `destination` ends: hooks are asked, the leaf moves, hooks are told [H1]. */
export async function travel(
  state: SessionState,
  { targetId, newLeafId, editorText, resumes }: Destination,
  { signal = new AbortController().signal }: NavigateOptions,
): Promise<NavigateOutcome> {
  const oldLeafId = state.leafId;
  const text = editorText === undefined ? {} : { editorText };
  if (newLeafId === oldLeafId) return { status: "unchanged", oldLeafId, newLeafId, ...text };
  const by = await objection(state, { targetId, oldLeafId, newLeafId }, signal);
  if (by) return { status: "cancelled", by, oldLeafId, newLeafId: oldLeafId };
  await moveLeaf(state, newLeafId, resumes);
  await state.hooks.tell("session_tree", { newLeafId, oldLeafId, fromExtension: false });
  return { status: "moved", oldLeafId, newLeafId, ...text };
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

async function objection(
  state: SessionState,
  leaves: Pick<TreePreparation, "targetId" | "oldLeafId" | "newLeafId">,
  signal: AbortSignal,
): Promise<NavigateOutcome["by"]> {
  if (signal.aborted) return "signal";
  if (!state.hooks.has("session_before_tree")) return undefined;
  const { oldLeafId, newLeafId } = leaves;
  const tree = await state.store.tree();
  const commonAncestorId = tree.commonAncestor(oldLeafId, newLeafId);
  const left = tree.path(oldLeafId);
  const entriesToSummarize = await state.store.read(left.slice(left.indexOf(commonAncestorId ?? "") + 1));
  const preparation = { ...leaves, commonAncestorId, entriesToSummarize, userWantsSummary: false };
  for await (const { cancel } of state.hooks.ask("session_before_tree", { preparation, signal }, signal)) {
    if (cancel === true) return "hook";
  }
  return signal.aborted ? "signal" : undefined;
}
