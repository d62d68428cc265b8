import { detectFormat, FORMATS } from "./detect.ts";
import type { Format, FormatId, ImportedSession } from "./format.ts";
import { fileSource, readHeadOf } from "./source.ts";

export { readClaudeCode } from "./claude-code/read.ts";
export { detectFormat, FORMATS } from "./detect.ts";
export type { Format, FormatId, ImportedSession, Source, TextLine } from "./format.ts";
export { writeLines } from "./pi.ts";

/**
 * The format of a session file, by its content.
 *
 * Rejects `NOT_A_SESSION` or `FORMAT_UNKNOWN` (see `detectFormat`), `FILE_NOT_FOUND`, `FILE_UNREADABLE`.
 */
export async function formatOf(path: string): Promise<FormatId> {
  const found = detectFormat(await readHeadOf(path), path);
  if (typeof found === "string") return found;
  throw found.problem;
}

/**
 * A foreign session file as entries; the file itself is only read.
 *
 * Rejects as `formatOf` does. A native file (pi, oh-my-pi) is a `TypeError`: open it with its store.
 */
export async function importSession(path: string): Promise<ImportedSession> {
  const id = await formatOf(path);
  const format: Format = FORMATS.find((one) => one.id === id)!;
  if (!format.read) throw new TypeError(`${path} is a native session (${format.title}); open it, don't import it`);
  return await format.read(fileSource(path));
}

/** True if files of this format are opened and appended to as they are, not imported. */
export function isNative(id: FormatId): boolean {
  return FORMATS.every((one) => one.id !== id || one.read === undefined);
}
