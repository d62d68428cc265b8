import { type Entry, LEAF_MARKER, type SessionHeader } from "./entry.ts";
import type { Tree } from "./tree.ts";

/** Turns the entries of one path, given oldest first, into those of a session of their own. */
export interface PathFork {
  /** The entry as the new session holds it: the same object where nothing changes, null for one that is left out. */
  next(entry: Entry): Entry | null;
  /** Labels and name that stand elsewhere in the old session, to follow the path's entries. */
  end(stamp: () => { readonly id: string; readonly timestamp: string }): Entry[];
}

/**
 * A fork of the path to `leafId` [S11].
 *
 * Ids stay. Labels and leaf markers of the path are left out and their children re-parented; the labels in force on
 * what stays, and the session's name, come again at the end. `firstKeptEntryId` and `targetId` move on to the next entry
 * that stays, a `fromId` off the path becomes `root`. One pass, memory of the path's ids.
 */
export function createPathFork(tree: Tree, leafId: string): PathFork {
  const onPath = new Set(tree.path(leafId));
  const kept: string[] = [];
  /** Entries that were left out, with the one that stands for them; null until that has come. */
  const standIns = new Map<string, string | null>();
  let waiting: string[] = [];
  let name: string | undefined;

  const standIn = (id: string, own: string): string => (standIns.has(id) ? (standIns.get(id) ?? own) : id);

  return {
    next(entry) {
      if (isLeftOut(entry)) {
        standIns.set(entry.id, null);
        waiting.push(entry.id);
        return null;
      }
      for (const id of waiting) standIns.set(id, entry.id);
      waiting = [];
      const parentId = kept.at(-1) ?? null;
      kept.push(entry.id);
      if (entry.type === "session_info" && typeof entry.name === "string") name = entry.name;
      return changed(entry, { parentId, ...references(entry) });
    },
    end(stamp) {
      const last: Entry[] = [];
      const add = (
        fields: { type: "label"; targetId: string; label: string } | { type: "session_info"; name: string },
      ) => last.push({ ...stamp(), ...fields, parentId: last.at(-1)?.id ?? kept.at(-1) ?? null });
      if (tree.name !== undefined && tree.name !== name) add({ type: "session_info", name: tree.name });
      for (const targetId of kept) {
        const label = tree.label(targetId);
        if (label !== undefined) add({ type: "label", targetId, label });
      }
      return last;
    },
  };

  function references(entry: Entry): Record<string, string> {
    switch (entry.type) {
      case "compaction":
        return typeof entry.firstKeptEntryId === "string"
          ? { firstKeptEntryId: standIn(entry.firstKeptEntryId, entry.id) }
          : {};
      case "branch_summary":
        return typeof entry.fromId === "string" ? { fromId: originOf(entry.fromId, entry.id) } : {};
      case "context_edit":
        return typeof entry.targetId === "string" ? { targetId: standIn(entry.targetId, entry.id) } : {};
      default:
        return {};
    }
  }

  function originOf(fromId: string, own: string): string {
    return onPath.has(fromId) ? standIn(fromId, own) : "root";
  }
}

/** The header of a fork: the old one's fields, an identity of its own, and where it comes from. */
export function forkHeader(old: SessionHeader, facts: Pick<SessionHeader, "id" | "timestamp" | "parentSession">) {
  return { ...old, version: 3, ...facts };
}

function isLeftOut(entry: Entry): boolean {
  return entry.type === "label" || (entry.type === "custom" && entry.customType === LEAF_MARKER);
}

function changed(entry: Entry, fields: Record<string, string | null>): Entry {
  const now = entry as unknown as Record<string, unknown>;
  return Object.keys(fields).every((key) => now[key] === fields[key]) ? entry : ({ ...entry, ...fields } as Entry);
}
