import { SESSION_VERSION, type SessionHeader } from "./entry.ts";
import type { JsonRecord } from "./records.ts";

/** Where a record stood in its file. */
export interface RecordPlace {
  /** 1-based. */
  readonly line: number;
  /** Number of records before it on the same line; above 0 only where records were glued together. */
  readonly nth: number;
}

/** Turns the records of one file, given in their order, into the next version; changes them in place. */
type Step = (record: JsonRecord, place: RecordPlace) => void;

/** One named step from version `from` to the next [S4]. `start` is called once a file. */
export interface Migration {
  readonly name: string;
  readonly from: number;
  start(header: SessionHeader): Step;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: "linear ids and firstKeptEntryIndex", from: 1, start: linearIds },
  { name: "hookMessage becomes custom", from: 2, start: () => customRole },
];

/** A file's migration to the current version. */
export interface FileMigration {
  /** The header with its new version. */
  readonly header: SessionHeader;
  /** Names of the steps that apply; none for a current or newer file. */
  readonly steps: readonly string[];
  /** Migrates one record in place, given in file order, the header left out. */
  apply(record: JsonRecord, place: RecordPlace): void;
}

/**
 * The migration of a file with this header to version 3 [S4].
 *
 * The same file gives the same ids at every load. Streaming: call `apply` for each record in order.
 */
export function migrationOf(header: SessionHeader): FileMigration {
  const version = header.version ?? 1;
  const due = MIGRATIONS.filter((migration) => migration.from >= version);
  const steps = due.map((migration) => migration.start(header));
  return {
    header: due.length === 0 ? header : { ...header, version: SESSION_VERSION },
    steps: due.map((migration) => migration.name),
    apply(record, place) {
      for (const step of steps) step(record, place);
    },
  };
}

/** Version 1 has no ids: the file's order is the path. Indexes count the records that can be read, the header being 0. */
function linearIds(header: SessionHeader): Step {
  const id = idMaker(header.id);
  const counted: (string | null)[] = [null];
  let previous: string | null = null;
  let glued = 0;
  return (record, place) => {
    const own = typeof record.id === "string" && record.id !== "" ? record.id : null;
    // Lines stay below 2^31, so glued records are numbered from there on without meeting one.
    const current: string = own ?? id(place.nth === 0 ? place.line : 2 ** 31 + glued++);
    if (own === null || record.parentId === undefined) record.parentId = previous;
    record.id = current;
    previous = current;
    counted.push(current);
    const index = record.firstKeptEntryIndex;
    if (record.type === "compaction" && typeof index === "number") {
      delete record.firstKeptEntryIndex;
      const kept = index === 0 ? current : counted[index];
      // pi keeps nothing where the index points at the header; the compaction's own id says that [X2].
      if (kept) record.firstKeptEntryId = kept;
    }
  };
}

function customRole(record: JsonRecord): void {
  if (record.type !== "message") return;
  const message = record.message as JsonRecord | null | undefined;
  if (typeof message === "object" && message?.role === "hookMessage") message.role = "custom";
}

/** Ids of 8 hexadecimal characters; for one seed, different numbers below 2^32 give different ids. */
function idMaker(seed: string): (n: number) => string {
  let base = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) base = Math.imul(base ^ seed.charCodeAt(i), 0x01000193);
  return (n) =>
    mix((base + n) | 0)
      .toString(16)
      .padStart(8, "0");
}

/** A bijection of 32-bit numbers (the finaliser of MurmurHash3). */
function mix(n: number): number {
  let h = n;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
