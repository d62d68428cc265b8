import { constants, copyFileSync, linkSync } from "node:fs";
import { encodeEntry, encodeHeader } from "../../core/session/codec.ts";
import type { Entry, SessionHeader } from "../../core/session/entry.ts";
import { systemCode, writeError } from "./errors.ts";
import type { SessionFile } from "./session-file.ts";
import { pendingFile } from "./write-file.ts";

/**
 * Nothing; replaces a version 1 or 2 file by its migrated form with `added` at its end, in one step [S4].
 *
 * The old file stays beside it as `.bak`, or `.bak.1` and so on where that name is taken. Throws `STORE_IO` with the
 * old file in place.
 */
export function migrateFile(
  file: SessionFile,
  header: SessionHeader,
  old: Iterable<Entry>,
  added: Iterable<Entry>,
): void {
  const migrated = pendingFile(file.path, file.mode & 0o777);
  try {
    migrated.write(encodeHeader(header));
    for (const entry of old) migrated.write(encodeEntry(entry));
    for (const entry of added) migrated.write(encodeEntry(entry));
    keepOld(file.path);
    migrated.publish(true);
  } finally {
    migrated.discard();
  }
}

/** The name under which the file at `path` stays when another takes its place. */
export function keepOld(path: string): string {
  for (let n = 0; ; n++) {
    const backup = n === 0 ? `${path}.bak` : `${path}.bak.${n}`;
    try {
      linkOrCopy(path, backup);
      return backup;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw writeError(backup, error);
    }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw error;
    // File systems without hard links.
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}
