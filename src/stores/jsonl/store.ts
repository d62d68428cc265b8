import { dirname } from "node:path";
import { encodeEntry, positionAfter } from "../../core/session/codec.ts";
import type { Entry, SessionHeader } from "../../core/session/entry.ts";
import type { FileMigration } from "../../core/session/migrations.ts";
import { EspalierError, type Warning } from "../../errors.ts";
import type { SessionStore } from "../../ports/store.ts";
import { checkBatch } from "../batch.ts";
import { type Appender, type Fsync, openAppender } from "./append.ts";
import { readOnlySession } from "./errors.ts";
import { type FoundHeader, readHeader } from "./header.ts";
import { takeLock } from "./lock.ts";
import { migrateFile } from "./migrate-file.ts";
import type { LineProblems } from "./problems.ts";
import { type SessionReader, sessionReader } from "./reader.ts";
import { readOriginals, rewriteFile } from "./rewrite.ts";
import { openSessionFile, type SessionFile } from "./session-file.ts";
import { streamEntries } from "./stream.ts";
import { sweepTemporaries } from "./temporary.ts";

/** A version 1 or 2 session, migrated in memory. */
export interface OldSession {
  readonly header: SessionHeader;
  readonly entries: readonly Entry[];
  readonly held: SessionStore;
  readonly problems: LineProblems;
  readonly migration: FileMigration;
}

export interface JsonlParts {
  readonly file: SessionFile;
  readonly found: FoundHeader;
  readonly readOnly: boolean;
  readonly tooNew: boolean;
  /** Gives up the lock, where it was taken at opening. */
  readonly release: (() => void) | null;
  readonly fsync: Fsync;
  readonly warnings: readonly Warning[];
  readonly old: OldSession | null;
}

/** The store over an opened session file: a reader, and from the first append on a lock and an appender. */
export function jsonlStore(parts: JsonlParts): SessionStore {
  const { readOnly, fsync } = parts;
  const location = parts.file.path;
  let { file, old } = parts;
  let { header } = parts.found;
  let reader: SessionReader = old ? oldReader(file, old) : sessionReader(file, parts.found);
  let appender: Appender | null = null;
  let release = parts.release;
  let closed = false;

  const checkOpen = () => {
    if (closed) throw new EspalierError("SESSION_CLOSED", `${location} is closed; open it again.`, { location });
  };
  const refuse = () => {
    const why = `is of a newer version (${parts.found.header.version}) than this program writes`;
    if (parts.tooNew)
      throw new EspalierError("VERSION_TOO_NEW", `${location} ${why}; nothing was stored.`, { location });
    throw readOnlySession(location, "is open for reading only");
  };
  /** Takes the lock and opens the writing end; leaves no lock behind when that fails. */
  const startWriting = () => {
    release ??= takeLock(location);
    sweepTemporaries(dirname(location));
    try {
      appender = openAppender(file, fsync);
    } catch (error) {
      release();
      release = null;
      throw error;
    }
  };
  /** The first append to an old file replaces it by its migrated form, these entries included. */
  const appendMigrated = (session: OldSession, entries: readonly Entry[]) => {
    migrateFile(file, session.header, session.entries, entries);
    openReplaced();
    header = session.header;
    old = null;
  };
  /** Goes on with the file that stands in this one's place now. */
  const openReplaced = () => {
    appender?.close();
    file.close();
    file = openSessionFile(location);
    reader = sessionReader(file, readHeader(file));
    appender = openAppender(file, fsync);
  };

  return {
    supports: { durable: true, locks: true, rewrite: true },
    location,
    readOnly,
    get header() {
      return header;
    },
    get warnings() {
      return [...parts.warnings, ...reader.warnings];
    },
    position: () => reader.position,

    async readPath(fromId, enough) {
      checkOpen();
      return reader.readPath(fromId, enough);
    },
    async read(ids) {
      checkOpen();
      return reader.read(ids);
    },
    entries(range) {
      checkOpen();
      return reader.entries(range);
    },
    async tree() {
      checkOpen();
      return reader.tree();
    },

    async append(entries) {
      checkOpen();
      if (readOnly) refuse();
      const tip = reader.position.tipId;
      checkBatch(entries, location, (id) => id === tip || reader.has(id), reader.knows);
      if (entries.length === 0) return;
      if (appender === null) startWriting();
      if (old) appendMigrated(old, entries);
      else if (appender) reader.added(entries, appender.append(entries.map(encodeEntry)));
    },
    async rewrite(entries) {
      checkOpen();
      if (readOnly) refuse();
      if (entries.length === 0) return;
      if (appender === null) startWriting();
      if (old) appendMigrated(old, []);
      await rewriteFile(file, readHeader(file), entries);
      openReplaced();
    },
    originals() {
      checkOpen();
      return readOriginals(location);
    },
    async endTurn() {
      checkOpen();
      await appender?.sync();
    },
    async close() {
      if (closed) return;
      closed = true;
      try {
        await appender?.sync();
      } finally {
        appender?.close();
        release?.();
        file.close();
      }
    },
  };
}

/** Reads an old session from memory; only the stored lines themselves come from the file. */
function oldReader(file: SessionFile, { entries, held, problems, migration }: OldSession): SessionReader {
  const ids = new Set(entries.map((entry) => entry.id));
  return {
    get warnings() {
      return [...problems.list(), ...held.warnings];
    },
    position: positionAfter(entries.at(-1) ?? null),
    readPath: held.readPath,
    read: held.read,
    tree: held.tree,
    entries: (range) => streamEntries({ file, migration, problems, ...range }),
    has: (id) => ids.has(id),
    knows: (id) => ids.has(id),
    added() {},
  };
}
