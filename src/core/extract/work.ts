import { intern, type Lexicon, newLexicon } from "./lexicon.ts";
import type { Stretch } from "./sources.ts";
import type { BindingQuote, Carried, Fact, Quote, Run, WorkState } from "./state.ts";
import type { Todo, ToolUse } from "./tools.ts";
import { scan, wordsOf } from "./words.ts";

/** A file being worked on; `names` counts the names that stood in what was changed or read. */
export interface OpenFile {
  path: string;
  changes: number;
  id: string;
  readonly names: Map<number, number>;
  /** What it is known to hold, newest last. */
  readonly stretches: Stretch[];
  /** What the assistant said when it changed it last. */
  why: string;
}

/** A line that may be worth keeping. `words` are its distinct words by number. */
export interface Candidate {
  readonly id: string;
  readonly text: string;
  readonly words: readonly number[];
  /** Of which message, counted from the beginning: the order in which facts are printed. */
  readonly at: number;
  /** Above 1 for lines that decide or conclude, below 1 for raw output. */
  readonly factor: number;
  readonly decision: boolean;
  /** The file that this is a line of, or "". */
  readonly path: string;
}

/** A session while it is read: everything that a summary may say, and the words' weights by which it is chosen. */
export interface Work {
  readonly lexicon: Lexicon;
  /** The working folder, ending in `/`, or "": paths below it are told from there. */
  cwd: string;
  messages: number;
  /** Number of the message being read. */
  at: number;
  /** Between 0 and 1: how much the message being read counts. */
  recency: number;
  readonly requests: Map<string, Quote>;
  readonly directives: Map<string, BindingQuote>;
  readonly files: Map<string, OpenFile>;
  /** Files as they were left before the messages, when those are only the early part of a turn. */
  behind: ReadonlyMap<string, OpenFile>;
  readonly runs: Map<string, Run>;
  /** Keys of the newest runs that failed and were not seen to succeed since. */
  readonly failing: Set<string>;
  readonly open: Map<string, { readonly use: ToolUse; readonly id: string; readonly why: string }>;
  /** The last sentence that the assistant said in the message being read. */
  said: string;
  todos: readonly Todo[];
  todosId: string;
  question: Quote | null;
  candidates: Candidate[];
  readonly carried: Carried[];
  /** Summaries met among the messages. */
  readonly summaries: Quote[];
}

/** A work that knows nothing but the language. */
export function newWork(): Work {
  return {
    lexicon: newLexicon(),
    cwd: "",
    messages: 0,
    at: 0,
    recency: 1,
    requests: new Map(),
    directives: new Map(),
    files: new Map(),
    behind: new Map(),
    runs: new Map(),
    failing: new Set(),
    open: new Map(),
    said: "",
    todos: [],
    todosId: "",
    question: null,
    candidates: [],
    carried: [],
    summaries: [],
  };
}

/** Continues a work from the state of an earlier summary; `fresh` messages will follow, by which its words age. */
export function resume(work: Work, state: WorkState, fresh: number): void {
  const { lexicon } = work;
  const total = work.messages + state.messages + fresh;
  const age = total > 0 ? 0.5 ** (fresh / (0.5 * total)) : 1;
  work.messages += state.messages;
  for (const [word, weight] of state.terms) {
    const id = intern(lexicon, word, weight >= 0);
    lexicon.weight[id] = (lexicon.weight[id] ?? 0) + Math.abs(weight) * age;
  }
  for (const quote of state.requests) addQuote(work, quote);
  for (const quote of state.directives) work.directives.set(quote.text.toLowerCase(), quote);
  for (const file of state.files) {
    const names = new Map<number, number>();
    for (const name of file.names) names.set(intern(lexicon, name, true), 1);
    const { path, changes, id, why, text } = file;
    const stretches = text === "" ? [] : [{ text, id, at: work.at, numbered: false }];
    work.files.set(path, { path, changes, id, names, stretches, why });
  }
  for (const run of state.runs) {
    work.runs.set(run.command, run);
    if (!run.ok) work.failing.add(run.command);
  }
  if (state.todos.length > 0) {
    work.todos = state.todos;
    work.todosId = state.todosId;
  }
  work.question = state.question ?? work.question;
  state.facts.forEach((fact, i) => {
    addEarlier(work, fact, i - state.facts.length);
  });
  work.carried.push(...state.carried);
}

/** The least weight of a word in a fact that was chosen once: only the weightiest words are stored. */
const CHOSEN = 0.5;

/** Adds a fact of an earlier summary; `at`, below zero, is its place among them. */
export function addEarlier(work: Work, fact: Fact, at: number): void {
  const words = wordsOf(work.lexicon, fact.text, 0, fact.text.length, true);
  const factor = fact.decision ? 1.4 : fact.path ? 0.8 : 1;
  const { weight, name } = work.lexicon;
  for (const word of words) weight[word] = Math.max(weight[word] as number, name[word] ? CHOSEN : CHOSEN / 8);
  work.candidates.push({ ...fact, words, at, factor });
}

/** Adds a request; one that begins the same way as an earlier one takes its place, at the end. */
export function addQuote(work: Work, quote: Quote): void {
  const key = quote.text.slice(0, 120).toLowerCase();
  work.requests.delete(key);
  work.requests.set(key, quote);
}

/** Adds the weight of the words of `text` between `from` and `to`, each once a message; gives how many there are. */
export function weigh(work: Work, text: string, from: number, to: number, said: number, plain: boolean): number {
  const { lexicon, at, recency } = work;
  const found = scan(lexicon, text, from, to, plain);
  const { scratch, seen, name, weight } = lexicon;
  for (let i = 0; i < found; i++) {
    const id = scratch[i] as number;
    if (seen[id] === at) continue;
    seen[id] = at;
    weight[id] = (weight[id] as number) + said * (name[id] ? 1 : 0.12) * recency;
  }
  return found;
}
