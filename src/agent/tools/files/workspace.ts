import { constants, realpathSync } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, fileFault } from "../fault.ts";

/** A file or folder that a tool may touch; it need not exist. */
export interface Place {
  /** Absolute, with no symbolic link in it. */
  readonly path: string;
  /** As it is told: relative to the working directory where it is inside, else absolute. */
  readonly shown: string;
}

/** The folders that tools stay in. */
export interface Workspace {
  /** The working directory, links resolved. */
  readonly cwd: string;
  /** Where a path of the model leads; rejects what leads out, with a sentence that the model can act on. */
  resolve(path: string): Promise<Place>;
  /** Opens what was resolved for reading; rejects if a link was put into its way meanwhile. Never waits for a FIFO. */
  open(place: Place): Promise<FileHandle>;
  /** Rejects if `folder`, which was resolved, leads elsewhere by now. */
  confirm(folder: string): Promise<void>;
}

export interface WorkspaceOptions {
  readonly cwd: string;
  /** Further folders that may be read, and written as the rules allow. */
  readonly roots?: readonly string[];
}

const MOST_LINKS = 40;

/**
 * A workspace of `cwd` and the further `roots`.
 *
 * Links are followed first and judged by where they lead, those in the middle of a path and those to nothing as well.
 * A hard link can't be told from its file. Throws a `TypeError` when `cwd` is not there.
 */
export function openWorkspace({ cwd: given, roots = [] }: WorkspaceOptions): Workspace {
  const cwd = realFolder(given);
  if (cwd === undefined) throw new TypeError(`The working directory ${given} does not exist.`);
  const allowed = [cwd, ...roots.map((root) => realFolder(expand(root)) ?? resolve(expand(root)))];
  const shownOf = (path: string) => (isWithin(cwd, path) ? relative(cwd, path) || "." : path);

  return {
    cwd,
    async resolve(path) {
      if (path.trim() === "" || path.includes("\0")) {
        throw new Error("The path is empty or holds a NUL character; give the path of a file.");
      }
      const real = await follow(resolve(cwd, expand(path))).catch((error) => Promise.reject(fileFault(error, path)));
      if (allowed.some((root) => isWithin(root, real))) return { path: real, shown: shownOf(real) };
      const others = allowed.length > 1 ? ` and ${allowed.slice(1).join(", ")}` : "";
      throw new Error(`${path} leads out of the working directory ${cwd}${others}; use a path inside.`);
    },
    async open({ path, shown }) {
      try {
        const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
        try {
          await confirm(path);
          return handle;
        } catch (error) {
          await handle.close();
          throw error;
        }
      } catch (error) {
        throw fileFault(error, shown);
      }
    },
    confirm,
  };
}

/** Between check and use a folder on the way may have been exchanged for a link. */
async function confirm(path: string): Promise<void> {
  const now = await realpath(path);
  if (now !== path) throw new Error(`${path} leads elsewhere now (${now}); somebody changed it meanwhile. Try again.`);
}

/** The real path of what may not exist yet: of its nearest existing parent, and the rest. */
async function follow(path: string): Promise<string> {
  const missing: string[] = [];
  let links = 0;
  for (let at = path; ; ) {
    try {
      return join(await realpath(at), ...missing.reverse());
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    const target = await readlink(at).catch(() => null);
    if (target === null) {
      missing.push(basename(at));
      at = dirname(at);
      continue;
    }
    // A link to what is not there: writing to it would make a file where it leads.
    if (++links > MOST_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    at = resolve(await realpath(dirname(at)), target);
  }
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function expand(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

function isWithin(root: string, path: string): boolean {
  return path === root || (isAbsolute(path) && path.startsWith(root.endsWith(sep) ? root : root + sep));
}
