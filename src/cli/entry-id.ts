import type { Session } from "../engine/session.ts";
import { EspalierError } from "../errors.ts";
import { nearest } from "./nearest.ts";

const SHOWN = 3;

/**
 * The id of the entry that `text` names: its id, or the beginning of one id and no other; a `#` before it does no harm.
 *
 * `what` says where the text was typed. Rejects `ENTRY_NOT_FOUND` with the ids most like it.
 */
export async function entryIdOf(session: Session, text: string, what: string): Promise<string> {
  const tree = await session.tree();
  if (tree.has(text)) return text;
  const wanted = text.replace(/^#/, "");
  if (tree.has(wanted)) return wanted;
  const starting: string[] = [];
  for (const id of tree.ids()) if (wanted !== "" && id.startsWith(wanted)) starting.push(id);
  const [only] = starting;
  if (only !== undefined && starting.length === 1) return only;
  const near = starting.length > 0 ? starting.slice(0, SHOWN) : nearest(wanted, tree.ids(), SHOWN);
  const hint = starting.length > 0 ? manyHint(starting.length, near) : noneHint(near);
  const message = `${session.location} has no entry "${text}" for ${what}; ${hint}.`;
  throw new EspalierError("ENTRY_NOT_FOUND", message, { file: session.location, id: text, near });
}

const manyHint = (many: number, near: readonly string[]) =>
  `${many} ids begin like that (${near.join(", ")}${many > near.length ? ", …" : ""}), so give more of it`;
const noneHint = (near: readonly string[]) =>
  near.length > 0 ? `the nearest ids are ${near.join(", ")}` : "the session has no entries";
