import { decodeEntry, positionAfter, treeInputOf } from "../../core/session/codec.ts";
import type { Entry } from "../../core/session/entry.ts";
import { migrationOf } from "../../core/session/migrations.ts";
import type { Tree } from "../../core/session/tree.ts";
import { EspalierError, type Warning } from "../../errors.ts";
import type { LeafPosition, StoredEntry } from "../../ports/store.ts";
import { type FullIndex, indexFile } from "./full-index.ts";
import { HEAD_BYTES, readLink } from "./head.ts";
import type { FoundHeader } from "./header.ts";
import { parseBytes } from "./line.ts";
import type { Place } from "./places.ts";
import { lineProblems } from "./problems.ts";
import type { SessionFile } from "./session-file.ts";
import { streamEntries } from "./stream.ts";
import { tailIndex } from "./tail-index.ts";

const TRUSTED = 1 << 20;

/** The reading side of a store; the writing side tells it what was added. */
export interface SessionReader {
  readonly warnings: readonly Warning[];
  readonly position: LeafPosition;
  readPath(fromId: string | null, enough?: (entry: Entry) => boolean): Promise<Entry[]>;
  read(ids: readonly string[]): Promise<Entry[]>;
  entries(range?: { fromLine?: number; toLine?: number }): AsyncIterable<StoredEntry>;
  tree(): Promise<Tree>;
  /** Reads as far back as it takes to know. */
  has(id: string): boolean;
  /** True where the id is known to be in use, without reading for it. */
  knows(id: string): boolean;
  added(entries: readonly Entry[], places: readonly Place[]): void;
}

/**
 * A reader of a version 3 file. Reads backwards as far as it is asked for; once the tree has been asked for, by place [S10].
 *
 * Reads on the path are synchronous, so that an answer never mixes two states of the file.
 */
export function sessionReader(file: SessionFile, found: FoundHeader): SessionReader {
  const problems = lineProblems(file.path);
  const tail = tailIndex(file, found, problems);
  let full: FullIndex | null = null;
  let building: Promise<FullIndex> | null = null;
  let addedMeanwhile: [Entry, Place][] = [];
  const missing = new Map<string, Warning>();

  const placeOf = (id: string): Place | null => (full ? full.place(id) : tail.locate(id));
  let position = newestPosition();

  function newestPosition(): LeafPosition {
    for (let newest = tail.newest(); newest !== null; newest = tail.dropNewest()) {
      const place = tail.locate(newest.id);
      // A long entry that is no marker is taken at its first bytes' word: parsing it would cost more than opening.
      if (newest.type !== "custom" && (place?.length ?? 0) > TRUSTED) return { leafId: newest.id, tipId: newest.id };
      const entry = bodyAt(place);
      if (entry) return positionAfter(entry);
    }
    return positionAfter(null);
  }

  /** The entry that stands at `place`; null and a warning where it can't be read after all. */
  function bodyAt(place: Place | null): Entry | null {
    if (place === null) return null;
    const bytes = tail.bytes(place) ?? file.read(place.offset, place.length);
    const { records, text = "", problem } = parseBytes(bytes);
    const decoded = records[0] ? decodeEntry(records[0].value, text) : { problem: problem ?? "holds no entry" };
    const odd = "problem" in decoded ? decoded.problem : problem;
    if (odd !== undefined) problems.report({ offset: place.offset, number: 0, ended: true }, odd);
    return "entry" in decoded ? decoded.entry : null;
  }

  /** Where an unreadable record's children belong, from what its first bytes still say. */
  function parentAt(place: Place): string | null {
    return readLink(file.read(place.offset, Math.min(place.length, HEAD_BYTES)))?.parentId ?? null;
  }

  function pathFromTail(fromId: string | null, enough: (entry: Entry) => boolean): Entry[] | null {
    const path: Entry[] = [];
    let child = Number.POSITIVE_INFINITY;
    for (let id = fromId; id !== null; ) {
      const place = tail.locate(id);
      const bypass = place ? null : tail.bypass(id);
      if (!place && !bypass) {
        if (path.length === 0) throw notFound(id);
        noteMissing(id, path.at(-1)?.id);
        break;
      }
      const offset = (place ?? bypass)?.offset as number;
      // A parent that stands after its child may be part of a cycle; only the whole tree can tell.
      if (offset >= child) return null;
      child = offset;
      const entry = bodyAt(place);
      if (entry) {
        path.push(entry);
        if (enough(entry)) break;
      }
      id = entry ? entry.parentId : place ? parentAt(place) : (bypass?.parentId ?? null);
    }
    return path.reverse();
  }

  function pathFromTree(index: FullIndex, fromId: string | null, enough: (entry: Entry) => boolean): Entry[] {
    if (fromId !== null && !index.tree.has(fromId)) throw notFound(fromId);
    const path: Entry[] = [];
    for (let id = fromId; id !== null; id = index.tree.parent(id)) {
      const entry = bodyAt(index.place(id));
      if (!entry) continue;
      path.push(entry);
      if (enough(entry)) break;
    }
    return path.reverse();
  }

  function notFound(id: string): EspalierError {
    const message = `${file.path} has no entry ${id} that can be read; \`espalier tree\` lists its entries.`;
    return new EspalierError("ENTRY_NOT_FOUND", message, { path: file.path, id });
  }

  function noteMissing(parentId: string, entryId = ""): void {
    const message = `The parent ${parentId} of entry ${entryId} is not in the session; the entry counts as a root.`;
    missing.set(parentId, { code: "PARENT_MISSING", message, entryId });
  }

  async function fullIndex(): Promise<FullIndex> {
    if (full) return full;
    building ??= indexFile(file, found, problems).then(
      (index) => {
        for (const [entry, place] of addedMeanwhile) index.entry(treeInputOf(entry), place.offset, place.length);
        addedMeanwhile = [];
        missing.clear();
        tail.forget();
        full = index;
        return index;
      },
      (error: unknown) => {
        building = null;
        addedMeanwhile = [];
        throw error;
      },
    );
    return building;
  }

  return {
    get warnings() {
      return [...problems.list(), ...missing.values(), ...(full?.tree.warnings ?? [])];
    },
    get position() {
      return position;
    },
    async readPath(fromId, enough = () => false) {
      const fromTail = full ? null : pathFromTail(fromId, enough);
      return fromTail ?? pathFromTree(await fullIndex(), fromId, enough);
    },
    async read(ids) {
      return ids.map((id) => {
        const entry = bodyAt(placeOf(id));
        if (!entry) throw notFound(id);
        return entry;
      });
    },
    entries(range) {
      return streamEntries({ file, problems, migration: migrationOf(found.header), ...range });
    },
    tree: async () => (await fullIndex()).tree,
    has: (id) => placeOf(id) !== null,
    knows: (id) => (full ? full.tree.has(id) : tail.knows(id)),
    added(entries, places) {
      for (const [i, entry] of entries.entries()) {
        const place = places[i] as Place;
        if (full) full.entry(treeInputOf(entry), place.offset, place.length);
        else tail.add(entry.id, place);
        if (!full && building) addedMeanwhile.push([entry, place]);
      }
      position = positionAfter(entries.at(-1) ?? null);
    },
  };
}
