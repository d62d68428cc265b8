import type { Warning } from "../../errors.ts";
import type { EntryMeta } from "./entry.ts";

/** What `Tree.add` takes: an entry's metadata, plus the small facts that the tree keeps by itself. */
export interface TreeInput extends EntryMeta {
  /** Of `label` entries. */
  readonly targetId?: string;
  readonly label?: string;
  /** Of `session_info` entries. */
  readonly name?: string;
}

/**
 * The shape of a session: ids, parents, types, labels; never bodies.
 *
 * Tolerates what files hold [S7]: an unknown parent makes a root, self-parents and cycles are cut with a warning, of
 * duplicate ids the last wins. Nothing recurses; `add` is O(1), `path` O(its length).
 */
export declare class Tree {
  readonly size: number;
  readonly warnings: readonly Warning[];
  /** The newest `session_info` name. */
  readonly name: string | undefined;
  add(input: TreeInput): void;
  has(id: string): boolean;
  get(id: string): EntryMeta | undefined;
  /** Ids in order of appearance. */
  ids(): IterableIterator<string>;
  /** `null` for a root, for an unknown parent, and where a cycle was cut. */
  parent(id: string): string | null;
  /** In order of appearance; `null` asks for the roots. */
  children(id: string | null): string[];
  /** Ids from the root to `id`, both included. Unknown id: empty. */
  path(id: string | null): string[];
  /** The deepest entry on both paths, or null. */
  commonAncestor(a: string | null, b: string | null): string | null;
  /** Last writer wins over the whole session [S11]. */
  label(id: string): string | undefined;
}
