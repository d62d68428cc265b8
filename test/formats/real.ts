import { createHash } from "node:crypto";
import type { Entry } from "../../src/core/session/entry.ts";
import { label, tally } from "./shape.ts";

/** What is kept of a real session in this repository: counts and a hash, never content. */
export interface Digest {
  readonly entries: number;
  readonly kinds: Record<string, number>;
  readonly sha256: string;
}

export function digestOf(entries: readonly Entry[]): Digest {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${label(entry)}\n${said(entry)}\n`);
  return { entries: entries.length, kinds: tally(entries.map(label)), sha256: hash.digest("hex") };
}

/** The content of an entry as one string, whatever its type. */
function said(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return JSON.stringify("content" in entry.message ? entry.message.content : entry.message);
    case "custom_message":
      return JSON.stringify(entry.content);
    case "compaction":
      return entry.summary;
    default:
      return JSON.stringify(entry);
  }
}
