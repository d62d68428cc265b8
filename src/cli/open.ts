import type { Session } from "../engine/session.ts";
import { EspalierError } from "../errors.ts";
import type { OpenOptions } from "../index.ts";
import type { Call } from "./answer.ts";
import { nearest } from "./nearest.ts";
import { summarizerOf } from "./summarizer.ts";

/** An open session and the format its file was found to have: `pi` is native and can be appended to. */
export interface Opened {
  readonly file: string;
  readonly format: string;
  readonly session: Session;
}

/**
 * The session in `file`, whatever agent wrote it, closed when the command has ended; read-only unless `write`.
 *
 * Stands on `--leaf` if given. Rejects `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `NOT_A_SESSION`, `FORMAT_UNKNOWN`, and
 * `ENTRY_NOT_FOUND` with the ids most like the one given.
 */
export async function openFile(call: Call, file: string, options: { write?: boolean } = {}): Promise<Opened> {
  call.progress.step(`Reading ${file}`);
  const [{ formatOf }, { openSession }] = await Promise.all([import("../formats/index.ts"), import("../index.ts")]);
  const format = await formatOf(file);
  const shared = { ...sessionOptions(call), readOnly: options.write !== true };
  const { leaf } = call.flags;
  try {
    const session = await openSession(file, leaf === undefined ? shared : { ...shared, leafId: leaf });
    call.cleanups.push(() => session.close());
    return { file, format, session };
  } catch (error) {
    if (leaf === undefined || !EspalierError.is(error, "ENTRY_NOT_FOUND")) throw error;
    const session = await openSession(file, { ...shared, readOnly: true });
    call.cleanups.push(() => session.close());
    const near = nearest(leaf, (await session.tree()).ids(), 3);
    const hint = near.length > 0 ? `the nearest ids are ${near.join(", ")}` : "the session has no entries";
    const message = `${file} has no entry "${leaf}" for --leaf; ${hint}.`;
    throw new EspalierError("ENTRY_NOT_FOUND", message, { file, id: leaf, near }, error);
  }
}

/**
 * The same session with ids and times that follow from its leaf, for what is not written into it: previews and copies
 * come out the same at every run [I7].
 */
export async function repeatable(call: Call, { session }: Opened): Promise<Session> {
  const { leafId, store } = session;
  const { contentClock, openSession } = await import("../index.ts");
  const [leaf] = leafId === null ? [] : await store.read([leafId]);
  const clock = contentClock(leafId ?? session.header.id, leaf?.timestamp ?? session.header.timestamp);
  const options = { ...sessionOptions(call), clock };
  return openSession(store, call.flags.leaf === undefined ? options : { ...options, leafId: call.flags.leaf });
}

function sessionOptions(call: Call): OpenOptions {
  return { settings: { ...call.settings.settings }, summarizer: summarizerOf(call) };
}
