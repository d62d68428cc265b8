import { decodeHeader, isTitle } from "../../core/session/codec.ts";
import type { SessionHeader } from "../../core/session/entry.ts";
import { type ByteLine, lineSplitter } from "../../core/session/lines.ts";
import { notASession } from "./errors.ts";
import { parseBytes } from "./line.ts";
import type { SessionFile } from "./session-file.ts";

const CHUNK = 64 << 10;
const LIMIT = 4 << 20;

/** The header, and where its line starts; `number` is 1 unless other lines stand before it. */
export interface FoundHeader {
  readonly header: SessionHeader;
  readonly offset: number;
  readonly number: number;
}

/**
 * The header of a session file: its first record, oh-my-pi's title line and unreadable lines left aside [S1, S6].
 *
 * Throws `NOT_A_SESSION` for an empty file, for a first record of another kind, and where 4 MB hold no record at all.
 */
export function readHeader(file: SessionFile): FoundHeader {
  if (file.size === 0) throw notASession(file.path, "is empty");
  const splitter = lineSplitter();
  for (let at = 0; at < Math.min(file.size, LIMIT); at += CHUNK) {
    const chunk = file.read(at, Math.min(CHUNK, file.size - at));
    const lines = splitter.push(chunk);
    if (at + CHUNK >= file.size) lines.push(...splitter.end());
    for (const line of lines) {
      const found = headerOn(file.path, line);
      if (found) return found;
    }
  }
  throw notASession(file.path, "holds no session header");
}

function headerOn(path: string, { bytes, offset, number }: ByteLine): FoundHeader | null {
  const { records } = parseBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  for (const { value } of records) {
    if (isTitle(value)) continue;
    const header = decodeHeader(value);
    if (header) return { header, offset, number };
    throw notASession(path, "starts with a record that is no session header");
  }
  return null;
}
