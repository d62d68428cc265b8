import type { TokenCounter } from "../context/tokens.ts";
import { openBoxes } from "./boxes.ts";
import { type Cap, type Group, type Line, newCap, newPage, type Page, sectionLines, take } from "./budget.ts";
import { clip, oneLine } from "./cut.ts";
import { addExcerpts, type Shown } from "./excerpts.ts";
import { pick, type Told } from "./facts.ts";
import { addFiles } from "./files.ts";
import { quoteLines, runLine, tag, tagged, under } from "./print.ts";
import { isProbe } from "./runs.ts";
import { PREFIX_SECTIONS, printSections, SECTIONS, type Section } from "./sections.ts";
import type { Quote, Run } from "./state.ts";
import type { Candidate, Work } from "./work.ts";

/** Shares of the budget: the most that a part takes before the facts have had theirs. */
const SHARE = {
  newest: 0.35,
  first: 0.1,
  binding: 0.35,
  files: 0.3,
  runs: 0.1,
  next: 0.08,
  carried: 0.35,
  requests: 0.12,
};
/** The share of quoted lines of files grows with the budget: facts come first where there is little. */
const EXCERPTS = { least: 0.12, most: 0.4, at: 8000, behind: 1.3 };
/** Tokens that the newest request may take of however little there is: without it the rest says nothing. */
const NEWEST_LEAST = 64;
const MOST_RUNS = 12;
const MOST_BLOCKED = 6;

export interface Composed {
  readonly text: string;
  /** What was chosen beyond the lists, in order of choice; the first lines printed, the rest kept for a merge. */
  readonly facts: readonly Candidate[];
  /** Lines of files that were quoted, by path. */
  readonly quoted: ReadonlyMap<string, string>;
}

/** The summary's text within `maxTokens`, and what was chosen for it. `told` and `shown` say what stays visible anyway. */
export function compose(
  work: Work,
  counter: TokenCounter,
  maxTokens: number,
  prefix: boolean,
  told: Told,
  shown: Shown,
  reserve: number,
): Composed {
  const layout = prefix ? PREFIX_LAYOUT : HISTORY_LAYOUT;
  const frame = counter.count(print(layout, newPage(counter, 0), true)) + 8;
  const roomy = frame * 4 < maxTokens;
  const page = newPage(counter, Math.max(0, maxTokens - (roomy ? frame : Math.min(frame, maxTokens >> 2))));
  const share = (part: number) => newCap(maxTokens * part);
  const requests = [...work.requests.values()];
  const whole = addNewest(page, requests.at(-1), share(SHARE.newest));
  const cap = share(SHARE.binding);
  const directives = [...work.directives.values()].reverse();
  directives.forEach((quote, i) => {
    if (quote.strong) take(page, "Constraints & Preferences", tagged(`- "${quote.text}"`, quote.id), -i, cap);
  });
  if (requests.length > 1)
    addRequest(page, requests[0] as Quote, 0, Math.floor(maxTokens * SHARE.first * 3), share(SHARE.first));
  addCarried(page, work, share(SHARE.carried));
  addFiles(page, work, told, share(SHARE.files));
  addRuns(page, work, share(SHARE.runs));
  addNext(page, work, share(SHARE.next));
  directives.forEach((quote, i) => {
    const quoted = whole && quote.id === requests.at(-1)?.id;
    if (!quote.strong && !quoted)
      take(page, "Constraints & Preferences", tagged(`- "${quote.text}"`, quote.id), -i, cap);
  });
  addRequests(page, requests, share(SHARE.requests));
  const quoted = addExcerpts(page, work, told, shown, share(excerptShare(maxTokens, work.behind.size > 0)));
  const facts = addFacts(page, work, told, reserve);
  addRequests(page, requests, newCap(page.left));
  return { text: printWithin(page, layout, maxTokens, roomy), facts, quoted };
}

function excerptShare(maxTokens: number, isLatePart: boolean): number {
  const { least, most, at, behind } = EXCERPTS;
  return (least + (most - least) * Math.min(1, maxTokens / at)) * (isLatePart ? behind : 1);
}

/** True when the newest request stands on the page to its last word. */
function addNewest(page: Page, quote: Quote | undefined, cap: Cap): boolean {
  if (!quote) return false;
  const room = Math.min(Math.max(cap.left, NEWEST_LEAST), page.left);
  let max = quote.text.length;
  for (let tries = 0; tries < 12; tries++) {
    const text = quoteLines(clip(quote.text, max), quote.id);
    if (page.counter.count(text) + 1 <= room) {
      take(page, "Goal", text, 1e9);
      return max === quote.text.length;
    }
    max = Math.floor(max === quote.text.length ? Math.min(max * 0.8, room * 4) : max * 0.8);
  }
  return false;
}

function addRequest(page: Page, quote: Quote, order: number, max: number, cap: Cap): void {
  take(page, "Goal", tagged(`- "${clip(oneLine(quote.text), Math.max(80, max))}"`, quote.id), order, cap);
}

function addRequests(page: Page, requests: readonly Quote[], cap: Cap): void {
  for (let i = requests.length - 2; i > 0; i--) addRequest(page, requests[i] as Quote, i, 500, cap);
}

function addCarried(page: Page, work: Work, cap: Cap): void {
  const first = (section: string) => (section === "Goal" || section === "Constraints & Preferences" ? 0 : 1);
  const sections = [...work.carried].map((item, i) => ({ ...item, i }));
  sections.sort(
    (a, b) =>
      first(a.section) - first(b.section) ||
      (a.section === "Done" ? 1 : 0) - (b.section === "Done" ? 1 : 0) ||
      b.i - a.i,
  );
  for (const item of sections) take(page, item.section, item.text, item.i - 1e6, cap);
}

function addRuns(page: Page, work: Work, cap: Cap): void {
  const runs = [...work.runs.values()].filter((run) => !isProbe(run.command));
  const open = runs.filter((run) => !run.ok).slice(-MOST_BLOCKED);
  for (let i = open.length - 1; i >= 0; i--) take(page, "Blocked", runLine(open[i] as Run), i, cap);
  const done = runs.filter((run) => run.ok);
  const cured = done.filter((run) => run.was);
  for (const run of [...cured, ...done.slice(-MOST_RUNS)].reverse().slice(0, MOST_RUNS)) {
    take(page, "Done", runLine(run), 1e5 + done.indexOf(run), cap);
  }
}

function addNext(page: Page, work: Work, cap: Cap): void {
  const { todos, todosId, question } = work;
  if (question) take(page, "Next Steps", tagged(`- Unanswered: "${clip(question.text, 400)}"`, question.id), 1e6, cap);
  todos.forEach((todo, i) => {
    const section: Section =
      todo.status === "completed" ? "Done" : todo.status === "in_progress" ? "In Progress" : "Next Steps";
    const text = tagged(`- ${clip(oneLine(todo.text), 240)}`, todosId);
    if (todo.status !== "completed") take(page, section, text, i, cap);
  });
  addBoxes(page, work, cap);
}

/** What is open in the list of tasks that was touched last. */
function addBoxes(page: Page, work: Work, cap: Cap): void {
  for (const file of [...work.files.values()].reverse()) {
    const boxes = openBoxes(file);
    boxes.forEach(({ text, heading }, i) => {
      const head = `- Open in ${under(work.cwd, file.path)}${tag(file.id)}, ${clip(heading || "tasks", 80)}:`;
      take(page, "Next Steps", clip(text, 240), i, cap, { key: head, head, tag: "", order: 1e5 + i });
    });
    if (boxes.length > 0) return;
  }
}

function addFacts(page: Page, work: Work, told: Told, reserve: number): Candidate[] {
  const facts: Candidate[] = [];
  let misses = 0;
  for (const fact of pick(work.candidates, work.lexicon, told)) {
    facts.push(fact);
    if (misses < 20) {
      if (!takeFact(page, fact, work.cwd)) misses++;
    } else if (facts.length >= reserve) break;
  }
  return facts;
}

/** Facts of one entry stand together, lines of a file under its name. */
function takeFact(page: Page, fact: Candidate, cwd: string): boolean {
  const section: Section = fact.decision ? "Key Decisions" : "Critical Context";
  const { id, path, text } = fact;
  if (page.texts.has(text)) return true;
  const group: Group = path
    ? { key: `${path}\n${id}\nlines`, head: `- ${under(cwd, path)}${tag(id)}:`, tag: "", order: 1e8 + fact.at }
    : { key: `${section}\n${id || text}`, head: "", tag: tag(id), order: fact.at };
  return take(page, section, text.replaceAll("[#", "[\\#"), page.lines.length, undefined, group);
}

type Layout = readonly { readonly title: string; readonly level: 2 | 3; readonly holds: readonly string[] }[];

const HISTORY_LAYOUT: Layout = SECTIONS.map((title) => ({
  title,
  level: title === "Done" || title === "In Progress" || title === "Blocked" ? 3 : 2,
  holds: [title],
}));

const PREFIX_LAYOUT: Layout = [
  { title: PREFIX_SECTIONS[0], level: 2, holds: ["Goal"] },
  { title: PREFIX_SECTIONS[1], level: 2, holds: ["Done", "In Progress", "Blocked", "Key Decisions"] },
  { title: PREFIX_SECTIONS[2], level: 2, holds: ["Constraints & Preferences", "Next Steps", "Critical Context"] },
];

/** The page printed; lines of least order of taking go until the whole fits, counted as one text. */
function printWithin(page: Page, layout: Layout, maxTokens: number, roomy: boolean): string {
  const { lines } = page;
  for (;;) {
    const text = print(layout, page, roomy);
    const over = page.counter.count(text) - maxTokens;
    if (over <= 0 || lines.length === 0) return over <= 0 ? text : "";
    for (let gone = 0; gone < over && lines.length > 0; ) gone += (lines.pop() as Line).cost;
  }
}

function print(layout: Layout, page: Page, all: boolean): string {
  const parts = layout.map(({ title, level, holds }) => {
    const own = holds.flatMap((section) => sectionLines(page, section));
    const isFrame = title === "Progress";
    return {
      title,
      level,
      lines: own.length > 0 || isFrame ? own : ["(none)"],
      keep: own.length > 0 || all || isFrame,
    };
  });
  return printSections(parts.filter((part) => part.keep));
}
