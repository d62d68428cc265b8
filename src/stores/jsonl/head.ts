import type { EntryMeta } from "../../core/session/entry.ts";
import type { RawLink } from "../../core/session/tree.ts";

/** How much of a long line is enough for its type, id, parent, time and role, standing where writers put them. */
export const HEAD_BYTES = 512;
/** How much of a line's end may hold id and parent in files that pi migrated: it puts them last. */
const TAIL_BYTES = 96;
/** Longest type, id, role or time that is read by place; whoever writes longer ones gets the line parsed. */
const VALUE_BYTES = 80;

const START = bytesOf('{"type":"');
const ID = bytesOf('","id":"');
const PARENT = bytesOf('","parentId":');
const NULL = bytesOf("null");
const TIME = bytesOf(',"timestamp":"');
const MESSAGE = bytesOf('","message":{"role":"');
const MIGRATED = bytesOf('{"type":"message","timestamp":"');
const TAIL = /","parentId":(?:null|"([\w-]{1,40})")\}$/;
const TAIL_ID = /,"id":"([\w-]{1,40})$/;
/** The end of the key `"parentId":`; it starts with a rare letter, which makes the search several times as fast. */
const KEY_END = Buffer.from('Id":', "latin1");
const KEY_START = bytesOf('"parent');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSE = 0x7d;
/** 1 for printable ASCII without quotes and backslashes. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 32 && byte <= 126 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** Types whose body the tree wants to see, and records that are no entries. */
const NEEDS_BODY = new Set(["label", "session_info", "session", "title"]);
/** Types and roles met so far, by length. */
const words: string[][] = [];
let wordCount = 0;

/** What the first bytes of a line tell, as places in the chunk; the same object for each line, so nothing may keep it. */
export type Head = { -readonly [K in keyof RawLink]: RawLink[K] } & { /** Behind the parent's value. */ after: number };
const head: Head = { type: "", role: undefined, idStart: 0, idEnd: 0, parentStart: -1, parentEnd: -1, after: 0 };

/**
 * What the first bytes of an entry's line tell, or null where the line must be parsed to be sure.
 *
 * The line is `chunk[at … at + length - 1]`. Sure means: the four fields stand in their usual order, the line ends like an
 * object, and no second `parentId` key shows that another record is glued to it.
 * Quotes inside JSON strings are escaped, so a key found by its bytes is a key.
 */
export function readHead(chunk: Buffer, at: number, length: number): Head | null {
  const end = at + length;
  if (chunk[end - 1] !== CLOSE) return null;
  const found = parseHead(chunk, at, end);
  return found && nextParentKey(chunk, found.after, end) === -1 ? found : null;
}

/** The head at the start of `chunk[at … end - 1]`, whatever follows; null where it does not stand there. */
export function parseHead(chunk: Buffer, at: number, end: number): Head | null {
  const found = parseLink(chunk, at, end);
  if (found === null || NEEDS_BODY.has(found.type)) return null;
  if (found.type === "message") {
    found.role = roleAt(chunk, found.after, end);
    if (found.role === undefined) return null;
  }
  return found;
}

/** A head as metadata. */
export function metaOf(chunk: Buffer, { type, role, idStart, idEnd, parentStart, parentEnd }: Head): EntryMeta {
  const parentId = parentStart === -1 ? null : textOf(chunk, parentStart, parentEnd);
  const meta = { id: textOf(chunk, idStart, idEnd), parentId, type };
  return role === undefined ? meta : { ...meta, role };
}

/** Type, id and parent alone: all that a line that was cut off may still tell. */
function parseLink(chunk: Buffer, at: number, end: number): Head | null {
  if (!starts(chunk, at, START)) return null;
  const typeAt = at + START.length;
  const typeEnd = plainEnd(chunk, typeAt, end);
  if (!starts(chunk, typeEnd, ID)) return null;
  head.idStart = typeEnd + ID.length;
  head.idEnd = plainEnd(chunk, head.idStart, end);
  if (head.idEnd === head.idStart || !starts(chunk, head.idEnd, PARENT)) return null;
  head.after = head.idEnd + PARENT.length;
  head.parentStart = -1;
  if (chunk[head.after] === QUOTE) {
    head.parentStart = head.after + 1;
    head.parentEnd = plainEnd(chunk, head.parentStart, end);
    if (chunk[head.parentEnd] !== QUOTE) return null;
    head.after = head.parentEnd + 1;
  } else if (starts(chunk, head.after, NULL)) head.after += NULL.length;
  else return null;
  if (head.after >= end) return null;
  head.type = wordOf(chunk, typeAt, typeEnd);
  head.role = undefined;
  return head;
}

/** Where the next `"parentId":` starts in `chunk[from … end - 1]`, or -1. Every record has that key once. */
export function nextParentKey(chunk: Buffer, from: number, end: number): number {
  for (let hit = chunk.indexOf(KEY_END, from); hit !== -1 && hit < end; hit = chunk.indexOf(KEY_END, hit + 1)) {
    const start = hit - KEY_START.length;
    if (start >= from && starts(chunk, start, KEY_START)) return start;
  }
  return -1;
}

/** Length of the key that `nextParentKey` looks for. */
export const PARENT_KEY_BYTES = KEY_START.length + KEY_END.length;

/** Id and parent of a line whose rest can't be read, or null. */
export function readLink(line: Buffer): { id: string; parentId: string | null } | null {
  const found = parseLink(line, 0, line.length);
  return found && metaOf(line, found);
}

/** The metadata of a message in a file that pi migrated, where id and parent stand at the end of the line; or null. */
export function readMigrated(chunk: Buffer, at: number, length: number): EntryMeta | null {
  const end = at + length;
  if (!starts(chunk, at, MIGRATED) || chunk[end - 1] !== CLOSE) return null;
  const tail = chunk.toString("latin1", Math.max(at, end - TAIL_BYTES), end);
  const parent = TAIL.exec(tail);
  const id = parent && TAIL_ID.exec(tail.slice(0, parent.index))?.[1];
  const role = roleAt(chunk, at + '{"type":"message"'.length, end);
  if (!id || role === undefined) return null;
  const key = end - tail.length + parent.index + '",'.length;
  return nextParentKey(chunk, at, end) === key ? { id, parentId: parent[1] ?? null, type: "message", role } : null;
}

function roleAt(chunk: Buffer, at: number, end: number): string | undefined {
  if (!starts(chunk, at, TIME)) return undefined;
  const timeEnd = plainEnd(chunk, at + TIME.length, end);
  if (!starts(chunk, timeEnd, MESSAGE)) return undefined;
  const start = timeEnd + MESSAGE.length;
  const roleEnd = plainEnd(chunk, start, end);
  return chunk[roleEnd] === QUOTE ? wordOf(chunk, start, roleEnd) : undefined;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function starts(chunk: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let i = 0; i < pattern.length; i++) if (chunk[at + i] !== pattern[i]) return false;
  return true;
}

/** Where plain bytes end: what stands there is the value itself. */
function plainEnd(chunk: Uint8Array, at: number, end: number): number {
  const limit = Math.min(end, at + VALUE_BYTES);
  let i = at;
  while (i < limit && PLAIN[chunk[i] as number] === 1) i++;
  return i;
}

function isText(chunk: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (chunk[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

function textOf(chunk: Buffer, start: number, end: number): string {
  return chunk.toString("latin1", start, end);
}

function wordOf(chunk: Buffer, start: number, end: number): string {
  const known = words[end - start] ?? [];
  for (const word of known) if (isText(chunk, start, end, word)) return word;
  const word = textOf(chunk, start, end);
  if (wordCount++ < 256) words[end - start] = [...known, word];
  return word;
}
