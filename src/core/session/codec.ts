import { EspalierError } from "../../errors.ts";
import { type Entry, LEAF_MARKER, type SessionHeader } from "./entry.ts";
import type { JsonRecord } from "./records.ts";
import type { TreeInput } from "./tree.ts";
import { wellFormedDeep } from "./well-formed.ts";

/** An entry, or why the record is none (the end of a sentence: "has no id"). */
export type DecodedEntry = { readonly entry: Entry } | { readonly problem: string };

const FIRST_KEYS = ["type", "id", "parentId", "timestamp"];
/** Lone surrogates can only come from such an escape, since files are UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD]/;

/**
 * The header that `record` is, or null. Its `id` must be a string; `version` is a number or absent [S1].
 *
 * `timestamp` and `cwd` become empty strings where they are missing; all other fields stay.
 */
export function decodeHeader(record: JsonRecord): SessionHeader | null {
  if (record.type !== "session" || typeof record.id !== "string") return null;
  const { version, timestamp, cwd, ...rest } = record;
  return {
    ...rest,
    type: "session",
    ...(typeof version === "number" ? { version } : {}),
    id: record.id,
    timestamp: typeof timestamp === "string" ? timestamp : "",
    cwd: typeof cwd === "string" ? cwd : "",
  };
}

/** True for records that stand in session files without being entries: oh-my-pi's title slot [S6]. */
export function isTitle(record: JsonRecord): boolean {
  return record.type === "title" && record.parentId === undefined;
}

/**
 * The entry that `record` is [S2]. `text` is the JSON it was parsed from, or a longer text that holds it.
 *
 * Needs a string `type` and a string `id`; a `parentId` that is no string is a root's. Unknown types and fields stay as
 * they are. Lone surrogates are replaced [X6]; `fromHook` is read as `fromExtension` [S3]. Changes `record` in place.
 */
export function decodeEntry(record: JsonRecord, text: string): DecodedEntry {
  if (typeof record.type !== "string") return { problem: "has no type" };
  if (record.type === "session") return { problem: "is a second session header" };
  if (typeof record.id !== "string" || record.id === "") return { problem: "has no id" };
  if (SURROGATE_ESCAPE.test(text)) wellFormedDeep(record);
  if (typeof record.parentId !== "string") record.parentId = null;
  if (typeof record.fromHook === "boolean" && record.fromExtension === undefined) {
    record.fromExtension = record.fromHook;
  }
  return { entry: record as unknown as Entry };
}

/**
 * One line for `entry`, without line end: `type`, `id`, `parentId`, `timestamp` first, then its own fields in their
 * order, so that readers find the four in the first bytes [S1]. `fromHook` and `fromExtension` are both written [S3].
 * Throws `ENTRY_INVALID` for what no JSON can hold.
 */
export function encodeEntry(entry: Entry): string {
  if (isInOrder(entry)) return encode(entry, entry);
  const { type, id, parentId, timestamp, ...rest } = entry;
  const flags = rest as { fromExtension?: boolean; fromHook?: boolean };
  const flag = flags.fromExtension ?? flags.fromHook;
  const alias = flag === undefined ? undefined : { fromExtension: flag, fromHook: flag };
  return encode({ type, id, parentId, timestamp, ...rest, ...alias }, entry);
}

/** One line for `header`, without line end: `type`, `version`, `id`, `timestamp`, `cwd` first [S1]. */
export function encodeHeader(header: SessionHeader): string {
  const { type, version, id, timestamp, cwd, ...rest } = header;
  return encode({ type, version, id, timestamp, cwd, ...rest }, header);
}

/** Entries that already are as they are written need no copy: the case of every append. */
function isInOrder(entry: Entry): boolean {
  const keys = Object.keys(entry);
  const ordered = FIRST_KEYS.every((key, i) => keys[i] === key);
  return ordered && !("fromExtension" in entry) && !("fromHook" in entry);
}

function encode(value: object, { type, id }: SessionHeader | Entry): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    // Of a cycle, or of what nests thousands of levels deep.
    const message = `${type} ${id} can't be written as JSON (${(cause as Error).message.split("\n")[0]}); nothing was stored.`;
    throw new EspalierError("ENTRY_INVALID", message, { id }, cause);
  }
  // JSON.stringify escapes lone surrogates and nothing else this way (a literal backslash costs a needless pass).
  return text.includes("\\ud") ? JSON.stringify(wellFormedDeep(JSON.parse(text))) : text;
}

/** What a tree keeps of `entry` without its body. */
export function treeInputOf(entry: Entry): TreeInput {
  const input: { -readonly [K in keyof TreeInput]: TreeInput[K] } = {
    id: entry.id,
    parentId: entry.parentId,
    type: entry.type,
  };
  const fields = entry as unknown as JsonRecord;
  const role = (fields.message as JsonRecord | null | undefined)?.role;
  if (entry.type === "message" && typeof role === "string") input.role = role;
  if (entry.type === "label" && typeof fields.targetId === "string") input.targetId = fields.targetId;
  if (entry.type === "label" && typeof fields.label === "string") input.label = fields.label;
  if (entry.type === "session_info" && typeof fields.name === "string") input.name = fields.name;
  return input;
}

/** Where a session stands whose newest entry is `last`: a leaf marker stands for its parent [S8]. */
export function positionAfter(last: Entry | null): { leafId: string | null; tipId: string | null } {
  if (last === null) return { leafId: null, tipId: null };
  const isMarker = last.type === "custom" && last.customType === LEAF_MARKER;
  return { leafId: isMarker ? last.parentId : last.id, tipId: last.id };
}

/** Why `entry` can't be stored (the end of a sentence), or null: the four fields of every entry are checked [S1]. */
export function entryProblem(entry: Entry): string | null {
  const fields = entry as unknown as JsonRecord | null;
  if (typeof fields !== "object" || fields === null) return "is not an object";
  if (typeof fields.type !== "string" || fields.type === "" || fields.type === "session") return "has no entry type";
  if (typeof fields.id !== "string" || fields.id === "") return "has no id";
  if (fields.parentId !== null && typeof fields.parentId !== "string") return "has no parentId (null makes a root)";
  if (typeof fields.timestamp !== "string") return "has no timestamp";
  return null;
}
