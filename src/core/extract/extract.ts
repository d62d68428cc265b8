import { textOf } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { SummaryDetails } from "../session/entry.ts";
import type { SummaryRequest } from "../summary/request.ts";
import { carry, fingerprints } from "./carry.ts";
import { compose } from "./compose.ts";
import { clip, oneLine } from "./cut.ts";
import { shownBy } from "./excerpts.ts";
import { type Told, tell } from "./facts.ts";
import { gather } from "./gather.ts";
import { filesAfter } from "./ledger.ts";
import { readState } from "./state.ts";
import { stateOf } from "./store.ts";
import { wordsOf } from "./words.ts";
import { newWork, resume, type Work } from "./work.ts";

export interface ExtractOptions {
  readonly counter: TokenCounter;
}

export interface Extract {
  /** Markdown; "" only when not one line fits. */
  readonly text: string;
  /** The same as data under `espalierState` or `espalierPrefix`, for the next merge. */
  readonly details: SummaryDetails;
}

/** How much of each kept message is read to learn what stays visible anyway. */
const KEPT_SAMPLE = 4000;
/** How many facts are chosen, printed or not: the next merge chooses among them anew. */
const MOST_FACTS = 200;
/** How much the user's focus adds to each of its words. */
const FOCUS = 25;

/**
 * A summary made of the conversation's own words, without a model [M9, V6].
 *
 * Deterministic, linear in the text, at most `request.maxTokens` by the counter. A previous summary is merged: by the
 * state in its details where there is one, and by what its text says beyond that. With no messages it comes back as it
 * is. `details` hold the state that the next call gets back as `request.previous.details`. Never throws on odd content.
 */
export function extractSummary(request: SummaryRequest, options: ExtractOptions): Extract {
  const { counter } = options;
  const { kind, messages, previous, maxTokens } = request;
  const prefix = kind === "turn-prefix";
  if (previous && messages.length === 0 && kind !== "short" && counter.count(previous.summary) <= maxTokens) {
    return { text: previous.summary, details: previous.details ?? {} };
  }
  const work = newWork();
  if (request.cwd) work.cwd = asFolder(request.cwd);
  if (previous && !prefix) merge(work, previous, messages.length);
  if (prefix && request.beside) work.behind = filesAfter(request.beside);
  gather(work, messages);
  for (const { id, text } of work.summaries) carry(work, text, id, new Set());
  if (request.focus) focusOn(work, request.focus);
  if (kind === "short") return { text: shortOf(work, counter, maxTokens), details: {} };
  const told = visible(work, request.kept ?? []);
  const shown = shownBy(request.kept ?? [], (!prefix && request.beside) || []);
  const { text, facts, quoted } = compose(work, counter, maxTokens, prefix, told, shown, MOST_FACTS);
  const state = stateOf(work, facts, quoted, fingerprints(text), prefix ? 0.5 : 1);
  return { text, details: { [prefix ? "espalierPrefix" : "espalierState"]: state } };
}

/** The path with the separator at its end that it has inside. */
function asFolder(path: string): string {
  return path.replace(/[/\\]*$/, path.includes("/") ? "/" : "\\");
}

function merge(work: Work, previous: NonNullable<SummaryRequest["previous"]>, fresh: number): void {
  const printed = new Set<number>();
  for (const key of ["espalierState", "espalierPrefix"] as const) {
    const state = readState(previous.details, key);
    if (!state) continue;
    resume(work, state, fresh);
    for (const print of state.printed) printed.add(print);
  }
  carry(work, previous.summary, "", printed);
}

function focusOn(work: Work, focus: string): void {
  const { lexicon } = work;
  for (const word of wordsOf(lexicon, focus, 0, Math.min(focus.length, 4000), true)) {
    lexicon.weight[word] = (lexicon.weight[word] as number) * 4 + FOCUS;
  }
}

function visible(work: Work, kept: readonly ContextMessage[]): Told {
  const told: Told = new Map();
  for (const { message } of kept) {
    const content = (message as { content?: unknown }).content;
    const text = textOf(content).slice(0, KEPT_SAMPLE);
    tell(told, wordsOf(work.lexicon, text, 0, text.length, false));
  }
  return told;
}

/** One or two sentences for a list: what was asked last, which files changed. */
function shortOf(work: Work, counter: TokenCounter, maxTokens: number): string {
  const asked = [...work.requests.values()].at(-1)?.text ?? "";
  const files = [...work.files.values()].filter((file) => file.changes > 0);
  const names = files.slice(-3).map((file) => file.path.slice(file.path.lastIndexOf("/") + 1));
  const more = files.length > 3 ? ", …" : "";
  const changed =
    files.length > 0 ? `Changed ${files.length} file${files.length > 1 ? "s" : ""}: ${names.join(", ")}${more}.` : "";
  for (const max of [160, 80, 40]) {
    const text = [asked && `"${clip(oneLine(asked), max)}"`, changed].filter(Boolean).join(" ");
    if (counter.count(text) <= maxTokens) return text;
  }
  return "";
}
