import { EspalierError } from "../../errors.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { CompactionPlan } from "./plan.ts";

/**
 * The plan itself, once it is proved to put every live entry and message into exactly one part, in order [P2].
 *
 * `ids` are those of all live entries, `messages` all live messages. Throws `PLAN_INVALID` naming the first entry that is
 * missing, doubled or out of order: a fault of ours.
 */
export function assertPartition(
  plan: CompactionPlan,
  ids: readonly string[],
  messages: readonly ContextMessage[],
): CompactionPlan {
  const planned = [...plan.summarizedIds, ...plan.turnPrefixIds, ...plan.keptIds];
  const parted = [...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...plan.keptMessages];
  for (let at = 0; at < Math.max(ids.length, planned.length); at++) {
    if (ids[at] !== planned[at]) throw broken(plan, ids[at] ?? planned[at]);
  }
  for (let at = 0; at < Math.max(messages.length, parted.length); at++) {
    if (messages[at] !== parted[at]) throw broken(plan, (messages[at] ?? parted[at])?.entryId);
  }
  return plan;
}

function broken(plan: CompactionPlan, entryId: string | undefined): EspalierError {
  const message = `The plan at leaf ${plan.leafId} does not part the live entries at ${entryId}; please report this.`;
  return new EspalierError("PLAN_INVALID", message, { leafId: plan.leafId, entryId });
}
