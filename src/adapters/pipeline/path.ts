import { saidByUser } from "../../core/context/own-words.ts";
import { directivesIn } from "../../core/extract/directives.ts";
import type { CompactionEntry, Entry } from "../../core/session/entry.ts";
import { EMPTY_BOARD, pinSnapshotOf } from "../../core/verify/pin-snapshot.ts";
import { type PinBoard, pinBoard } from "../../core/verify/pins.ts";
import { earlierCompaction, summaryIn } from "./compressed.ts";
import type { ReadMessage } from "./reading.ts";

/**
 * The messages of an array as a path of entries; system messages are left out, since they stay where they are.
 *
 * Ids are `stem.N`, where N is the line of the transcript, and `stem.N.M` for what else stands in that line. A leading
 * message of an earlier compaction becomes that compaction.
 */
export function pathOf(messages: readonly ReadMessage[], stem: string, timestamp: string): Entry[] {
  const entries: Entry[] = [];
  const seen = new Map<number, number>();
  for (const { at, message } of messages) {
    if (message.role === "system") continue;
    const count = (seen.get(at) ?? 0) + 1;
    seen.set(at, count);
    const id = count === 1 ? `${stem}.${at + 1}` : `${stem}.${at + 1}.${count}`;
    const earlier = entries.length === 0 ? summaryIn(message) : null;
    if (earlier !== null) entries.push(earlierCompaction(earlier, id, timestamp));
    else entries.push({ type: "message", id, parentId: entries.at(-1)?.id ?? null, timestamp, message });
  }
  return entries;
}

/** The pins in force at the end of a path: those of the earlier compaction, and what the user ruled since [V1]. */
export function pinsOf(path: readonly Entry[]): PinBoard & { readonly at: string } {
  const [first] = path;
  const earlier = first?.type === "compaction" ? pinSnapshotOf(first as CompactionEntry) : null;
  const board = pinBoard({
    before: earlier ?? EMPTY_BOARD,
    entries: path,
    marksFrom: path.length,
    bodyOf: () => undefined,
    directivesOf: (entry) => {
      const words = entry.type === "message" ? saidByUser(entry.message) : "";
      return words === "" ? [] : directivesIn(words).flatMap(({ text, strong }) => (strong ? [text] : []));
    },
  });
  return { ...board, at: path.at(-1)?.id ?? "" };
}
