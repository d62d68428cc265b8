import { decodeEntry, encodeEntry, isTitle } from "../../core/session/codec.ts";
import { type ByteLine, lineSplitter } from "../../core/session/lines.ts";
import type { FileMigration } from "../../core/session/migrations.ts";
import type { StoredEntry } from "../../ports/store.ts";
import { parseBytes } from "./line.ts";
import type { LineProblems } from "./problems.ts";
import { readChunk } from "./scan.ts";
import type { SessionFile } from "./session-file.ts";

const CHUNK = 1 << 20;

export interface StreamOptions {
  readonly file: SessionFile;
  /** Applied to every record, also to those before `fromLine`, since ids follow from what came before. */
  readonly migration: FileMigration;
  readonly problems: LineProblems;
  readonly fromLine?: number | undefined;
  readonly toLine?: number | undefined;
}

/**
 * The entries of the file in their order, a chunk at a time [S10]; bad lines go to `problems` with their numbers [S6].
 *
 * Ends where the file ended when the stream was started. `raw` of a migrated entry is the line it will be stored as.
 */
export async function* streamEntries(options: StreamOptions): AsyncGenerator<StoredEntry> {
  const { fromLine = 1, toLine = Number.POSITIVE_INFINITY, file } = options;
  // Lines before the range need no parsing unless a migration counts them.
  const parseFrom = options.migration.steps.length > 0 ? 1 : fromLine;
  const splitter = lineSplitter();
  const size = file.size;
  for (let at = 0; at < size; ) {
    // The splitter's lines share memory with the chunk, so each chunk is a new one.
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, size - at));
    const length = await readChunk(file, chunk, at, chunk.length);
    at += length;
    const lines = splitter.push(chunk.subarray(0, length));
    if (at >= size) lines.push(...splitter.end());
    for (const line of lines) {
      if (line.number > toLine) return;
      if (line.number < parseFrom) continue;
      for (const stored of entriesOn(line, options)) if (line.number >= fromLine) yield stored;
    }
  }
}

function* entriesOn(line: ByteLine, { migration, problems }: StreamOptions): Generator<StoredEntry> {
  const parsed = parseBytes(Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.length));
  const text = parsed.text ?? "";
  let problem = parsed.problem;
  let nth = 0;
  for (const { value, start, end } of parsed.records) {
    if (isTitle(value) || value.type === "session") continue;
    migration.apply(value, { line: line.number, nth: nth++ });
    const decoded = decodeEntry(value, text);
    if ("entry" in decoded) {
      const raw = migration.steps.length > 0 ? encodeEntry(decoded.entry) : text.slice(start, end);
      yield { entry: decoded.entry, line: line.number, raw };
    } else problem ??= decoded.problem;
  }
  if (problem !== undefined) problems.report(line, problem);
}
