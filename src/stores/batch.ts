import { entryProblem } from "../core/session/codec.ts";
import type { Entry } from "../core/session/entry.ts";
import { EspalierError } from "../errors.ts";

/**
 * Nothing; throws `ENTRY_INVALID` for the first entry of a batch that no store may take: one without its four fields,
 * with an id that is taken or that the batch holds twice, or with a parent neither stored nor earlier in the batch.
 *
 * `isTaken` may know less than `isStored` where a full answer would cost reading the whole session.
 */
export function checkBatch(
  entries: readonly Entry[],
  location: string,
  isStored: (id: string) => boolean,
  isTaken: (id: string) => boolean = isStored,
): void {
  if (!Array.isArray(entries)) throw new TypeError("append takes an array of entries");
  const inBatch = new Set<string>();
  for (const entry of entries as readonly Entry[]) {
    const problem = entryProblem(entry) ?? relationProblem(entry);
    if (problem) {
      const id = (entry as Entry | null)?.id;
      const message = `Entry ${id} ${problem}; nothing was stored in ${location}.`;
      throw new EspalierError("ENTRY_INVALID", message, { location, id });
    }
    inBatch.add(entry.id);
  }

  function relationProblem({ id, parentId }: Entry): string | null {
    if (inBatch.has(id) || isTaken(id)) return "has an id that is taken";
    if (parentId === null || inBatch.has(parentId) || isStored(parentId)) return null;
    return `has a parent, ${parentId}, that is not stored`;
  }
}
