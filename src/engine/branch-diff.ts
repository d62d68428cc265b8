import { type BranchSide, branchSide } from "../core/plan/branch-side.ts";
import { readBranch } from "./branch-read.ts";
import type { SessionState } from "./state.ts";

/** What two branches have since they parted [B5]. `bothModified` are the files that each of them changed. */
export interface BranchDiff {
  readonly commonAncestorId: string | null;
  readonly a: BranchSide;
  readonly b: BranchSide;
  readonly bothModified: readonly string[];
}

/** What the paths to `a` and to `b` have since their deepest common entry [B5]. Rejects `ENTRY_NOT_FOUND`. */
export async function diffBranches({ store, host }: SessionState, a: string, b: string): Promise<BranchDiff> {
  if (typeof a !== "string" || typeof b !== "string") throw new TypeError("diffBranches takes two entry ids");
  await store.read([a, b]);
  const sideOf = async (leafId: string, otherId: string) => {
    const { entries, before, commonAncestorId } = await readBranch(store, leafId, otherId);
    return { side: branchSide(leafId, entries, host.counter, before), commonAncestorId };
  };
  const [left, right] = [await sideOf(a, b), await sideOf(b, a)];
  const changed = new Set(right.side.modifiedFiles);
  return {
    commonAncestorId: left.commonAncestorId,
    a: left.side,
    b: right.side,
    bothModified: left.side.modifiedFiles.filter((path) => changed.has(path)),
  };
}
