import { encodeEntry, positionAfter, treeInputOf } from "../core/session/codec.ts";
import { type Entry, SESSION_VERSION, type SessionHeader } from "../core/session/entry.ts";
import { Tree } from "../core/session/tree.ts";
import { EspalierError, type Warning } from "../errors.ts";
import type { SessionStore, StoredEntry } from "../ports/store.ts";
import { checkBatch } from "./batch.ts";

export interface MemoryStoreOptions {
  readonly header?: SessionHeader;
  /** In stored order; held as they are, not copied. */
  readonly entries?: readonly Entry[];
  readonly readOnly?: boolean;
  /** What whoever made the entries found odd. */
  readonly warnings?: readonly Warning[];
  /** For errors and the command line; `memory` by default. */
  readonly location?: string;
}

/**
 * A session held in memory: for tests, for imported sessions of other agents, and for short-lived agents.
 *
 * Keeps every promise of the store port but durability and locks. Entries with duplicate ids, unknown parents and cycles
 * are taken as files hold them [S7]; `append` is as strict as any store's.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const location = options.location ?? "memory";
  const readOnly = options.readOnly ?? false;
  const stored: Entry[] = [...(options.entries ?? [])];
  const replaced: Entry[] = [];
  const bodies = new Map<string, Entry>();
  const tree = new Tree();
  let position = positionAfter(stored.at(-1) ?? null);
  let closed = false;

  const take = (entry: Entry) => {
    bodies.set(entry.id, entry);
    tree.add(treeInputOf(entry));
  };
  stored.forEach(take);

  const checkOpen = () => {
    if (closed) throw new EspalierError("SESSION_CLOSED", `${location} is closed; open it again.`, { location });
  };
  const checkWritable = () => {
    checkOpen();
    if (readOnly) throw new EspalierError("SESSION_READ_ONLY", `${location} is open for reading only.`, { location });
  };
  const body = (id: string): Entry => {
    const entry = bodies.get(id);
    if (entry) return entry;
    throw new EspalierError("ENTRY_NOT_FOUND", `${location} has no entry ${id}.`, { location, id });
  };

  return {
    supports: { durable: false, locks: false, rewrite: true },
    location,
    readOnly,
    header: options.header ?? { type: "session", version: SESSION_VERSION, id: "memory", timestamp: "", cwd: "" },
    get warnings() {
      return [...(options.warnings ?? []), ...tree.warnings];
    },
    position: () => position,

    async readPath(fromId, enough = () => false) {
      checkOpen();
      const path: Entry[] = [];
      for (let id = fromId; id !== null; id = tree.parent(id)) {
        const entry = body(id);
        path.push(entry);
        if (enough(entry)) break;
      }
      return path.reverse();
    },

    async read(ids) {
      checkOpen();
      return ids.map(body);
    },

    async *entries({ fromLine = 1, toLine = Number.POSITIVE_INFINITY } = {}): AsyncGenerator<StoredEntry> {
      checkOpen();
      const end = Math.min(stored.length, toLine - 1);
      for (let i = Math.max(0, fromLine - 2); i < end; i++) {
        const entry = stored[i] as Entry;
        yield { entry, line: i + 2, raw: encodeEntry(entry) };
      }
    },

    async tree() {
      checkOpen();
      return tree;
    },

    async append(entries) {
      checkWritable();
      checkBatch(entries, location, (id) => bodies.has(id));
      for (const entry of entries) {
        stored.push(entry);
        take(entry);
      }
      if (entries.length > 0) position = positionAfter(entries.at(-1) as Entry);
    },

    async rewrite(entries) {
      checkWritable();
      const originals = entries.map(({ id }) => body(id));
      const news = new Map(originals.map((original, at) => [original, entries[at] as Entry]));
      for (const original of originals) replaced.push(original);
      for (const [at, entry] of stored.entries()) stored[at] = news.get(entry) ?? entry;
      for (const entry of entries) bodies.set(entry.id, entry);
    },
    async *originals() {
      checkOpen();
      yield* replaced;
    },

    async endTurn() {
      checkOpen();
    },
    async close() {
      closed = true;
    },
  };
}
