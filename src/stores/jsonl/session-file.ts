import { closeSync, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { EspalierError } from "../../errors.ts";
import { cutShort, readError } from "./errors.ts";

/** A session file open for reading, and what identifies it: appends check that it is still the same [S9]. */
export interface SessionFile {
  /** Without symbolic links, so that every name of the file leads to one lock. */
  readonly path: string;
  readonly fd: number;
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  /** Bytes that belong to the session as we know it; our own appends enlarge it. */
  size: number;
  /** Exactly these bytes. Throws `SESSION_CHANGED` where the file has become shorter. */
  read(offset: number, length: number): Buffer;
  /** Fills the start of `target` from `offset`; gives the number of bytes. */
  readInto(target: Buffer, offset: number, length: number): number;
  close(): void;
}

/** The file, open for reading. Throws `FILE_NOT_FOUND` or `FILE_UNREADABLE`; directories and devices are unreadable. */
export function openSessionFile(path: string): SessionFile {
  // Looking before opening, since opening a named pipe would wait for its writer.
  const real = attempt(path, () => checkRegular(path, statSync(path)) && realpathSync(path));
  const fd = attempt(path, () => openSync(real, "r"));
  const { dev, ino, mode, size } = attempt(path, () => fstatSync(fd));
  let open = true;
  return {
    path: real,
    fd,
    dev,
    ino,
    mode,
    size,
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(length);
      if (this.readInto(bytes, offset, length) < length) throw cutShort(path);
      return bytes;
    },
    readInto(target, offset, length) {
      let done = 0;
      while (done < length) {
        const got = attempt(path, () => readSync(fd, target, done, length - done, offset + done));
        if (got === 0) break;
        done += got;
      }
      return done;
    },
    close() {
      if (open) closeSync(fd);
      open = false;
    },
  };
}

function checkRegular(path: string, stats: Stats): true {
  if (stats.isFile()) return true;
  const what = stats.isDirectory()
    ? "is a folder; name a session file in it"
    : "is no regular file; name a session file";
  throw new EspalierError("FILE_UNREADABLE", `${path} ${what}.`, { path });
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw EspalierError.is(error) ? error : readError(path, error);
  }
}
