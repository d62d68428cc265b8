import { accessSync, closeSync, constants, mkdirSync, openSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { encodeHeader } from "../../core/session/codec.ts";
import { type Entry, SESSION_VERSION, type SessionHeader } from "../../core/session/entry.ts";
import { type FileMigration, migrationOf } from "../../core/session/migrations.ts";
import type { Warning } from "../../errors.ts";
import type { SessionStore } from "../../ports/store.ts";
import { createMemoryStore } from "../memory.ts";
import type { Fsync } from "./append.ts";
import { type BlobPlace, withBlobs } from "./blobs.ts";
import { systemCode, writeError } from "./errors.ts";
import { readHeader } from "./header.ts";
import { takeLock } from "./lock.ts";
import { lineProblems } from "./problems.ts";
import { openSessionFile, type SessionFile } from "./session-file.ts";
import { jsonlStore, type OldSession } from "./store.ts";
import { streamEntries } from "./stream.ts";
import { outExists, syncFolder } from "./write-file.ts";

export interface JsonlOptions {
  /** Never writes, not even a lock. Also the case where the file or its folder can't be written. */
  readonly readOnly?: boolean;
  /** Takes the lock now instead of at the first append: nobody else's append can come between reading and writing. */
  readonly claim?: boolean;
  /** Makes a new file with this header; the path must be free. */
  readonly create?: SessionHeader;
  /** When appends are forced to the disk; `turn` by default. */
  readonly fsync?: Fsync;
  /** Where images go that are appended; `inline` by default. Those that stand outside are read either way. */
  readonly blobs?: BlobPlace;
}

/**
 * The session in a JSONL file of pi's format, version 1 to 3 [S1, S4]; a newer one opens for reading only.
 *
 * Costs the end of the file, not the file [S10] (versions 1 and 2 are read whole). Opening never writes; the first append
 * takes the lock. Rejects `NOT_A_SESSION`, `FILE_NOT_FOUND`, `FILE_UNREADABLE`; with `create` also `OUT_EXISTS`, `STORE_IO`.
 */
export async function openJsonlStore(path: string, options: JsonlOptions = {}): Promise<SessionStore> {
  if (options.create) createFile(path, options.create);
  let file = openSessionFile(path);
  let release: (() => void) | null = null;
  try {
    const writable = options.readOnly !== true && isWritable(file.path);
    if (writable && options.claim) {
      release = takeLock(file.path);
      // Whoever held the lock before may have written since.
      file.close();
      file = openSessionFile(path);
    }
    const found = readHeader(file);
    const migration = migrationOf(found.header);
    const tooNew = (migration.header.version ?? 1) > SESSION_VERSION;
    const store = jsonlStore({
      file,
      found,
      readOnly: !writable || tooNew,
      tooNew,
      release,
      fsync: options.fsync ?? "turn",
      warnings: tooNew ? [newerVersion(file.path, found.header)] : [],
      old: migration.steps.length > 0 ? await readOld(file, migration) : null,
    });
    return withBlobs(store, options.blobs ?? "inline");
  } catch (error) {
    file.close();
    release?.();
    throw error;
  }
}

function createFile(path: string, header: SessionHeader): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const fd = openSync(path, "wx");
    writeFileSync(fd, `${encodeHeader({ ...header, version: SESSION_VERSION })}\n`);
    closeSync(fd);
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? outExists(path) : writeError(path, error);
  }
  syncFolder(path);
}

async function readOld(file: SessionFile, migration: FileMigration): Promise<OldSession> {
  const entries: Entry[] = [];
  const problems = lineProblems(file.path);
  for await (const { entry } of streamEntries({ file, migration, problems })) entries.push(entry);
  const { header } = migration;
  return { header, entries, held: createMemoryStore({ header, entries, location: file.path }), problems, migration };
}

function newerVersion(path: string, header: SessionHeader): Warning {
  const message = `${basename(path)} is of version ${header.version}, newer than ${SESSION_VERSION}; it is open for reading only.`;
  return { code: "VERSION_TOO_NEW", message };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
