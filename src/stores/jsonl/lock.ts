import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { EspalierError } from "../../errors.ts";
import { readOnlySession, systemCode, writeError } from "./errors.ts";
import { bornAt, isTaken, type Maker, thisProcess } from "./process.ts";

/** What a lock file holds. */
interface Holder extends Maker {
  readonly startedAt: string;
}

/** Lock files of this process; where `born` is unknown, a lock with our pid that is not among them is an earlier one's. */
const ours = new Set<string>();
/** How long taking over a stale lock may last before the attempt itself counts as abandoned, in ms. */
const TAKEOVER = 10_000;

/**
 * Takes the lock of a session and gives the function that releases it [S9].
 *
 * The lock is the file `<session>.lock`, made with O_EXCL. A holder on this host whose process is gone is taken over;
 * one on another host never is. Synchronous, so it holds however busy the process is.
 * Throws `SESSION_LOCKED` with pid and host, or `SESSION_READ_ONLY` where the folder can't be written.
 */
export function takeLock(sessionPath: string): () => void {
  const path = `${sessionPath}.lock`;
  if (!create(sessionPath, path)) {
    const holder = readHolder(path);
    if (isAlive(path, holder) || !takeOver(path) || !create(sessionPath, path)) throw locked(sessionPath, path, holder);
  }
  ours.add(path);
  return () => {
    if (ours.delete(path)) remove(path);
  };
}

function create(sessionPath: string, path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o644);
    try {
      writeFileSync(fd, JSON.stringify({ ...thisProcess(), startedAt: new Date().toISOString() }));
    } catch (error) {
      remove(path);
      throw error;
    } finally {
      closeSync(fd);
    }
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === "EEXIST") return false;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
      throw readOnlySession(sessionPath, "stands in a folder that can't be written, so it can only be read");
    }
    throw writeError(path, error);
  }
}

/** Removes a stale lock; false when another process is at it. Its own O_EXCL file keeps two of them apart. */
function takeOver(path: string): boolean {
  const guard = `${path}.takeover`;
  if ((ageOf(guard) ?? 0) > TAKEOVER) remove(guard);
  try {
    closeSync(openSync(guard, "wx"));
  } catch {
    return false;
  }
  try {
    // Somebody may have taken it over between our look and the guard.
    if (isAlive(path, readHolder(path))) return false;
    remove(path);
    return true;
  } finally {
    remove(guard);
  }
}

function isAlive(path: string, holder: Holder | null): boolean {
  // Unreadable: a holder may be about to write it.
  if (holder === null) return (ageOf(path) ?? TAKEOVER) < TAKEOVER;
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return holder.born === null ? ours.has(path) : holder.born === bornAt(process.pid);
  if (!isTaken(holder.pid)) return false;
  const born = bornAt(holder.pid);
  return born === null || holder.born === null || born === holder.born;
}

function readHolder(path: string): Holder | null {
  try {
    // Reading a named pipe would wait for its writer.
    if (!statSync(path).isFile()) return null;
    const { pid, host, startedAt, born } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0 || typeof host !== "string") return null;
    return { pid, host, startedAt: String(startedAt), born: typeof born === "string" ? born : null };
  } catch {
    return null;
  }
}

function locked(sessionPath: string, path: string, holder: Holder | null): EspalierError {
  const who = holder ? `process ${holder.pid} on ${holder.host} since ${holder.startedAt}` : "another process";
  const message = `${sessionPath} is being written by ${who}; close it there, or remove ${path} if it is gone.`;
  return new EspalierError("SESSION_LOCKED", message, { path: sessionPath, pid: holder?.pid, host: holder?.host });
}

function ageOf(path: string): number | null {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else has removed it.
  }
}
