import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { EspalierError } from "../../errors.ts";
import { readOnlySession, sessionChanged, systemCode, writeError } from "./errors.ts";
import type { Place } from "./places.ts";
import type { SessionFile } from "./session-file.ts";

/** When appended bytes are forced to the disk: at each append, at each end of a turn, or when the system likes [S5]. */
export type Fsync = "always" | "turn" | "never";

/** The writing end of a session file. */
export interface Appender {
  /** Adds the lines in one write and gives their places. Throws with the file as it was before [S5]. */
  append(lines: readonly string[]): Place[];
  sync(): Promise<void>;
  close(): void;
}

const LF = 10;
/** The blank marks a line that was cut off, so that it is never taken for a whole one. */
const FRESH = " \n";
const syncData = promisify(fdatasync);

/** The system calls that can fail half-way; tests put failing ones in their place. */
export interface WriteCalls {
  write(fd: number, bytes: Buffer, offset: number, length: number): number;
}
const SYSTEM: WriteCalls = { write: writeSync };
/** Most batches fit; each appender keeps these bytes. */
const BATCH = 64 << 10;
const MISSING_IS_FINE = { throwIfNoEntry: false } as const;

/**
 * An appender on the file, kept open; synchronous, since a write to the page cache is faster than a promise.
 *
 * Throws `SESSION_READ_ONLY` without permission and `SESSION_CHANGED` when the path no longer leads to this file.
 */
export function openAppender(file: SessionFile, fsync: Fsync, calls: WriteCalls = SYSTEM): Appender {
  checkSame(file);
  const fd = openForAppending(file);
  let lineOpen = !endsInNewline(file);
  let unsynced = false;
  let broken: EspalierError | null = null;

  const kept = Buffer.allocUnsafeSlow(BATCH);

  const writeWhole = (bytes: Buffer, length: number) => {
    try {
      for (let done = 0; done < length; ) done += calls.write(fd, bytes, done, length - done);
      if (fsync === "always") fdatasyncSync(fd);
    } catch (error) {
      undo(error);
      throw writeError(file.path, error);
    }
  };
  const undo = (cause: unknown) => {
    try {
      ftruncateSync(fd, file.size);
    } catch (error) {
      const message = `Half an entry may stand at the end of ${file.path} (${systemCode(error)}); open it again.`;
      broken = new EspalierError("STORE_IO", message, { path: file.path }, cause);
    }
  };

  return {
    append(lines) {
      if (broken) throw broken;
      checkSame(file);
      // No character takes more than three bytes.
      let room = FRESH.length;
      for (const line of lines) room += line.length * 3 + 1;
      const bytes = room <= BATCH ? kept : Buffer.allocUnsafe(room);
      let length = lineOpen ? bytes.write(FRESH, 0, "latin1") : 0;
      const places: Place[] = [];
      for (const line of lines) {
        const written = bytes.write(line, length, "utf8");
        places.push({ offset: file.size + length, length: written });
        length += written;
        bytes[length++] = LF;
      }
      writeWhole(bytes, length);
      file.size += length;
      lineOpen = false;
      unsynced = fsync === "turn";
      return places;
    },
    async sync() {
      if (!unsynced) return;
      try {
        await syncData(fd);
        unsynced = false;
      } catch (error) {
        throw writeError(file.path, error);
      }
    },
    close: () => closeSync(fd),
  };
}

function openForAppending(file: SessionFile): number {
  let fd: number;
  try {
    fd = openSync(file.path, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    throw readOnlySession(file.path, `can't be written (${systemCode(error)})`);
  }
  const { dev, ino } = fstatSync(fd);
  if (dev === file.dev && ino === file.ino) return fd;
  closeSync(fd);
  throw sessionChanged(file.path, "was replaced by another file");
}

/** Throws `SESSION_CHANGED` unless the path leads to the file we know, at the size we know [S9]. */
export function checkSame(file: SessionFile): void {
  const now = statSync(file.path, MISSING_IS_FINE);
  if (!now) throw sessionChanged(file.path, "was removed or moved away");
  if (now.dev !== file.dev || now.ino !== file.ino) throw sessionChanged(file.path, "was replaced by another file");
  if (now.size !== file.size) {
    throw sessionChanged(file.path, now.size > file.size ? "was added to by another program" : "was cut short");
  }
}

function endsInNewline(file: SessionFile): boolean {
  return file.size === 0 || file.read(file.size - 1, 1)[0] === LF;
}
