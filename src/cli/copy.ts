import { constants } from "node:fs";
import { access, copyFile, link, lstat, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Entry, SESSION_VERSION } from "../core/session/entry.ts";
import { EspalierError } from "../errors.ts";
import type { Opened } from "./open.ts";

/**
 * Rejects `OUT_EXISTS` if `out` is there, the session itself included: nothing is ever written over; `STORE_IO` if its
 * folder can't be written to; `USAGE` for an empty name.
 *
 * Asked before the work, so that nobody waits, or pays a model, for a compaction that has no place to go.
 */
export async function checkOut(out: string): Promise<void> {
  if (out === "") throw new EspalierError("USAGE", "--out is empty; name a file to write.");
  const there = await lstat(out).then(
    () => true,
    () => false,
  );
  if (there) throw outExists(out);
  await access(dirname(resolve(out)), constants.W_OK).catch((cause) => {
    throw unwritable(out, cause);
  });
}

/**
 * Writes the session and `added` entries to `out`; the session itself stays untouched.
 *
 * A version 3 file is copied byte for byte, the rest is written as one. `out` appears whole or not at all: it is made
 * under another name beside it, and an interrupted run leaves nothing. Rejects `OUT_EXISTS` or `STORE_IO`.
 */
export async function writeCopy(
  { file, format, session }: Opened,
  added: readonly Entry[],
  out: string,
  signal: AbortSignal,
): Promise<void> {
  const { version } = session.header;
  if (version !== undefined && version > SESSION_VERSION) {
    const message = `${file} is of version ${version}, newer than this program writes (${SESSION_VERSION}); update espalier.`;
    throw new EspalierError("VERSION_TOO_NEW", message, { file, version });
  }
  const { hasBlobs, openJsonlStore, writeSessionFile } = await import("../stores/jsonl/index.ts");
  const { temporaryName } = await import("../stores/jsonl/temporary.ts");
  const draft = temporaryName(out);
  try {
    // Images that stand beside the session would not come along with its bytes.
    const isWhole = !hasBlobs(file) || dirname(resolve(file)) === dirname(resolve(out));
    if (format === "pi" && version === SESSION_VERSION && isWhole) {
      await copyFile(file, draft, constants.COPYFILE_EXCL);
    } else {
      await writeSessionFile(draft, { ...session.header, version: SESSION_VERSION }, rawLines(session.store.entries()));
    }
    if (added.length > 0) {
      const store = await openJsonlStore(draft, {});
      await store.append(added).finally(() => store.close());
    }
    signal.throwIfAborted();
    // Unlike a rename, a link fails where a file already stands.
    await link(draft, out);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST") throw outExists(out);
    if (EspalierError.is(cause) || signal.aborted) throw cause;
    throw unwritable(out, cause);
  } finally {
    await rm(draft, { force: true });
  }
}

async function* rawLines(entries: AsyncIterable<{ raw: string }>): AsyncGenerator<string> {
  for await (const { raw } of entries) yield raw;
}

function unwritable(out: string, cause: unknown): EspalierError {
  const why = (cause as NodeJS.ErrnoException).code ?? cause;
  return new EspalierError("STORE_IO", `${out} cannot be written (${why}); choose another place.`, { out }, cause);
}

const outExists = (out: string) =>
  new EspalierError("OUT_EXISTS", `${out} is already there and is not written over; choose another name.`, { out });
