/** A JSON object as `JSON.parse` gives it. */
export type JsonRecord = Record<string, unknown>;

/** One object found on a line; `start` and `end` are its place in the line's text. */
export interface LineRecord {
  readonly value: JsonRecord;
  readonly start: number;
  readonly end: number;
}

/** What one physical line holds. `problem` says what could not be read, as the end of a sentence: "is cut off". */
export interface ParsedLine {
  readonly records: readonly LineRecord[];
  readonly problem?: string;
}

/** How a session record starts in every writer's order: tells a record from a block inside one. */
const RECORD_START = /\{"type":"\w+","id":"[^"\\]*","parentId":(?:null|")/g;

/**
 * The objects on one line of a JSONL file: one, none, or several that were glued together [S6].
 *
 * Recovers `}{` at any depth and with braces in strings, a whole record after a cut-off one, records behind NUL padding,
 * and bare `NaN` and `Infinity` (as null, with a problem). A blank line has neither records nor a problem.
 * Linear in the length of `text`; never throws.
 */
export function parseLine(text: string): ParsedLine {
  const whole = parseObject(text);
  if (whole) return { records: [{ value: whole, start: 0, end: text.length }] };
  if (text.trim() === "") return { records: [] };
  const records: LineRecord[] = [];
  let problem: string | undefined;
  for (let at = skipPadding(text, 0); at < text.length; ) {
    const end = text[at] === "{" ? objectEnd(text, at) : -1;
    const found = end === -1 ? null : readObject(text.slice(at, end));
    if (found) {
      records.push({ value: found.value, start: at, end });
      if (found.patched) problem ??= "holds a number that JSON does not know (read as null)";
      at = skipPadding(text, end);
    } else {
      problem ??= text[at] !== "{" ? describe(text, at) : end === -1 ? "is cut off" : "is not valid JSON";
      at = nextRecord(text, at + 1);
    }
  }
  if (records.length === 0) problem ??= "holds NUL bytes and nothing else";
  return problem === undefined ? { records } : { records, problem };
}

function parseObject(text: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
  } catch {
    return null;
  }
}

function readObject(text: string): { value: JsonRecord; patched: boolean } | null {
  const value = parseObject(text);
  if (value) return { value, patched: false };
  const patched = parseObject(withoutBareNumbers(text));
  return patched && { value: patched, patched: true };
}

/** The place after the object that starts at `start`, or -1 where the text ends first. */
function objectEnd(text: string, start: number): number {
  const mark = /["{}[\]]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let hit = mark.exec(text); hit; hit = mark.exec(text)) {
    const sign = hit[0];
    if (sign === '"') {
      const end = stringEnd(text, hit.index);
      if (end === -1) return -1;
      mark.lastIndex = end;
    } else {
      depth += sign === "{" || sign === "[" ? 1 : -1;
      if (depth === 0) return mark.lastIndex;
    }
  }
  return -1;
}

/** The place after the string whose opening quote stands at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return -1;
}

function skipPadding(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text[at] === "\uFEFF")) at++;
  return at;
}

/** Where a whole record starts after a broken one; it must be followed by another or by the line's end. */
function nextRecord(text: string, from: number): number {
  // Each try may scan to the end of the line, so a line full of false starts is given up.
  let budget = 4 * text.length;
  RECORD_START.lastIndex = from;
  for (let hit = RECORD_START.exec(text); hit && budget > 0; hit = RECORD_START.exec(text)) {
    const end = objectEnd(text, hit.index);
    budget -= (end === -1 ? text.length : end) - hit.index;
    const next = end === -1 ? -1 : skipPadding(text, end);
    if (next === text.length || text[next] === "{") return hit.index;
  }
  const glued = text.indexOf("}{", from);
  return glued === -1 ? text.length : glued + 1;
}

function withoutBareNumbers(text: string): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const bareEnd = quote === -1 ? text.length : quote;
    out += text.slice(at, bareEnd).replace(/-?\b(?:NaN|Infinity)\b/g, "null");
    const end = quote === -1 ? -1 : stringEnd(text, quote);
    at = end === -1 ? text.length : end;
    out += text.slice(bareEnd, at);
  }
  return out;
}

function describe(text: string, at: number): string {
  try {
    JSON.parse(text);
    return "is not an object";
  } catch {
    return at === 0 ? "is not JSON" : "holds text that is no record";
  }
}
