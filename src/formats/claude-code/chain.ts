import type { Warning } from "../../errors.ts";
import type { ChainLine } from "./lines.ts";
import type { Transcript } from "./transcript.ts";

export interface Parents {
  /** For each chained line the place of its parent, or null for a root. */
  readonly parents: (number | null)[];
  readonly warnings: Warning[];
}

/**
 * The parent of every line, through interface lines that are not imported, and over compaction boundaries.
 *
 * A parent that the file does not hold (its line was broken, or the file is the rest of a longer one) is replaced by
 * the line before it in the same lane, so that nothing said before is cut off; one warning counts them [S7].
 */
export function resolveParents(transcript: Transcript): Parents {
  const { lines, before, passed, byUuid } = transcript;
  const through = new Map<string, number | null>();
  const dangling: number[] = [];

  const follow = (start: ChainLine): number | null => {
    let uuid = parentOf(start);
    let last = before[start.at] ?? null;
    const walked: string[] = [];
    let found: number | null = null;
    for (;;) {
      if (uuid === null) break;
      const known = byUuid.get(uuid) ?? through.get(uuid);
      if (known !== undefined) {
        found = known;
        break;
      }
      const step = passed.get(uuid);
      if (!step || walked.length > passed.size) {
        found = last;
        if (last !== null) dangling.push(start.line);
        break;
      }
      walked.push(uuid);
      last = step.before;
      uuid = step.parentUuid;
    }
    for (const one of walked) through.set(one, found);
    return found;
  };

  const parents = lines.map((line) => {
    if (isBoundary(line) && parentOf(line) === null) return before[line.at] ?? null;
    const parent = follow(line);
    return parent === line.at ? null : parent;
  });
  if (dangling.length === 0) return { parents, warnings: [] };
  const where = dangling.length > 5 ? `${dangling.slice(0, 5).join(", ")}, …` : dangling.join(", ");
  const message = `${dangling.length} lines name a parent that is not in the file (lines ${where}); each was attached to the line before it`;
  return { parents, warnings: [{ code: "unknown-parent", message, line: dangling[0]! }] };
}

/** A full compaction starts a new root; what it stands on is in `logicalParentUuid`. */
export function isBoundary(line: ChainLine): boolean {
  return line.type === "system" && line.raw.subtype === "compact_boundary";
}

function parentOf(line: ChainLine): string | null {
  const { logicalParentUuid } = line.raw;
  return isBoundary(line) && typeof logicalParentUuid === "string" ? logicalParentUuid : line.parentUuid;
}
