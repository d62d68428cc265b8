import { encodeEntry, encodeHeader } from "../core/session/codec.ts";
import type { Entry, SessionHeader } from "../core/session/entry.ts";
import { SESSION_VERSION } from "../core/session/entry.ts";
import type { Format } from "./format.ts";
import type { Head } from "./head.ts";

/** Versions 1 to 3 of pi, and oh-my-pi, whose `title` line may stand before the header. Native: opened by its store. */
export const pi: Format = { id: "pi", title: "pi or oh-my-pi", detect: hasHeader };

/**
 * The lines of a version 3 session file, without line ends: the header, then one entry a line [S1].
 *
 * Keys stand in pi's order (`type`, `id`, `parentId`, `timestamp`, then the rest as given); the same input gives the
 * same bytes [I7].
 */
export function* writeLines(header: SessionHeader, entries: Iterable<Entry>): Generator<string> {
  yield encodeHeader({ ...header, version: SESSION_VERSION });
  for (const entry of entries) yield encodeEntry(entry);
}

/** Version 1 headers have no `version`. A header longer than the head is known by its first key. */
function hasHeader(head: Head): boolean {
  const first = head.records.find((record) => record.type !== "title");
  if (first) return first.type === "session" && typeof first.id === "string";
  return /^\s*\{"type":"session",/.test(head.text);
}
