import { SESSION_VERSION } from "../core/session/entry.ts";
import type { Session } from "../engine/session.ts";
import { EspalierError } from "../errors.ts";
import type { OpenOptions } from "../index.ts";
import type { Call } from "./answer.ts";
import { entryIdOf } from "./entry-id.ts";
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
 * Stands on `--leaf` if given, an id or the beginning of one. Rejects `FILE_NOT_FOUND`, `FILE_UNREADABLE`,
 * `NOT_A_SESSION`, `FORMAT_UNKNOWN`, with `write` `SESSION_READ_ONLY` and `SESSION_LOCKED`, and `ENTRY_NOT_FOUND` with the
 * ids most like the one given.
 */
export async function openFile(call: Call, file: string, options: { write?: boolean } = {}): Promise<Opened> {
  call.progress.step(`Reading ${file}`);
  const [{ formatOf }, { openSession }] = await Promise.all([import("../formats/index.ts"), import("../index.ts")]);
  const format = await formatOf(file);
  const shared = await sessionOptions(call);
  const { leaf } = call.flags;
  const open = async (leafId?: string, write = options.write === true) => {
    // A model that is paid for a summary is not paid for one that another writer's append keeps from being stored.
    const access = write ? { claim: true } : { readOnly: true };
    const session = await openSession(file, { ...shared, ...access, ...(leafId !== undefined && { leafId }) });
    call.cleanups.push(() => session.close());
    if (write && format === "pi") checkAppendable(file, session);
    return { file, format, session };
  };
  try {
    return await open(leaf);
  } catch (error) {
    if (leaf === undefined || !EspalierError.is(error, "ENTRY_NOT_FOUND")) throw error;
    const { session } = await open(undefined, false);
    return open(await entryIdOf(session, leaf, "--leaf"));
  }
}

/** Throws `SESSION_READ_ONLY` before any work is done, or a model paid; a file of a newer version has its own error. */
function checkAppendable(file: string, { readOnly, header }: Session): void {
  if (!readOnly || (header.version ?? 1) > SESSION_VERSION) return;
  const message = `${file} or its folder can't be written to; check their permissions, or write to a copy.`;
  throw new EspalierError("SESSION_READ_ONLY", message, { file });
}

/** The session in `file`, open to be written in place. Rejects `FORMAT_READ_ONLY` for those of other agents. */
export async function openToWrite(call: Call, file: string): Promise<Opened> {
  const opened = await openFile(call, file, { write: true });
  checkWritable(file, opened.format);
  return opened;
}

/** Throws `FORMAT_READ_ONLY`, with the way to a copy, for a session that another agent wrote. */
export function checkWritable(file: string, format: string): void {
  if (format === "pi") return;
  const message = `${file} is a ${format} session, which can be read but not written to; \`espalier convert --to pi\` makes a copy that can.`;
  throw new EspalierError("FORMAT_READ_ONLY", message, { file, format });
}

/** The session in `file` for a command that writes to it, or with `--dry-run` only shows what it would write. */
export async function openToMove(call: Call, file: string): Promise<Session> {
  if (!call.flags.dryRun) return (await openToWrite(call, file)).session;
  return repeatable(call, await openFile(call, file));
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
  const options = { ...(await sessionOptions(call)), clock };
  return openSession(store, leafId === null || call.flags.leaf === undefined ? options : { ...options, leafId });
}

/** What a session of this call is opened with; `writer` names the models of its summaries, if not those of the settings. */
export async function sessionOptions(call: Call, writer?: () => string | undefined): Promise<OpenOptions> {
  const { settings } = call.settings;
  const modules = settings["hooks.modules"];
  const hooks = modules.length > 0 ? await (await import("./hook-modules.ts")).loadHooks(modules) : {};
  return { settings: { ...settings }, summarizer: summarizerOf(call, writer), hooks };
}
