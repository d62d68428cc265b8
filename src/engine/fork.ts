import { encodeEntry } from "../core/session/codec.ts";
import type { SessionHeader } from "../core/session/entry.ts";
import { createPathFork, forkHeader } from "../core/session/fork.ts";
import type { Tree } from "../core/session/tree.ts";
import { EspalierError } from "../errors.ts";
import type { SessionStore, StoredEntry } from "../ports/store.ts";
import { contentClock } from "./clock.ts";

/** A session made of one path of another: `lines` are encoded entries without line ends, to be read once. */
export interface SessionFork {
  readonly header: SessionHeader;
  readonly lines: AsyncIterable<string>;
}

/**
 * The path to `entryId` as a session of its own [S11]. Stores nothing.
 *
 * Entries that stay as they are keep their bytes. Streams: memory is that of the tree's metadata. The new identity
 * follows from the old session and the entry, so that two runs give the same lines [I7]. Rejects `ENTRY_NOT_FOUND`.
 */
export async function forkPath(store: SessionStore, entryId: string): Promise<SessionFork> {
  const tree = await store.tree();
  if (!tree.has(entryId)) {
    const message = `${store.location} has no entry ${entryId}; \`espalier tree\` lists its entries.`;
    throw new EspalierError("ENTRY_NOT_FOUND", message, { location: store.location, id: entryId });
  }
  const [leaf] = await store.read([entryId]);
  const clock = contentClock(`${store.header.id}:${entryId}`, leaf?.timestamp ?? store.header.timestamp);
  const stamp = () => ({ id: clock.newId(), timestamp: new Date(clock.now()).toISOString() });
  const header = forkHeader(store.header, { ...stamp(), parentSession: store.location });

  async function* lines(): AsyncGenerator<string> {
    const fork = createPathFork(tree, entryId);
    for await (const { entry, raw } of inOrder(store, tree, entryId)) {
      const forked = fork.next(entry);
      if (forked) yield forked === entry ? raw : encodeEntry(forked);
    }
    for (const entry of fork.end(stamp)) yield encodeEntry(entry);
  }
  return { header, lines: lines() };
}

/** The stored entries of a path, oldest first; only those that stand before their parents in the file are held back. */
async function* inOrder(store: SessionStore, tree: Tree, leafId: string): AsyncGenerator<StoredEntry> {
  const path = tree.path(leafId);
  const places = new Map(path.map((id, at) => [id, at]));
  const newest = await newestLines(store, tree, places);
  const early = new Map<number, StoredEntry>();
  let due = 0;
  for await (const stored of store.entries()) {
    const place = places.get(stored.entry.id);
    if (place === undefined || isOutdated(stored)) continue;
    early.set(place, stored);
    for (let next = early.get(due); next; next = early.get(due)) {
      early.delete(due++);
      yield next;
    }
    if (due === path.length) return;
  }
  // One that could not be read after all has held back those behind it.
  for (const [, stored] of [...early].sort(([a], [b]) => a - b)) yield stored;

  function isOutdated({ entry, line }: StoredEntry): boolean {
    return line < (newest.get(entry.id) ?? 0);
  }
}

/** Of ids that stand on several lines the last one counts [S7]: those lines. Scans only where there are such ids. */
async function newestLines(
  store: SessionStore,
  tree: Tree,
  places: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  const doubled = new Set(tree.warnings.flatMap(({ code, entryId }) => (code === "DUPLICATE_ID" && entryId) || []));
  if (![...doubled].some((id) => places.has(id))) return lines;
  for await (const { entry, line } of store.entries()) if (doubled.has(entry.id)) lines.set(entry.id, line);
  return lines;
}
