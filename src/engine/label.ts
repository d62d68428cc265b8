import type { LabelEntry, SessionInfoEntry } from "../core/session/entry.ts";
import type { SessionState } from "./state.ts";

/** The stored label of `entryId`; null or an empty name takes it away, the last one counts [S11]. Rejects `ENTRY_NOT_FOUND`. */
export async function setLabel(state: SessionState, entryId: string, name: string | null): Promise<LabelEntry> {
  if (name !== null && typeof name !== "string") throw new TypeError("label takes a name or null");
  await state.store.read([entryId]);
  const label = name === null || name === "" ? {} : { label: name };
  const [entry] = await state.append(() => state.make([{ type: "label", targetId: entryId, ...label }]));
  return entry as LabelEntry;
}

/** The stored name of the session; the last one counts [S11]. */
export async function rename(state: SessionState, name: string): Promise<SessionInfoEntry> {
  if (typeof name !== "string") throw new TypeError("rename takes a name");
  const [entry] = await state.append(() => state.make([{ type: "session_info", name }]));
  return entry as SessionInfoEntry;
}
