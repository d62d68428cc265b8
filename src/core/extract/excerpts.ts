import { textOf } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { ToolCallBlock } from "../session/message.ts";
import { type Cap, type Group, type Page, take } from "./budget.ts";
import { type Told, tell } from "./facts.ts";
import { filesAfter } from "./ledger.ts";
import { tag, under } from "./print.ts";
import { type Stretch, unnumber } from "./sources.ts";
import { readToolCall } from "./tools.ts";
import { wordsOf } from "./words.ts";
import type { OpenFile, Work } from "./work.ts";

/** What the messages after the cut show by themselves. */
export interface Shown {
  /** Lines of code and output, trimmed. */
  readonly lines: ReadonlySet<string>;
  /** Files touched there, newest first. */
  readonly paths: readonly string[];
  /** Files that the other part of the summary tells of. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Some lines of a file that stand or fall together. */
interface Block {
  readonly file: OpenFile;
  readonly stretch: Stretch;
  readonly lines: readonly string[];
  readonly start: number;
  readonly words: readonly number[];
  readonly worth: number;
}

const MOST_FILES = 10;
const MOST_LINES = 1500;
/** A block ends at an empty line once it has so many lines, and anywhere at the larger number. */
const SHORT = 5;
const LONG = 14;
const WIDEST = 240;
/** A block of which more than this share is visible elsewhere is left out. */
const KNOWN = 0.5;

/** What `kept` shows: read so that no excerpt repeats it. `later` are messages that a part of its own tells of. */
export function shownBy(kept: readonly ContextMessage[], later: readonly ContextMessage[]): Shown {
  const lines = new Set<string>();
  const paths = new Set<string>();
  const add = (text: string) => {
    for (const line of text.slice(0, 200_000).split("\n")) lines.add(bareLine(line));
  };
  for (let i = kept.length - 1; i >= 0; i--) {
    const message = kept[i]?.message;
    if (message?.role === "toolResult") add(textOf(message.content));
    if (message?.role !== "assistant" || !Array.isArray(message.content)) continue;
    for (const block of message.content) {
      if (block?.type !== "toolCall") continue;
      const use = readToolCall(block as ToolCallBlock);
      for (const path of use.paths) paths.add(path);
      for (const text of use.texts) add(text);
    }
  }
  const elsewhere = new Set(later.length > 0 ? [...filesAfter(later).keys(), ...paths] : []);
  return { lines, paths: [...paths], elsewhere };
}

/**
 * Quotes lines of the files under work as they stand now, as much as `cap` allows, and gives them back by path.
 *
 * Whoever edits a file needs its exact lines: those of the files touched last come first, and in them the blocks whose
 * words weigh most. What `shown` holds is left out.
 */
export function addExcerpts(page: Page, work: Work, told: Told, shown: Shown, cap: Cap): Map<string, string> {
  const quoted = new Map<string, { start: number; text: string }[]>();
  for (const block of blocksOf(work, shown).sort((a, b) => b.worth - a.worth || a.start - b.start)) {
    if (cap.left <= 0) break;
    const { path } = block.file;
    const { id } = block.stretch;
    const head = `- ${under(work.cwd, path)}${tag(id)}:`;
    const group: Group = { key: `${path}\n${id}`, head, tag: "", order: 1e9 - block.stretch.at, fenced: true };
    const text = block.lines.join("\n");
    if (!take(page, "Critical Context", text, block.start, cap, group)) continue;
    tell(told, block.words);
    for (const line of block.lines) page.texts.add(line.trim());
    const parts = quoted.get(path) ?? [];
    parts.push({ start: block.start, text });
    quoted.set(path, parts);
  }
  return new Map(
    [...quoted].map(([path, parts]) => [
      path,
      parts
        .sort((a, b) => a.start - b.start)
        .map((part) => part.text)
        .join("\n"),
    ]),
  );
}

function blocksOf(work: Work, shown: Shown): Block[] {
  const order = [...shown.paths, ...[...work.files.keys()].reverse()];
  const blocks: Block[] = [];
  let rank = 0;
  for (const path of new Set(order)) {
    const file = work.files.get(path) ?? work.behind.get(path);
    if (!file || file.stretches.length === 0 || shown.elsewhere.has(path)) continue;
    if (rank === MOST_FILES) break;
    const share = (file.changes > 0 ? 1 : 0.6) / (1 + 0.5 * rank++);
    const seen = new Set(shown.lines);
    for (let i = file.stretches.length - 1; i >= 0; i--)
      cut(work, file, file.stretches[i] as Stretch, seen, share, blocks);
  }
  return blocks;
}

function cut(work: Work, file: OpenFile, stretch: Stretch, seen: Set<string>, share: number, blocks: Block[]): void {
  unnumber(stretch);
  const lines = stretch.text.split("\n", MOST_LINES);
  const recency = 0.5 ** ((work.at - stretch.at) / (0.25 * Math.max(1, work.at)));
  let open: string[] = [];
  let start = 0;
  const close = () => {
    const fresh = open.filter((line) => !seen.has(bareLine(line))).length;
    if (open.length > 0 && fresh > open.length * (1 - KNOWN)) {
      const text = open.join("\n");
      const words = wordsOf(work.lexicon, text, 0, text.length, false);
      let weight = 0;
      for (const word of words) weight += work.lexicon.weight[word] as number;
      const worth = ((weight + open.length * 0.2) / (text.length / 3.5 + 8)) * share * (0.3 + recency);
      blocks.push({ file, stretch, lines: open, start, words, worth });
    }
    for (const line of open) seen.add(bareLine(line));
    open = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] as string).trimEnd();
    const usable = line !== "" && line.length <= WIDEST && !line.includes("```");
    if (!usable || open.length === LONG) {
      if (!usable && line === "" && open.length < SHORT) continue;
      close();
    }
    if (!usable) continue;
    if (open.length === 0) start = i;
    open.push(line);
  }
  close();
}

function bareLine(line: string): string {
  return line.replace(/^\s*\d+[→\t|:]\s?/, "").trim();
}
