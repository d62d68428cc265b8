import { EspalierError } from "../../errors.ts";

/** The file exists and can be read, but holds no session; `why` is the end of a sentence: "is empty". */
export function notASession(path: string, why: string): EspalierError {
  return new EspalierError("NOT_A_SESSION", `${path} ${why}; name a session file. It was left as it is.`, { path });
}

/** What an error of the system while opening or reading means. */
export function readError(path: string, error: unknown): EspalierError {
  const code = systemCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new EspalierError("FILE_NOT_FOUND", `${path} does not exist; check the path.`, { path }, error);
  }
  const message = `${path} can't be read (${code}); check its permissions.`;
  return new EspalierError("FILE_UNREADABLE", message, { path }, error);
}

/** What an error of the system while writing means; the file is as it was before. */
export function writeError(path: string, error: unknown): EspalierError {
  const code = systemCode(error);
  const advice = code === "ENOSPC" || code === "EDQUOT" ? "free some space and try again" : "nothing was stored";
  return new EspalierError("STORE_IO", `Writing to ${path} failed (${code}); ${advice}.`, { path, code }, error);
}

export function sessionChanged(path: string, how: string): EspalierError {
  const message = `${path} ${how} since it was opened; open it again before you write to it.`;
  return new EspalierError("SESSION_CHANGED", message, { path });
}

/** Another program took bytes away that were there when the file was opened. */
export const cutShort = (path: string): EspalierError => sessionChanged(path, "was cut short");

export function readOnlySession(path: string, why: string): EspalierError {
  return new EspalierError("SESSION_READ_ONLY", `${path} ${why}; nothing was stored.`, { path });
}

/** `ENOSPC` and the like, or the error's name. */
export function systemCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "unknown error";
}
