import type { Limits } from "../trigger/decide.ts";
import type { CompactionPlan, SummaryBudget } from "./plan.ts";

/** A summary of less is not worth asking for. */
const SMALLEST_TEXT = 500;
/** Of messages a summary takes at most one part in so many; an earlier summary is short already and counts whole. */
const WORTH = 3;
/** The most that the file tags take of the text. */
const FILES_SHARE = 0.25;
type Parts = CompactionPlan["tokens"];

/**
 * What a summary may have, so that it and everything beside it land under the target [T3, M10].
 *
 * At most 0.8 of the reserve, of which a split turn takes 0.5 of the reserve at most, in proportion to its size; at most
 * the previous summary and a third of the messages unless that is very small; and never as much as it replaces [M6].
 * `files` is what the lists of files would take; a summary is asked for what they leave, so that nothing of it is
 * trimmed for them.
 */
export function summaryBudget(tokens: Parts, limits: Limits, files = 0): SummaryBudget {
  const restated = restatedOf(tokens, limits);
  const room = limits.target - tokens.system - tokens.kept - restated;
  const text = Math.max(1, Math.min(wanted(tokens, limits), Math.max(room, SMALLEST_TEXT / 4)));
  const listed = Math.min(Math.ceil(files), Math.floor(text * FILES_SHARE));
  const told = Math.floor(text) - listed;
  const prefix = Math.floor(Math.min(limits.reserve * 0.5, told * prefixShare(tokens)));
  return {
    text: Math.floor(text),
    history: told - prefix,
    prefix,
    files: listed,
    restated,
    short: Math.min(512, Math.max(1, Math.floor(limits.reserve * 0.2))),
  };
}

/** More the larger the split turn is, since the files under work are told there; all where no history stands beside it. */
function prefixShare(tokens: Parts): number {
  if (tokens.turnPrefix === 0) return 0;
  if (tokens.previous + tokens.summarized === 0) return 1;
  const share = tokens.turnPrefix / (tokens.previous + tokens.summarized + tokens.turnPrefix);
  return 0.3 + 0.5 * share;
}

/** True when a summary of at least half the size it would like has room beside these parts [T3]. */
export function leavesRoom(tokens: Parts, limits: Limits): boolean {
  return tokens.system + tokens.kept + restatedOf(tokens, limits) + wanted(tokens, limits) / 2 <= limits.target;
}

/** What is restated is not told again, so that both together are less than what they replace. */
function wanted(tokens: Parts, limits: Limits): number {
  const messages = tokens.summarized + tokens.turnPrefix;
  const replaced = tokens.previous + messages;
  const told = Math.max(replaced - restatedOf(tokens, limits), Math.min(replaced, SMALLEST_TEXT / 4));
  return Math.min(limits.reserve * 0.8, Math.max(SMALLEST_TEXT, tokens.previous + messages / WORTH), told);
}

function restatedOf({ restated }: Parts, { target }: Limits): number {
  return Math.min(restated, Math.floor(target / 4));
}
