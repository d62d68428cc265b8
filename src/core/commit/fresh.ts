import { EspalierError } from "../../errors.ts";
import type { CompactionPlan } from "../plan/plan.ts";
import { type Entry, REDO_MARKER, UNDO_MARKER } from "../session/entry.ts";

/**
 * Ids of the entries that came after the plan's leaf, oldest first: they are kept entries [K2].
 *
 * `pathNow` is the current path or the part of it from the plan's leaf on. Throws `PLAN_STALE` when the leaf is not on
 * it, or when a compaction, an undo or redo, or an edit of a planned entry came after it; nothing must be written then.
 */
export function checkPlanFresh(plan: CompactionPlan, pathNow: readonly Entry[]): string[] {
  const leaf = pathNow.findLastIndex((entry) => entry.id === plan.leafId);
  if (leaf < 0) throw stale(plan, "the session stands on another branch now");
  const arrived = pathNow.slice(leaf + 1);
  const planned = new Set([...plan.summarizedIds, ...plan.turnPrefixIds, ...plan.keptIds]);
  for (const entry of arrived) {
    const why = outdates(entry, planned);
    if (why) throw stale(plan, why, entry.id);
  }
  return arrived.map((entry) => entry.id);
}

function outdates(entry: Entry, planned: ReadonlySet<string>): string | undefined {
  switch (entry.type) {
    case "compaction":
      return `compaction ${entry.id} was made meanwhile`;
    case "context_edit":
      return planned.has(entry.targetId) ? `entry ${entry.targetId} was edited meanwhile` : undefined;
    case "custom":
      return entry.customType === UNDO_MARKER || entry.customType === REDO_MARKER
        ? `a compaction was undone or redone meanwhile by ${entry.id}`
        : undefined;
    default:
      return undefined;
  }
}

function stale(plan: CompactionPlan, why: string, entryId?: string): EspalierError {
  const message = `The compaction planned at ${plan.leafId} was not stored: ${why}; compact again.`;
  return new EspalierError("PLAN_STALE", message, { leafId: plan.leafId, ...(entryId && { entryId }) });
}
