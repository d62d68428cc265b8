import type { Limits } from "../trigger/decide.ts";
import type { CompactionPlan, SummaryBudget } from "./plan.ts";

/** A summary of less is not worth asking for. */
const SMALLEST_TEXT = 500;
type Parts = CompactionPlan["tokens"];

/**
 * What a summary may have, so that it and everything beside it land under the target [T3, M10].
 *
 * At most 0.8 of the reserve, of which a split turn takes 0.5 of the reserve at most, in proportion to its size; at most
 * a quarter of what is replaced unless that is very small; and never as much as it replaces [M6].
 */
export function summaryBudget(tokens: Parts, limits: Limits): SummaryBudget {
  const restated = Math.min(tokens.restated, Math.floor(limits.target / 4));
  const room = limits.target - tokens.system - tokens.kept - restated;
  const text = Math.max(1, Math.min(wanted(tokens, limits), Math.max(room, SMALLEST_TEXT / 4)));
  const replaced = tokens.previous + tokens.summarized + tokens.turnPrefix;
  const share = replaced > 0 ? tokens.turnPrefix / replaced : 0;
  const prefix =
    tokens.turnPrefix === 0
      ? 0
      : Math.floor(Math.min(limits.reserve * 0.5, text * Math.min(0.6, Math.max(0.25, share))));
  return {
    text: Math.floor(text),
    history: Math.floor(text) - prefix,
    prefix,
    restated,
    short: Math.min(512, Math.max(1, Math.floor(limits.reserve * 0.2))),
  };
}

/** True when a summary of at least half the size it would like has room beside these parts [T3]. */
export function leavesRoom(tokens: Parts, limits: Limits): boolean {
  return tokens.system + tokens.kept + tokens.restated + wanted(tokens, limits) / 2 <= limits.target;
}

function wanted(tokens: Parts, limits: Limits): number {
  const replaced = tokens.previous + tokens.summarized + tokens.turnPrefix;
  return Math.min(limits.reserve * 0.8, Math.max(SMALLEST_TEXT, replaced / 4), replaced);
}
