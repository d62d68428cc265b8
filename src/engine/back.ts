import { branchMoveOf } from "../core/commit/branch-entry.ts";
import type { Entry } from "../core/session/entry.ts";
import type { Tree } from "../core/session/tree.ts";
import { leafMarkerData } from "./leaf-move.ts";
import { type NavigateOptions, type NavigateOutcome, travel } from "./navigate.ts";
import type { SessionState } from "./state.ts";

/** A step back leaves no summary: it would count as a step of its own. */
export type BackOptions = Pick<NavigateOptions, "signal">;

/** A move of the leaf, as the session's own entries tell it. */
interface Step {
  readonly fromId: string | null;
  /** Where the step before it is to be looked for. */
  readonly resumes: string | null;
}

/**
 * How going back to where the newest move of the leaf came from ends; called again it takes the move before that [B6].
 *
 * Reads the moves from the session, so it works after reopening. `unchanged` when there is no move left, or when the
 * leaf that was left is not in the session. Run it under `state.exclusively`.
 */
export async function runBack(state: SessionState, options: BackOptions = {}): Promise<NavigateOutcome> {
  const tree = await state.store.tree();
  const step = await newestStep(state, tree);
  const isThere = step && (step.fromId === null || tree.has(step.fromId));
  if (!isThere) return { status: "unchanged", oldLeafId: state.leafId, newLeafId: state.leafId };
  const { fromId, resumes } = step;
  return travel(state, { targetId: fromId, newLeafId: fromId, resumes }, { signal: options.signal });
}

async function newestStep({ store, tipId }: SessionState, tree: Tree): Promise<Step | null> {
  const seen = new Set<string>();
  for (let id = tipId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const type = tree.get(id)?.type;
    const [entry] = type === "custom" || type === "branch_summary" ? await store.read([id]) : [];
    const step = entry && stepOf(entry);
    if (step) return step;
    const resumes = entry && leafMarkerData(entry)?.resumes;
    id = resumes === undefined ? tree.parent(id) : resumes;
  }
  return null;
}

function stepOf(entry: Entry): Step | null {
  if (entry.type === "branch_summary") {
    const fromId = entry.fromId === "root" ? null : entry.fromId;
    // Older pi versions name the target: they don't tell where the move came from.
    const { imported, resumes = fromId } = branchMoveOf(entry);
    return imported || typeof fromId !== "string" || fromId === entry.parentId ? null : { fromId, resumes };
  }
  const data = leafMarkerData(entry);
  if (data?.fromId === undefined) return null;
  return { fromId: data.fromId, resumes: data.resumes === undefined ? data.fromId : data.resumes };
}
