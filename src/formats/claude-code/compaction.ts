import type { Raw } from "./lines.ts";
import { blocksOf, objectOf, textOf } from "./lines.ts";
import { descends } from "./order.ts";
import type { Unit } from "./units.ts";

/** What Claude Code sends in the place of a tool result that it has cleared. */
export const CLEARED = "[Old tool result content cleared]";

/** The summary that follows a boundary; undefined when the file has none. */
export function summaryOf(unit: Unit): string | undefined {
  const line = unit.lines.find((one) => one.raw.isCompactSummary === true);
  if (!line) return undefined;
  const text = blocksOf(line.raw).map((block) => textOf(block.text));
  return text.join("\n").trim() === "" ? undefined : text.join("\n");
}

/** Size before the compaction as Claude Code measured it, in tokens; 0 when unknown. */
export function tokensBefore(unit: Unit): number {
  const { preTokens } = metadata(unit);
  return typeof preTokens === "number" && Number.isFinite(preTokens) ? preTokens : 0;
}

/**
 * The first unit that a compaction kept verbatim, or null: most versions keep nothing, newer ones name a segment.
 *
 * Where the boundary does not stand behind that segment it is moved there, so that what was kept is on the path.
 */
export function keptBy(boundary: Unit, ofUuid: (uuid: string) => Unit | undefined): Unit | null {
  const { head, tail } = preserved(metadata(boundary));
  const kept = ofUuid(head);
  if (!kept || kept === boundary) return null;
  if (descends(boundary.parent, kept)) return kept;
  const end = ofUuid(tail);
  if (!end || !descends(end, kept) || descends(end, boundary)) return null;
  boundary.parent = end;
  return kept;
}

/** Ids of the tool calls and uuids of the attachments that a micro-compaction cleared. */
export function clearedBy(unit: Unit): { calls: string[]; attachments: string[] } {
  const { compactedToolIds, clearedAttachmentUUIDs } = objectOf(unit.lines[0]!.raw.microcompactMetadata);
  return { calls: strings(compactedToolIds), attachments: strings(clearedAttachmentUUIDs) };
}

function preserved({ preservedSegment, preservedMessages }: Raw): { head: string; tail: string } {
  const { headUuid, tailUuid } = objectOf(preservedSegment);
  const uuids = strings(objectOf(preservedMessages).uuids);
  return { head: textOf(headUuid) || (uuids[0] ?? ""), tail: textOf(tailUuid) || (uuids.at(-1) ?? "") };
}

function metadata(unit: Unit): Raw {
  return objectOf(unit.lines[0]!.raw.compactMetadata);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
