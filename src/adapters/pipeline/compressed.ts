import { textOf } from "../../core/context/blocks.ts";
import type { CompactionEntry } from "../../core/session/entry.ts";
import type { Message } from "../../core/session/message.ts";
import type { Pin } from "../../core/verify/pins.ts";

const MARK = "[compressed]";
const FORM = /^\[compressed\][^\n]*\n\n([\s\S]+)$/;

/**
 * The text of the one message that stands for all before it [R7].
 *
 * `stem` begins the ids that the summary cites; after it comes the line of the transcript at `place`.
 */
export function compressedText(summary: string, stem: string, place?: string): string {
  const where = place ? ` What was said is kept in ${place}: [#${stem}.12] means its line 12.` : "";
  return `${MARK} This summary stands for the conversation so far; go on from it.${where}\n\n${summary}`;
}

/** The summary in a message that `compressedText` made; null for any other message. */
export function summaryIn(message: Message): string | null {
  return message.role === "user" ? (FORM.exec(textOf(message.content))?.[1] ?? null) : null;
}

/** The summary of an earlier round as a compaction entry: it keeps nothing before it and has the pins and the request. */
export function earlierCompaction(summary: string, id: string, timestamp: string): CompactionEntry {
  const lastRequest = restatedRequest(summary);
  const pins = { at: id, pins: pinsIn(summary), unpinned: [] };
  return {
    type: "compaction",
    id,
    parentId: null,
    timestamp,
    summary,
    firstKeptEntryId: id,
    tokensBefore: 0,
    details: { citations: {}, espalier: { pins, ...(lastRequest && { lastRequest }) } },
    fromExtension: false,
  };
}

function restatedRequest(summary: string): { entryId: string; text: string } | undefined {
  const found = between(summary, /^<last-user-request entry="([^"]*)">$/, "</last-user-request>");
  return found && { entryId: found.opening[1] ?? "", text: found.lines.join("\n") };
}

function pinsIn(summary: string): Pin[] {
  const found = between(summary, /^<pinned>$/, "</pinned>");
  return (found?.lines ?? []).flatMap((line): Pin[] => {
    const [, text, entryId] = /^- (.*) \[#([^\s\]]+)\]$/.exec(line) ?? [];
    return text !== undefined && entryId !== undefined ? [{ text, entryId, by: "user" }] : [];
  });
}

/** The lines between the first that is `open` and the last that is `close`, as the engine writes them. Linear. */
function between(text: string, open: RegExp, close: string) {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => open.test(line));
  const to = lines.lastIndexOf(close);
  const opening = open.exec(lines[from] ?? "");
  return opening && to > from + 1 ? { opening, lines: lines.slice(from + 1, to) } : undefined;
}
