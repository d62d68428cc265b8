import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { encodeEntry, entryProblem } from "../../core/session/codec.ts";
import { type Entry, SESSION_VERSION } from "../../core/session/entry.ts";
import { migrationOf } from "../../core/session/migrations.ts";
import { EspalierError } from "../../errors.ts";
import { checkSame } from "./append.ts";
import { writeError } from "./errors.ts";
import { indexFile } from "./full-index.ts";
import type { FoundHeader } from "./header.ts";
import type { Place } from "./places.ts";
import { lineProblems } from "./problems.ts";
import { openSessionFile, type SessionFile } from "./session-file.ts";
import { streamEntries } from "./stream.ts";
import { pendingFile, syncFolder } from "./write-file.ts";

const BLOCK = 1 << 20;
const LF = 10;

interface Change {
  readonly place: Place;
  readonly entry: Entry;
}

/** The file beside a session that keeps what was rewritten, word for word [R2]. */
export function originalsPath(path: string): string {
  return `${path.replace(/\.jsonl$/, "")}.originals.jsonl`;
}

/**
 * Nothing; puts a new file in the place of this one, with `entries` instead of the records of their ids [R2].
 *
 * All other bytes stay as they are. The originals are on the disk beside the session before it is replaced, in one step:
 * whenever the process dies, every text is in one of the two files. Rejects `ENTRY_NOT_FOUND`, `ENTRY_INVALID`,
 * `SESSION_CHANGED` and `STORE_IO`, with the session as it was.
 */
export async function rewriteFile(file: SessionFile, found: FoundHeader, entries: readonly Entry[]): Promise<void> {
  const index = await indexFile(file, found, lineProblems(file.path));
  const changes = entries.map((entry) => ({ entry, place: placeOf(file, entry, index.place(entry.id)) }));
  changes.sort((a, b) => a.place.offset - b.place.offset);
  checkSame(file);
  keepOriginals(file, changes);
  const pending = pendingFile(file.path, file.mode & 0o777);
  try {
    let at = 0;
    for (const { place, entry } of changes) {
      for (const bytes of blocks(file, at, place.offset)) pending.copy(bytes);
      pending.copy(Buffer.from(encodeEntry(entry), "utf8"));
      at = place.offset + place.length;
    }
    for (const bytes of blocks(file, at, file.size)) pending.copy(bytes);
    pending.publish(true);
  } finally {
    pending.discard();
  }
}

/** The entries that were rewritten, in the order in which they were; none where nothing ever was. */
export async function* readOriginals(path: string): AsyncGenerator<Entry> {
  const beside = originalsPath(path);
  if (!existsSync(beside)) return;
  const file = openSessionFile(beside);
  const { migration, problems } = { migration: migrationOf(V3), problems: lineProblems(beside) };
  try {
    for await (const { entry } of streamEntries({ file, migration, problems })) yield entry;
  } finally {
    file.close();
  }
}

const V3 = { type: "session", version: SESSION_VERSION, id: "", timestamp: "", cwd: "" } as const;

function placeOf(file: SessionFile, entry: Entry, place: Place | null): Place {
  const problem = entryProblem(entry);
  const about = { path: file.path, id: entry.id };
  if (problem) throw new EspalierError("ENTRY_INVALID", `Entry ${entry.id} ${problem}; nothing was stored.`, about);
  if (place) return place;
  throw new EspalierError("ENTRY_NOT_FOUND", `${file.path} has no entry ${entry.id}; nothing was stored.`, about);
}

function keepOriginals(file: SessionFile, changes: readonly Change[]): void {
  const beside = originalsPath(file.path);
  try {
    const fd = openSync(beside, "a+", file.mode & 0o777);
    try {
      if (!endsInNewline(fd)) writeSync(fd, "\n");
      for (const { place } of changes) {
        for (const bytes of blocks(file, place.offset, place.offset + place.length)) put(fd, bytes);
        writeSync(fd, "\n");
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw EspalierError.is(error) ? error : writeError(beside, error);
  }
  syncFolder(beside);
}

/** The bytes from `from` up to `to`, a block at a time. */
export function* blocks(file: SessionFile, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += BLOCK) yield file.read(at, Math.min(BLOCK, to - at));
}

function put(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** False after a write that was cut off: the next record starts on a line of its own. */
function endsInNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === LF);
}
