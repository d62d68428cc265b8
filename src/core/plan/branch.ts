import type { ContextMessage } from "../context/projection.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { Entry, SummaryDetails } from "../session/entry.ts";
import type { Tree } from "../session/tree.ts";
import type { Settings } from "../settings.ts";
import { branchMessages, undoneCompactions } from "./branch-messages.ts";
import { fileLists, fileOps } from "./files.ts";
import { transcriptTokens } from "./transcript-size.ts";
import { truncateMessage } from "./truncate.ts";

/** What is left behind when the leaf moves: oldest first, the common ancestor not included. */
export interface CollectedBranch {
  readonly ids: readonly string[];
  readonly commonAncestorId: string | null;
}

/** What of a branch a summary is asked for. */
export interface BranchPlan {
  readonly kind: "branch";
  /** Oldest first, within the budget. */
  readonly messages: readonly ContextMessage[];
  /** Of all entries, whatever the budget was [F2]. */
  readonly details: Required<Pick<SummaryDetails, "readFiles" | "modifiedFiles">>;
  /** Estimated tokens of `messages` as a transcript. */
  readonly tokens: number;
  /** How many older messages found no room. */
  readonly leftOut: number;
}

export type BranchPreparation = BranchPlan | { readonly kind: "nothing" };

/** A summary that already sums up goes in at the edge while less than this of the budget is used. */
const EDGE = 0.9;
const SMALLEST_BUDGET = 1_024;
/** Of the reserve, for the summary itself. */
const REPLY_SHARE = 0.8;

/**
 * The entries from `oldLeafId` back to the deepest common ancestor of it and `newLeafId` [B2].
 *
 * `newLeafId` is where the leaf will stand and not what was clicked: going back to a user's message leaves that message
 * behind too. Null stands for the root. Linear in the length of the branch.
 */
export function collectEntriesForBranchSummary(
  tree: Pick<Tree, "parent" | "commonAncestor" | "has">,
  oldLeafId: string | null,
  newLeafId: string | null,
): CollectedBranch {
  const commonAncestorId = tree.commonAncestor(oldLeafId, newLeafId);
  const ids: string[] = [];
  let at = oldLeafId !== null && tree.has(oldLeafId) ? oldLeafId : null;
  for (; at !== null && at !== commonAncestorId; at = tree.parent(at)) ids.push(at);
  return { ids: ids.reverse(), commonAncestorId };
}

/** Tokens that the entries of a branch may take in a request, and the most that the summary may [B3]. */
export function branchBudget(settings: Settings): { readonly entries: number; readonly reply: number } {
  const { contextWindow } = settings;
  const reserve = settings["branchSummary.reserveTokens"];
  return {
    entries: Math.max(SMALLEST_BUDGET, contextWindow - reserve),
    reply: Math.max(1, Math.floor(Math.min(reserve, contextWindow / 4) * REPLY_SHARE)),
  };
}

/**
 * What of a branch goes into the request for its summary; `nothing` when none of its entries says anything [B3].
 *
 * The newest messages go in until `tokenBudget` (at least 1,024), sized as a transcript shows them [M2]. At the edge a
 * summary is cut to what remains, and a newest message that is too large alone is cut to the budget. Files come from
 * all entries. `before` as in `branchMessages`.
 */
export function prepareBranchEntries(
  entries: readonly Entry[],
  tokenBudget: number,
  counter: TokenCounter,
  before: readonly Entry[] = [],
): BranchPreparation {
  const all = branchMessages(entries, before);
  if (all.length === 0) return { kind: "nothing" };
  const undone = undoneCompactions(entries);
  const details = fileLists(fileOps([...before, ...entries.filter(({ id }) => !undone.has(id))]));
  const { messages, tokens } = newestWithin(all, Math.max(SMALLEST_BUDGET, tokenBudget || 0), counter);
  return { kind: "branch", messages, details, tokens, leftOut: all.length - messages.length };
}

function newestWithin(all: readonly ContextMessage[], budget: number, counter: TokenCounter) {
  const messages: ContextMessage[] = [];
  let tokens = 0;
  const take = (source: ContextMessage, size: number) => {
    messages.push(source);
    tokens += size;
  };
  for (let at = all.length - 1; at >= 0; at--) {
    const source = all[at] as ContextMessage;
    const size = transcriptTokens(source.message, counter);
    if (tokens + size <= budget) {
      take(source, size);
      continue;
    }
    if (messages.length === 0 || (sumsUp(source) && tokens < budget * EDGE)) {
      const message = truncateMessage(source.message, budget - tokens, counter);
      take({ ...source, message }, transcriptTokens(message, counter));
    }
    break;
  }
  return { messages: messages.reverse(), tokens };
}

const sumsUp = ({ message }: ContextMessage) =>
  message.role === "branchSummary" || message.role === "compactionSummary";
