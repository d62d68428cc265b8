import type { ContextMessage } from "../context/projection.ts";
import { estimateContext, type TokenCounter } from "../context/tokens.ts";
import type { Entry, SummaryDetails } from "../session/entry.ts";
import { branchMessages, undoneCompactions } from "./branch-messages.ts";
import { fileLists, fileOps } from "./files.ts";

/** What one branch has since it parted from another [B5]. */
export interface BranchSide extends Required<Pick<SummaryDetails, "readFiles" | "modifiedFiles">> {
  readonly leafId: string;
  /** Oldest first, metadata included. */
  readonly entryIds: readonly string[];
  /** As the projection shows them; compactions as their summaries. */
  readonly messages: readonly ContextMessage[];
  /** Estimated tokens of `messages` [T1]. */
  readonly tokens: number;
}

/** What `entries`, the end of the path to `leafId`, say and touch; `before` as in `branchMessages`. */
export function branchSide(
  leafId: string,
  entries: readonly Entry[],
  counter: TokenCounter,
  before: readonly Entry[] = [],
): BranchSide {
  const messages = branchMessages(entries, before);
  const undone = undoneCompactions(entries);
  return {
    leafId,
    entryIds: entries.map(({ id }) => id),
    messages,
    tokens: estimateContext(messages, counter),
    ...fileLists(fileOps([...before, ...entries.filter(({ id }) => !undone.has(id))])),
  };
}
