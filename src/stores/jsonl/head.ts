import type { EntryMeta } from "../../core/session/entry.ts";

/** How much of a line may hold its type, id, parent, time and role when they stand where writers put them. */
export const HEAD_BYTES = 224;
/** How much of a line's end may hold id and parent in files that pi migrated: it puts them last. */
export const TAIL_BYTES = 96;

const START = '{"type":"';
const ID = ',"id":"';
const PARENT = ',"parentId":';
const MESSAGE = ',"message":{"role":"';
const TIME = ',"timestamp":"';
const TAIL = /,"id":"([\w-]{1,40})","parentId":(?:null|"([\w-]{1,40})")\}$/;
const PARENT_KEY = Buffer.from('"parentId":', "latin1");
const CLOSE = 0x7d;

/** Types whose body the tree wants to see. */
const NEEDS_BODY = new Set(["label", "session_info", "session", "title"]);
const INTERNED = new Map<string, string>();

/**
 * An entry's metadata from the first bytes of its line, or null where the line must be parsed to be sure.
 *
 * The line is `chunk[at … at + length - 1]`. Sure means: the four fields stand in their usual order (or id and parent at
 * the very end), the line ends like an object, and no second `parentId` key shows that another record is glued to it.
 * Quotes inside JSON strings are escaped, so a key found by its bytes is a key.
 */
export function readHead(chunk: Buffer, at: number, length: number): EntryMeta | null {
  if (chunk[at + length - 1] !== CLOSE) return null;
  const head = chunk.toString("latin1", at, at + Math.min(length, HEAD_BYTES));
  const native = parseHead(head);
  const found =
    native ?? parseMigrated(head, chunk.toString("latin1", at + Math.max(0, length - TAIL_BYTES), at + length));
  if (!found) return null;
  const next = chunk.indexOf(PARENT_KEY, at + (native ? native.after : 0));
  const own = native ? -1 : at + length - found.after;
  return next === own || next === -1 || next >= at + length ? found.meta : null;
}

/** The same for a line too long to be in memory: its first and last bytes. The caller looks for a second key. */
export function readSplitHead(head: Buffer, tail: Buffer): EntryMeta | null {
  if (tail[tail.length - 1] !== CLOSE) return null;
  return parseHead(head.toString("latin1"))?.meta ?? null;
}

/** Whether bytes hold the key that every record has once. */
export function countParentKeys(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(PARENT_KEY); at !== -1; at = bytes.indexOf(PARENT_KEY, at + 1)) count++;
  return count;
}

export const PARENT_KEY_BYTES = PARENT_KEY.length;

/** Id and parent of a line whose rest can't be read, or null. */
export function readLink(text: string): { id: string; parentId: string | null } | null {
  const native = parseHead(text.slice(0, HEAD_BYTES));
  return native && { id: native.meta.id, parentId: native.meta.parentId };
}

/** `after` is the place in the head behind the parent's value. */
interface Found {
  meta: EntryMeta;
  after: number;
}

function parseHead(head: string): Found | null {
  if (!head.startsWith(START)) return null;
  const typeEnd = head.indexOf('"', START.length);
  if (typeEnd === -1 || !head.startsWith(ID, typeEnd + 1)) return null;
  const idStart = typeEnd + 1 + ID.length;
  const idEnd = head.indexOf('"', idStart);
  if (idEnd <= idStart || !head.startsWith(PARENT, idEnd + 1)) return null;
  const valueStart = idEnd + 1 + PARENT.length;
  let parentId: string | null = null;
  let after = valueStart + 4;
  if (head[valueStart] === '"') {
    after = head.indexOf('"', valueStart + 1) + 1;
    if (after === 0) return null;
    if (!isPlain(head, valueStart + 1, after - 1)) return null;
    parentId = own(head, valueStart + 1, after - 1);
  } else if (!head.startsWith("null", valueStart)) return null;
  const type = intern(head.slice(START.length, typeEnd));
  if (NEEDS_BODY.has(type) || !isPlain(head, idStart, idEnd) || !isPlain(head, START.length, typeEnd)) return null;
  const id = own(head, idStart, idEnd);
  if (type !== "message") return { meta: { id, parentId, type }, after };
  const role = readRole(head, after);
  return role === undefined ? null : { meta: { id, parentId, type, role }, after };
}

function readRole(head: string, after: number): string | undefined {
  if (!head.startsWith(TIME, after)) return undefined;
  const timeEnd = head.indexOf('"', after + TIME.length) + 1;
  if (timeEnd === 0 || !head.startsWith(MESSAGE, timeEnd)) return undefined;
  const start = timeEnd + MESSAGE.length;
  const end = head.indexOf('"', start);
  return end === -1 || !isPlain(head, start, end) ? undefined : intern(head.slice(start, end));
}

function parseMigrated(head: string, tail: string): Found | null {
  if (!head.startsWith('{"type":"message","timestamp":"')) return null;
  const match = TAIL.exec(tail);
  const role = readRole(head, '{"type":"message"'.length);
  if (!match?.[1] || role === undefined) return null;
  const after = tail.length - (match.index + match[0].indexOf(PARENT) + 1);
  return { meta: { id: match[1], parentId: match[2] ?? null, type: "message", role }, after };
}

/** Printable ASCII without a backslash: what stands there is the value itself. */
function isPlain(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === 92) return false;
  }
  return true;
}

/** A part of `head` that does not keep the whole head in memory. */
function own(head: string, start: number, end: number): string {
  const part = head.slice(start, end);
  // V8 copies short slices; longer ones hold on to the text they come from.
  return part.length < 13 ? part : Buffer.from(part, "latin1").toString("latin1");
}

function intern(text: string): string {
  const known = INTERNED.get(text);
  if (known !== undefined) return known;
  if (INTERNED.size < 256) INTERNED.set(text, text);
  return text;
}
