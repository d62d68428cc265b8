import type { HookBranchSummary, TreePreparation } from "../ports/hooks.ts";
import type { Departure } from "./branch-read.ts";
import type { SessionState } from "./state.ts";

/** What the hooks before a navigation came to. */
export type TreeRuling =
  | { readonly kind: "cancel" }
  | { readonly kind: "summary"; readonly summary: HookBranchSummary }
  | { readonly kind: "none" };

/**
 * What the `session_before_tree` hooks rule: the first cancel or the first summary wins [H1, H2].
 *
 * A summary is an opinion only where one was asked for.
 */
export async function beforeTree(
  state: SessionState,
  { branch, ...asked }: Departure & Pick<TreePreparation, "targetId" | "userWantsSummary">,
  signal: AbortSignal,
): Promise<TreeRuling> {
  const { commonAncestorId, entries } = branch;
  const preparation = { ...asked, commonAncestorId, entriesToSummarize: entries };
  for await (const { cancel, summary } of state.hooks.ask("session_before_tree", { preparation, signal }, signal)) {
    if (cancel === true) return { kind: "cancel" };
    if (summary && asked.userWantsSummary) return { kind: "summary", summary };
  }
  return { kind: "none" };
}
