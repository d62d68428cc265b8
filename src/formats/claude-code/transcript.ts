import { parseLine } from "../../core/session/records.ts";
import { wellFormedDeep } from "../../core/session/well-formed.ts";
import type { Warning } from "../../errors.ts";
import type { Source } from "../format.ts";
import type { ChainLine, Raw } from "./lines.ts";
import { kindOf, laneOf, objectOf, textOf } from "./lines.ts";

/** An interface line that the chain runs through. `before` is the chained line before it in its lane. */
export interface PassedLine {
  readonly parentUuid: string | null;
  readonly before: number | null;
}

/** A file, sorted: what the model may have seen, and what only leads to it. */
export interface Transcript {
  readonly lines: ChainLine[];
  /** Places in `lines` by uuid. */
  readonly byUuid: Map<string, number>;
  readonly passed: Map<string, PassedLine>;
  /** For each chained line the one before it in its lane, or null. */
  readonly before: (number | null)[];
  readonly titles: Raw[];
  readonly sessionIds: Set<string>;
  readonly warnings: Warning[];
}

/** Lone surrogates can only come from such an escape, since files are UTF-8 [X6]. */
const SURROGATE_ESCAPE = /\\u[dD]/;
const EPOCH = "1970-01-01T00:00:00.000Z";

/** Reads the lines one by one; memory is that of the conversation, not of the file [S6]. */
export async function readTranscript(source: Source): Promise<Transcript> {
  const lines: ChainLine[] = [];
  const byUuid = new Map<string, number>();
  const passed = new Map<string, PassedLine>();
  const before: (number | null)[] = [];
  const titles: Raw[] = [];
  const sessionIds = new Set<string>();
  const warnings: Warning[] = [];
  const newest = new Map<string, number>();
  const left = new Map<string, number>();
  let twice = 0;
  let timestamp = EPOCH;

  const take = (raw: Raw, line: number): void => {
    timestamp = textOf(raw.timestamp) || timestamp;
    const uuid = textOf(raw.uuid);
    const lane = laneOf(raw);
    const kind = kindOf(raw);
    if (kind === "title") titles.push(raw);
    if (kind === "interface" || kind === "unknown" || kind === "pass") count(left, textOf(raw.type) || "no type");
    const parentUuid = typeof raw.parentUuid === "string" ? raw.parentUuid : null;
    if (kind === "pass") passed.set(uuid, { parentUuid, before: newest.get(lane) ?? null });
    if (kind !== "chain") return;
    if (textOf(raw.sessionId)) sessionIds.add(textOf(raw.sessionId));
    const known = byUuid.get(uuid);
    const at = known ?? lines.length;
    if (known !== undefined) {
      twice++;
      if (!saysTheSame(lines[known]!.raw, raw)) {
        warnings.push({
          code: "duplicate-id",
          message: `line ${line} repeats the uuid ${uuid} with other content; the last one counts`,
          line,
        });
      }
      lines[at] = { ...lines[known]!, line, raw };
      return;
    }
    before.push(newest.get(lane) ?? null);
    lines.push({ at, line, uuid, parentUuid, type: textOf(raw.type), lane, timestamp, raw });
    byUuid.set(uuid, at);
    newest.set(lane, at);
  };

  for await (const { line, text } of source.lines) {
    const { records, problem } = parseLine(text);
    if (problem) warnings.push({ code: "bad-line", message: `line ${line} of ${source.name} ${problem}`, line });
    const odd = SURROGATE_ESCAPE.test(text);
    for (const { value: raw } of records) {
      // The interface's copy of a tool's result is often most of a file.
      delete raw.toolUseResult;
      take(odd ? wellFormedDeep(raw) : raw, line);
    }
  }
  if (twice > 0) warnings.push({ code: "repeated-lines", message: `${twice} lines stood in the file more than once` });
  if (left.size > 0)
    warnings.push({
      code: "not-imported",
      message: `lines that never reached the model, not imported: ${tally(left)}`,
    });
  if (sessionIds.size > 1) {
    warnings.push({
      code: "several-sessions",
      message: `${source.name} holds lines of ${sessionIds.size} sessions, read as one`,
    });
  }
  return { lines, byUuid, passed, before, titles, sessionIds, warnings };
}

function saysTheSame(one: Raw, other: Raw): boolean {
  return JSON.stringify(objectOf(one.message).content) === JSON.stringify(objectOf(other.message).content);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function tally(counts: Map<string, number>): string {
  return [...counts].map(([type, n]) => `${n} ${type}`).join(", ");
}
