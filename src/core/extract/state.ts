import type { SummaryDetails } from "../session/entry.ts";
import { isRecord, type Todo } from "./tools.ts";

/** Words quoted from one entry; `id` is "" when it is not known any more. */
export interface Quote {
  readonly id: string;
  readonly text: string;
}

/** A sentence of the user that binds later work; `strong` for prohibitions and obligations. */
export interface BindingQuote extends Quote {
  readonly strong: boolean;
}

/** A line of the conversation worth keeping; `path` when it is a line of that file. */
export interface Fact extends Quote {
  readonly decision: boolean;
  readonly path: string;
}

/** Work on one file. `id` is the newest entry that changed it, or read it when nothing changed it. */
export interface FileWork {
  readonly path: string;
  readonly changes: number;
  readonly id: string;
  readonly names: readonly string[];
  /** What the assistant said when it changed it last, or "". */
  readonly why: string;
  /** Lines of it that were quoted, or "". */
  readonly text: string;
}

/** The newest run of one command. `line` is its last telling line, `was` that of a failure before a success. */
export interface Run {
  readonly command: string;
  readonly ok: boolean;
  readonly line: string;
  readonly was: string;
  readonly id: string;
}

/** An item of an earlier summary of unknown making, kept under the heading where it stood. */
export interface Carried {
  readonly section: string;
  readonly text: string;
}

/** What is known of the work: the content of a summary as data, oldest first in each list. */
export interface WorkState {
  readonly version: 1;
  /** How many messages it speaks of: the age of what it says is measured against this. */
  readonly messages: number;
  readonly requests: readonly Quote[];
  readonly directives: readonly BindingQuote[];
  readonly files: readonly FileWork[];
  readonly runs: readonly Run[];
  readonly todos: readonly Todo[];
  readonly todosId: string;
  readonly question: Quote | null;
  readonly facts: readonly Fact[];
  readonly carried: readonly Carried[];
  /** Fingerprints of the items of the text that was made from it: whatever else the text says came from elsewhere. */
  readonly printed: readonly number[];
  /** Weights of the words that matter most; those of plain words are negative. */
  readonly terms: readonly (readonly [word: string, weight: number])[];
}

/** Where the state lies in an entry's details. A split turn has its own, so that both survive in one entry. */
export type StateKey = "espalierState" | "espalierPrefix";

/**
 * How many characters of each list are stored, as JSON: the newest items, of facts the weightiest. Words by number.
 *
 * The state is a second copy of what its summary says, and more: it must stay small beside the messages it stands for.
 */
export const CAPS = {
  requests: 6000,
  request: 2000,
  directives: 16_000,
  files: 7000,
  /** Of the quoted lines of one file. */
  quoted: 2500,
  runs: 3000,
  facts: 7500,
  carried: 4000,
  terms: 160,
};

/** The state stored under `key`, or null when there is none or it is of another make. Items of odd shape are left out. */
export function readState(details: SummaryDetails | undefined, key: StateKey): WorkState | null {
  const raw = details?.[key];
  if (!isRecord(raw) || raw.version !== 1) return null;
  const list = <T>(value: unknown, read: (item: Record<string, unknown>) => T | null): T[] =>
    Array.isArray(value) ? value.flatMap((item) => (isRecord(item) ? (read(item) ?? []) : [])) : [];
  const quote = (item: Record<string, unknown>): Quote | null =>
    text(item.text) ? { id: text(item.id), text: text(item.text) } : null;
  return {
    version: 1,
    messages: typeof raw.messages === "number" && raw.messages >= 0 ? raw.messages : 0,
    requests: list(raw.requests, quote),
    directives: list(raw.directives, (item) => withQuote(quote(item), { strong: item.strong === true })),
    files: list(raw.files, (item) =>
      text(item.path)
        ? {
            path: text(item.path),
            changes: count(item.changes),
            id: text(item.id),
            names: texts(item.names),
            why: text(item.why),
            text: text(item.text),
          }
        : null,
    ),
    runs: list(raw.runs, (item) =>
      text(item.command)
        ? {
            command: text(item.command),
            ok: item.ok === true,
            line: text(item.line),
            was: text(item.was),
            id: text(item.id),
          }
        : null,
    ),
    todos: list(raw.todos, (item) =>
      text(item.text) ? { text: text(item.text), status: text(item.status) as Todo["status"] } : null,
    ),
    todosId: text(raw.todosId),
    question: isRecord(raw.question) ? quote(raw.question) : null,
    facts: list(raw.facts, (item) =>
      withQuote(quote(item), { decision: item.decision === true, path: text(item.path) }),
    ),
    carried: list(raw.carried, (item) =>
      text(item.text) ? { section: text(item.section), text: text(item.text) } : null,
    ),
    printed: Array.isArray(raw.printed) ? raw.printed.filter((item) => typeof item === "number") : [],
    terms: Array.isArray(raw.terms)
      ? raw.terms.filter((item) => Array.isArray(item) && typeof item[0] === "string" && Number.isFinite(item[1]))
      : [],
  };
}

function withQuote<T>(quote: Quote | null, more: T): (Quote & T) | null {
  return quote && { ...quote, ...more };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.floor(value) : 0;
}
