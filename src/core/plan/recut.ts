import type { CompactionPlan } from "./plan.ts";
import { lastRequestOf } from "./restate.ts";

/**
 * `plan` with the cut right before `firstKeptEntryId`, or null where that is no live entry or leaves nothing to replace.
 *
 * For a boundary that somebody else chose [K4]; no turn counts as split. Token figures stay those of the first plan.
 */
export function recut(plan: CompactionPlan, firstKeptEntryId: string): CompactionPlan | null {
  const ids = [...plan.summarizedIds, ...plan.turnPrefixIds, ...plan.keptIds];
  const at = ids.indexOf(firstKeptEntryId);
  if (at < 0) return null;
  const kept = new Set(ids.slice(at));
  const messages = [...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...plan.keptMessages];
  const replaced = messages.filter(({ entryId }) => !kept.has(entryId));
  if (replaced.length === 0 && !plan.previous) return null;
  const { lastRequest: _, ...rest } = plan;
  const asked = lastRequestOf(messages, plan.previous);
  return {
    ...rest,
    ...(asked && !kept.has(asked.entryId) && { lastRequest: asked }),
    firstKeptEntryId,
    summarizedIds: ids.slice(0, at),
    turnPrefixIds: [],
    keptIds: ids.slice(at),
    messagesToSummarize: replaced,
    turnPrefixMessages: [],
    keptMessages: messages.filter(({ entryId }) => kept.has(entryId)),
    isSplitTurn: false,
  };
}
