import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { encodeHeader } from "../../core/session/codec.ts";
import type { SessionHeader } from "../../core/session/entry.ts";
import { EspalierError } from "../../errors.ts";
import { systemCode, writeError } from "./errors.ts";
import { sweepTemporaries, temporaryName } from "./temporary.ts";

const BLOCK = 1 << 20;

/** A file that takes its final name only when it is whole. */
export interface PendingFile {
  write(line: string): void;
  /** These bytes as they are. */
  copy(bytes: Uint8Array): void;
  /** On disk and under its name; `overwrite: false` throws `OUT_EXISTS` where the name is taken. */
  publish(overwrite: boolean): void;
  discard(): void;
}

/** A new file beside `path`, under a name nobody else uses; lines are gathered into large writes. */
export function pendingFile(path: string, mode?: number): PendingFile {
  sweepTemporaries(dirname(path));
  const temporary = temporaryName(path);
  let held: string[] = [];
  let heldLength = 0;
  const fd = attempt(path, () => openSync(temporary, "wx"));
  let open = true;
  const close = () => {
    if (open) closeSync(fd);
    open = false;
  };
  const flush = () => {
    const bytes = Buffer.from(held.join(""), "utf8");
    held = [];
    heldLength = 0;
    put(bytes);
  };
  const put = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  };
  return {
    write(line) {
      held.push(line, "\n");
      heldLength += line.length + 1;
      if (heldLength >= BLOCK) attempt(path, flush);
    },
    copy(bytes) {
      attempt(path, flush);
      attempt(path, () => put(bytes));
    },
    publish(overwrite) {
      attempt(path, () => {
        flush();
        if (mode !== undefined) fchmodSync(fd, mode);
        fsyncSync(fd);
        close();
        if (overwrite) renameSync(temporary, path);
        else moveToFreeName(temporary, path);
        syncFolder(path);
      });
    },
    discard() {
      close();
      try {
        unlinkSync(temporary);
      } catch {
        // It has its final name, or never came to be.
      }
    },
  };
}

/**
 * Nothing; writes a new session file, whole or not at all: other programs see all of it or what was there before.
 *
 * `lines` are encoded entries without line ends. Rejects `OUT_EXISTS` where `path` is taken, unless `overwrite`;
 * `STORE_IO` when it can't be written.
 */
export async function writeSessionFile(
  path: string,
  header: SessionHeader,
  lines: Iterable<string> | AsyncIterable<string>,
  { overwrite = false }: { overwrite?: boolean } = {},
): Promise<void> {
  // Told now rather than after the work; publishing checks again.
  if (!overwrite && existsSync(path)) throw outExists(path);
  const file = pendingFile(path);
  try {
    file.write(encodeHeader(header));
    for await (const line of lines) file.write(line);
    file.publish(overwrite);
  } finally {
    file.discard();
  }
}

/** Makes the names in a file's folder durable, where the system can. */
export function syncFolder(path: string): void {
  try {
    const fd = openSync(dirname(path), "r");
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Some systems can't open folders; their renames are as durable as they get.
  }
}

export function outExists(path: string): EspalierError {
  const message = `${path} exists already; choose another name, or say that it may be overwritten.`;
  return new EspalierError("OUT_EXISTS", message, { path });
}

function moveToFreeName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST" || existsSync(path)) throw outExists(path);
    // No hard links here; between the look and the rename another program could take the name.
    renameSync(temporary, path);
    return;
  }
  unlinkSync(temporary);
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw EspalierError.is(error) ? error : writeError(path, error);
  }
}
