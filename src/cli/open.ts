import { stat } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Session } from "../engine/session.ts";
import { EspalierError } from "../errors.ts";
import type { Summarizer } from "../ports/summarizer.ts";
import type { Call } from "./answer.ts";
import { nearest } from "./nearest.ts";

/** An open session and the format its file was found to have: `pi` is native and can be appended to. */
export interface Opened {
  readonly file: string;
  readonly format: string;
  readonly session: Session;
}

/**
 * The session in `file`, whatever agent wrote it, closed when the command has ended.
 *
 * Stands on `--leaf` if given. Rejects `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `NOT_A_SESSION`, `FORMAT_UNKNOWN`, and
 * `ENTRY_NOT_FOUND` with the ids most like the one given.
 */
export async function openFile(call: Call, file: string, options: { write?: boolean } = {}): Promise<Opened> {
  const bytes = await sizeOf(file);
  call.progress.step(bytes > 0 ? `Reading ${file}` : file);
  const { formatOf } = await import("../formats/index.ts");
  const format = await formatOf(file);
  const { openSession } = await import("../index.ts");
  const { embeddedSummarizer } = await import("../summarizers/embedded.ts");
  const shared = {
    readOnly: options.write !== true,
    settings: { ...call.settings.settings },
    summarizer: interruptible(embeddedSummarizer()),
  };
  const leafId = call.flags.leaf;
  try {
    const session = await openSession(file, { ...shared, ...(leafId !== undefined && { leafId }) });
    call.cleanups.push(() => session.close());
    return { file, format, session };
  } catch (error) {
    if (leafId === undefined || !EspalierError.is(error, "ENTRY_NOT_FOUND")) throw error;
    const session = await openSession(file, { ...shared, readOnly: true });
    call.cleanups.push(() => session.close());
    const near = nearest(leafId, (await session.tree()).ids(), 3);
    const hint = near.length > 0 ? `; the nearest ids are ${near.join(", ")}` : "; the session has no entries";
    throw new EspalierError(
      "ENTRY_NOT_FOUND",
      `${file} has no entry "${leafId}"${hint}.`,
      { file, id: leafId, near },
      error,
    );
  }
}

/**
 * The same session with ids and times that follow from its leaf, for what is not written into it: previews and copies
 * come out the same at every run [I7].
 */
export async function repeatable(call: Call, { session }: Opened): Promise<Session> {
  const { contentClock, openSession } = await import("../index.ts");
  const { embeddedSummarizer } = await import("../summarizers/embedded.ts");
  const leafId = session.leafId;
  if (leafId === null) return session;
  const [leaf] = await session.store.read([leafId]);
  return openSession(session.store, {
    settings: { ...call.settings.settings },
    summarizer: interruptible(embeddedSummarizer()),
    clock: contentClock(leafId, leaf?.timestamp ?? session.header.timestamp),
    ...(call.flags.leaf !== undefined && { leafId }),
  });
}

/** Bytes of a regular file that is there. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    const missing = cause.code === "ENOENT" || cause.code === "ENOTDIR";
    throw missing
      ? new EspalierError("FILE_NOT_FOUND", `There is no file ${file}; check the path.`, { file }, cause)
      : new EspalierError("FILE_UNREADABLE", `${file} cannot be read (${cause.code}).`, { file }, cause);
  });
  if (found.isFile()) return found.size;
  const kind = found.isDirectory() ? "a directory" : "not a regular file";
  throw new EspalierError("FILE_UNREADABLE", `${file} is ${kind}; name a session file.`, { file });
}

/** The summariser works without a pause; the loop must turn once before its answer counts, or no Ctrl-C is heard. */
function interruptible(summarizer: Summarizer): Summarizer {
  return {
    id: summarizer.id,
    async summarize(request, signal) {
      const reply = await summarizer.summarize(request, signal);
      await nextTurn();
      return signal.aborted ? { kind: "aborted" } : reply;
    },
  };
}
