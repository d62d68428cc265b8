import { constants } from "node:buffer";
import { decodeEntry, isTitle, treeInputOf } from "../../core/session/codec.ts";
import { type ParsedLine, parseLine } from "../../core/session/records.ts";
import type { TreeInput } from "../../core/session/tree.ts";
import {
  HEAD_BYTES,
  type Head,
  metaOf,
  nextParentKey,
  PARENT_KEY_BYTES,
  parseHead,
  readHead,
  readLink,
  readMigrated,
} from "./head.ts";
import type { SessionFile } from "./session-file.ts";

/** One physical line of a file. Readers hand out the same object for each line; nothing may keep it. */
export interface FileLine {
  offset: number;
  length: number;
  /** The bytes that hold the line from `at`, or null for one that crosses a chunk's border. */
  chunk: Buffer | null;
  at: number;
  /** False for a last line without `\n`. */
  ended: boolean;
  /** 1-based; 0 where it is not known. */
  number: number;
}

/** What a line turned out to hold. */
export interface LineSink {
  entry(input: TreeInput, offset: number, length: number): void;
  /** An entry of which the first bytes in `chunk` tell enough; `entry` is called where this is not there. */
  head?(chunk: Buffer, head: Head, offset: number, length: number): void;
  /** `link` is what the unreadable line still says of its id and parent. */
  bad(line: FileLine, problem: string, link: { id: string; parentId: string | null } | null): void;
}

/** A line that crosses a chunk's border is read whole up to this size; of longer ones only the ends. */
const WHOLE = 16 << 20;
const WINDOW = 4 << 20;
const TOO_LONG = "is too long to be read";
const CR = 13;
const CLOSE = 0x7d;

/**
 * Gives `sink` the metadata of the entries on `line`, in their order, or why it holds none [S6].
 *
 * Parses only where the first bytes don't tell. The header and title lines give nothing.
 */
export function readLine(file: SessionFile, line: FileLine, sink: LineSink): void {
  let { chunk, at, length } = line;
  if (length === 0) return;
  if (chunk === null && length <= WHOLE) {
    chunk = file.read(line.offset, length);
    at = 0;
  }
  if (chunk !== null && chunk[at + length - 1] === CR) length--;
  if (line.ended && chunk !== null) {
    const head = readHead(chunk, at, length);
    if (head !== null) {
      if (sink.head) sink.head(chunk, head, line.offset, length);
      else sink.entry(metaOf(chunk, head), line.offset, length);
      return;
    }
  }
  // An unfinished line may stop anywhere, also behind an inner brace.
  const meta = !line.ended ? null : chunk === null ? longMeta(file, line) : readMigrated(chunk, at, length);
  if (meta !== null) sink.entry(meta, line.offset, length);
  else if (chunk === null && length > constants.MAX_STRING_LENGTH) {
    sink.bad(line, TOO_LONG, readLink(file.read(line.offset, HEAD_BYTES)));
  } else parseInto(line, chunk === null ? file.read(line.offset, length) : chunk.subarray(at, at + length), sink);
}

function longMeta(file: SessionFile, { offset, length }: FileLine): TreeInput | null {
  const start = file.read(offset, HEAD_BYTES);
  const found = parseHead(start, 0, HEAD_BYTES);
  if (found === null || file.read(offset + length - 1, 1)[0] !== CLOSE) return null;
  const meta = metaOf(start, found);
  // Windows overlap by less than a key, so none is missed.
  for (let at = found.after; at < length; at += WINDOW) {
    const bytes = file.read(offset + at, Math.min(WINDOW + PARENT_KEY_BYTES - 1, length - at));
    if (nextParentKey(bytes, 0, bytes.length) !== -1) return null;
  }
  return meta;
}

function parseInto(line: FileLine, bytes: Buffer, sink: LineSink): void {
  const parsed = parseBytes(bytes);
  const text = parsed.text ?? "";
  let problem = parsed.problem;
  for (const { value, start, end } of parsed.records) {
    if (isTitle(value) || value.type === "session") continue;
    const decoded = decodeEntry(value, text);
    if ("entry" in decoded) {
      const alone = parsed.records.length === 1 && start === 0 && end === text.length;
      const before = alone ? 0 : Buffer.byteLength(text.slice(0, start));
      const size = alone ? bytes.length : Buffer.byteLength(text.slice(start, end));
      sink.entry(treeInputOf(decoded.entry), line.offset + before, size);
    } else problem ??= decoded.problem;
  }
  if (problem !== undefined) sink.bad(line, problem, parsed.records.length === 0 ? readLink(bytes) : null);
}

/** The records in `bytes`, with the text they were read from; a line longer than any string is a problem, not an error. */
export function parseBytes(bytes: Buffer): ParsedLine & { text?: string } {
  try {
    const text = bytes.toString("utf8");
    return { ...parseLine(text), text };
  } catch {
    return { records: [], problem: TOO_LONG };
  }
}
