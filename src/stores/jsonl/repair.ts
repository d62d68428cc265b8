import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { decodeEntry, encodeEntry, isTitle } from "../../core/session/codec.ts";
import type { Entry } from "../../core/session/entry.ts";
import { type ByteLine, lineSplitter } from "../../core/session/lines.ts";
import { type FileMigration, migrationOf } from "../../core/session/migrations.ts";
import { checkSame } from "./append.ts";
import { readLink } from "./head.ts";
import { readHeader } from "./header.ts";
import { parseBytes } from "./line.ts";
import { takeLock } from "./lock.ts";
import { keepOld } from "./migrate-file.ts";
import { blocks } from "./rewrite.ts";
import { readChunk } from "./scan.ts";
import { openSessionFile, type SessionFile } from "./session-file.ts";
import { pendingFile } from "./write-file.ts";

const CHUNK = 1 << 20;

/** A line that is no clean entry: why, and how many records were found on it. */
export interface BadLine {
  /** 1-based. */
  readonly line: number;
  readonly problem: string;
  readonly records: number;
}

/** An entry whose parent is lost with a bad line, and the one it hangs under instead. */
export interface Reparented {
  readonly id: string;
  readonly from: string;
  readonly to: string | null;
}

/** What a repair found, and did unless it was a dry run. */
export interface RepairReport {
  /** Entries that the repaired file holds. */
  readonly entries: number;
  /** Lines set aside, whole; records that could be read on them stay. */
  readonly bad: readonly BadLine[];
  /** Lines on which several whole records stood, and nothing else. */
  readonly split: readonly number[];
  readonly reparented: readonly Reparented[];
  /** Where the bad lines are and where the old file is; absent when nothing was written. */
  readonly badFile?: string;
  readonly backup?: string;
}

/**
 * What a repair of the session at `path` found [S6]; with `dryRun` it writes nothing.
 *
 * Bad lines go to `<path>.bad.jsonl`, each as `{line, problem, text}` (`base64` where it is no UTF-8), before the file is
 * replaced in one step; the old file stays as `.bak`. Records that share a line get one each. All other lines keep their
 * bytes. A clean file is left alone. Rejects as opening does, and `SESSION_LOCKED`, `SESSION_CHANGED`, `STORE_IO`.
 */
export async function repairFile(path: string, { dryRun = false }: { dryRun?: boolean } = {}): Promise<RepairReport> {
  const file = openSessionFile(path);
  const release = dryRun ? () => {} : takeLock(file.path);
  try {
    const found = await survey(file);
    if (dryRun || found.bad.length + found.split.length === 0) return found.report();
    checkSame(file);
    const badFile = found.bad.length > 0 ? await setAside(file, found) : undefined;
    const backup = await replace(file, found);
    return { ...found.report(), ...(badFile !== undefined && { badFile }), backup };
  } finally {
    release();
    file.close();
  }
}

interface Survey {
  readonly bad: readonly BadLine[];
  readonly split: readonly number[];
  /** The parent that an entry gets, by its id. */
  readonly parents: ReadonlyMap<string, Reparented>;
  /** For another look at the lines, from the first. */
  migration(): FileMigration;
  report(): RepairReport;
}

/** One look at every line; memory is that of the ids. */
async function survey(file: SessionFile): Promise<Survey> {
  const { header } = readHeader(file);
  const migration = migrationOf(header);
  const isOld = migration.steps.length > 0;
  const bad: BadLine[] = [];
  const split: number[] = [];
  const ids = new Set<string>();
  /** Of lost lines that still tell their id: their parent. */
  const links = new Map<string, string | null>();
  /** The entry before the newest lost line that tells nothing, once there was one. */
  let beforeLost: { readonly id: string | null } | undefined;
  const orphans: { id: string; parentId: string; guess: string | null | undefined }[] = [];
  let last: string | null = null;
  let entries = 0;

  for await (const line of linesOf(file)) {
    const { records, problem, link } = recordsOn(line, migration);
    if (problem !== undefined) bad.push({ line: line.number, problem, records: records.length });
    else if (records.length > 1) split.push(line.number);
    if (problem !== undefined && records.length === 0) {
      if (link) links.set(link.id, link.parentId);
      else beforeLost = { id: last };
    }
    for (const { entry } of records) {
      if (!entry) continue;
      entries++;
      if (isOld) continue;
      ids.add(entry.id);
      const { id, parentId } = entry;
      if (parentId !== null && !ids.has(parentId)) orphans.push({ id, parentId, guess: beforeLost?.id });
      last = id;
    }
  }

  const parents = new Map<string, Reparented>();
  for (const { id, parentId, guess } of orphans) {
    if (ids.has(parentId)) continue;
    const to = links.has(parentId) ? present(parentId) : guess;
    if (to !== undefined && to !== id) parents.set(id, { id, from: parentId, to });
  }
  return {
    bad,
    split,
    parents,
    migration: () => migrationOf(header),
    report: () => ({ entries, bad, split, reparented: [...parents.values()] }),
  };

  function present(lost: string): string | null {
    const seen = new Set<string>();
    let at: string | null = lost;
    while (at !== null && !ids.has(at)) {
      if (seen.has(at) || !links.has(at)) return null;
      seen.add(at);
      at = links.get(at) ?? null;
    }
    return at;
  }
}

interface FoundRecord {
  /** Null for the header and title lines, which stay as they are. */
  readonly entry: Entry | null;
  readonly text: string;
}

interface LineRecords {
  readonly records: readonly FoundRecord[];
  readonly problem?: string;
  /** What a line without records still tells of itself. */
  readonly link?: { readonly id: string; readonly parentId: string | null } | null;
}

function recordsOn({ bytes, number }: ByteLine, migration: FileMigration): LineRecords {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { records, problem, text = "" } = parseBytes(buffer);
  const found: FoundRecord[] = [];
  let odd = problem;
  for (const [nth, { value, start, end }] of records.entries()) {
    // Where a number was read as null the record's own text would be bad again.
    const own = problem === undefined ? text.slice(start, end) : JSON.stringify(value);
    if (isTitle(value) || value.type === "session") {
      found.push({ entry: null, text: own });
      continue;
    }
    migration.apply(value, { line: number, nth });
    const decoded = decodeEntry(value, own);
    if ("entry" in decoded) found.push({ entry: decoded.entry, text: own });
    else odd ??= decoded.problem;
  }
  if (odd === undefined) return { records: found };
  return { records: found, problem: odd, link: found.length === 0 ? readLink(buffer) : null };
}

async function setAside(file: SessionFile, { bad }: Survey): Promise<string> {
  const problems = new Map(bad.map(({ line, problem }) => [line, problem]));
  const path = freeName(file.path.replace(/\.jsonl$/, ""));
  const pending = pendingFile(path, file.mode & 0o777);
  try {
    for await (const { number, bytes } of linesOf(file)) {
      const problem = problems.get(number);
      if (problem !== undefined) pending.write(JSON.stringify({ line: number, problem, ...contentOf(bytes) }));
    }
    pending.publish(false);
  } finally {
    pending.discard();
  }
  return path;
}

function freeName(stem: string): string {
  for (let n = 0; ; n++) {
    const path = `${stem}.bad${n === 0 ? "" : `.${n}`}.jsonl`;
    if (!existsSync(path)) return path;
  }
}

function contentOf(bytes: Uint8Array): { text: string } | { base64: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isUtf8(buffer) ? { text: buffer.toString("utf8") } : { base64: buffer.toString("base64") };
}

/** Puts the repaired file in the place of the old one; gives the name that the old one has now. */
async function replace(file: SessionFile, found: Survey): Promise<string> {
  const touched = new Set([...found.bad.map(({ line }) => line), ...found.split]);
  const pending = pendingFile(file.path, file.mode & 0o777);
  try {
    let cleanFrom: number | null = 0;
    for await (const line of linesOf(file)) {
      cleanFrom ??= line.offset;
      const records =
        touched.has(line.number) || found.parents.size > 0 ? recordsOn(line, found.migration()).records : [];
      const moved = records.some(({ entry }) => entry && found.parents.has(entry.id));
      if (!touched.has(line.number) && !moved) continue;
      for (const bytes of blocks(file, cleanFrom, line.offset)) pending.copy(bytes);
      for (const record of records) pending.write(textOf(record, found.parents));
      cleanFrom = null;
    }
    for (const bytes of blocks(file, cleanFrom ?? file.size, file.size)) pending.copy(bytes);
    const backup = keepOld(file.path);
    pending.publish(true);
    return backup;
  } finally {
    pending.discard();
  }
}

function textOf({ entry, text }: FoundRecord, parents: Survey["parents"]): string {
  const parent = entry && parents.get(entry.id);
  return parent ? encodeEntry({ ...entry, parentId: parent.to }) : text;
}

async function* linesOf(file: SessionFile): AsyncGenerator<ByteLine> {
  const splitter = lineSplitter();
  for (let at = 0; at < file.size; ) {
    // The splitter's lines share memory with the chunk, so each chunk is a new one.
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, file.size - at));
    const length = await readChunk(file, chunk, at, chunk.length);
    at += length;
    yield* splitter.push(chunk.subarray(0, length));
  }
  yield* splitter.end();
}
