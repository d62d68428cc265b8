import { type CollectedBranch, collectEntriesForBranchSummary } from "../core/plan/branch.ts";
import type { Entry } from "../core/session/entry.ts";
import type { SessionStore } from "../ports/store.ts";

/** A branch with its bodies, oldest first. */
export interface ReadBranch extends CollectedBranch {
  readonly entries: readonly Entry[];
  /** The assistant right before it, whose calls the branch may answer. */
  readonly before: readonly Entry[];
}

/** A leaf that is about to be left, and what lies between it and the new one. */
export interface Departure {
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  readonly branch: ReadBranch;
}

/** Where nothing is read. */
export const NO_BRANCH: ReadBranch = { ids: [], commonAncestorId: null, entries: [], before: [] };

/**
 * What the path to `fromId` has since it parted from the path to `toId` [B2].
 *
 * Costs one look at the tree and the bodies of the branch. Rejects what the store rejects.
 */
export async function readBranch(store: SessionStore, fromId: string | null, toId: string | null): Promise<ReadBranch> {
  const collected = collectEntriesForBranchSummary(await store.tree(), fromId, toId);
  let left = collected.ids.length;
  if (left === 0) return { ...collected, entries: [], before: [] };
  const path = await store.readPath(fromId, (entry) => --left < 0 && speaks(entry));
  const start = path.length - collected.ids.length;
  const before = path.slice(0, start).filter((entry) => roleOf(entry) === "assistant");
  return { ...collected, entries: path.slice(start), before };
}

const speaks = (entry: Entry) => entry.type === "message" && roleOf(entry) !== "toolResult";
const roleOf = (entry: Entry) => (entry.type === "message" ? entry.message?.role : undefined);
