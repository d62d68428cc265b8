import { isBlankText } from "../context/blocks.ts";
import { projectContext } from "../context/project.ts";
import type { ContextMessage } from "../context/projection.ts";
import { type CompactionEntry, type Entry, REDO_MARKER, UNDO_MARKER } from "../session/entry.ts";

/**
 * What the entries of a branch say, oldest first, as the projection shows them: edited, repaired, failed attempts left
 * out [B3].
 *
 * Compactions of the branch come as their summaries beside the entries that they stand for; undone ones don't come.
 * System messages take no part. `before` is what stands right before the branch on its path: a result whose call is
 * there is no orphan.
 */
export function branchMessages(entries: readonly Entry[], before: readonly Entry[] = []): ContextMessage[] {
  const place = new Map(entries.map((entry, at) => [entry.id, at]));
  const undone = undoneCompactions(entries);
  const spoken = projectContext([...before, ...entries.filter((entry) => entry.type !== "compaction")]);
  const summaries = entries.flatMap((entry) =>
    entry.type === "compaction" && !undone.has(entry.id) && hasText(entry) ? [entry] : [],
  );
  const messages: ContextMessage[] = [];
  let next = 0;
  const summariesBefore = (at: number) => {
    for (let entry = summaries[next]; entry && (place.get(entry.id) ?? 0) < at; entry = summaries[++next]) {
      messages.push(summaryOf(entry));
    }
  };
  for (const source of spoken.messages) {
    const at = place.get(source.entryId);
    if (at === undefined || source.message.role === "system") continue;
    if (source.synthetic && source.message.role === "user") continue;
    if (source.message.role !== "toolResult") summariesBefore(at);
    messages.push(source);
  }
  summariesBefore(entries.length);
  return messages;
}

/** Ids of the compactions among `entries` whose newest marker among them is an undo [V3]. */
export function undoneCompactions(entries: readonly Entry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const entry of entries) {
    if (entry.type !== "custom") continue;
    const id = (entry.data as { compactionId?: unknown } | null | undefined)?.compactionId;
    if (typeof id !== "string") continue;
    if (entry.customType === UNDO_MARKER) undone.add(id);
    else if (entry.customType === REDO_MARKER) undone.delete(id);
  }
  return undone;
}

const hasText = ({ summary }: CompactionEntry) => typeof summary === "string" && !isBlankText(summary);

function summaryOf({ id, summary, tokensBefore }: CompactionEntry): ContextMessage {
  return { entryId: id, message: { role: "compactionSummary", summary, tokensBefore } };
}
