import type { TokenCounter } from "../context/tokens.ts";

/** Lines that stand together: under a head of their own, or as one item; the entry they come from is cited once. */
export interface Group {
  readonly key: string;
  /** A whole line such as `- src/a.ts [#id]:`; "" makes the first line of the group its item. */
  readonly head: string;
  /** Put behind the last line of a group without a head. */
  readonly tag: string;
  readonly order: number;
  /** Lines of code: they stand in a fence. */
  readonly fenced?: boolean;
}

/** One printed line; `order` places it within its section and group, equal orders keep the order of adding. */
export interface Line {
  readonly section: string;
  readonly text: string;
  readonly order: number;
  readonly cost: number;
  readonly group?: Group;
}

/** A part's own budget; `misses` counts lines in a row that did not fit. */
export interface Cap {
  left: number;
  misses: number;
}

/** After so many lines in a row that did not fit a part is full, and nothing more is counted for it. */
const FULL = 16;
/** What a fence costs. */
const FENCE = 5;

export function newCap(tokens: number): Cap {
  return { left: Math.floor(tokens), misses: 0 };
}

/** Lines taken so far and what they may still cost, in tokens. */
export interface Page {
  readonly counter: TokenCounter;
  readonly lines: Line[];
  readonly texts: Set<string>;
  readonly groups: Map<string, Group>;
  left: number;
}

export function newPage(counter: TokenCounter, tokens: number): Page {
  return { counter, lines: [], texts: new Set(), groups: new Map(), left: tokens };
}

/**
 * Takes a line if it fits in what is left; true when the text now stands on the page, also from before.
 *
 * `cap`, if given, is a second budget that it must fit in. The first line of a group pays for its head and tag; a group
 * of a key that is known already is joined.
 */
export function take(page: Page, section: string, text: string, order: number, cap?: Cap, wanted?: Group): boolean {
  const key = `${section}\n${wanted?.head ?? ""}\n${text}`;
  if (page.texts.has(key)) return true;
  if (cap && cap.misses >= FULL) return false;
  const known = wanted && page.groups.get(wanted.key);
  const frame = wanted && !known ? page.counter.count(wanted.head + wanted.tag) + (wanted.fenced ? FENCE : 2) : 0;
  const cost = page.counter.count(text) + 1 + frame;
  if (cost > page.left || (cap && cost > cap.left)) {
    if (cap) cap.misses++;
    return false;
  }
  page.texts.add(key);
  page.left -= cost;
  if (cap) {
    cap.left -= cost;
    cap.misses = 0;
  }
  const group = known ?? wanted;
  if (wanted && !known) page.groups.set(wanted.key, wanted);
  page.lines.push({ section, text, order, cost, ...(group && { group }) });
  return true;
}

/** The lines of one section as they are printed, groups together. */
export function sectionLines(page: Page, section: string): string[] {
  const lines = page.lines.filter((line) => line.section === section);
  lines.sort((a, b) => (a.group ?? a).order - (b.group ?? b).order || (a.group === b.group ? a.order - b.order : 0));
  const printed: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const { group, text } = lines[at] as Line;
    if (!group) {
      printed.push(text);
      continue;
    }
    const first = at === 0 || lines[at - 1]?.group !== group;
    const last = lines[at + 1]?.group !== group;
    if (first && group.head) printed.push(group.head);
    if (first && group.fenced) printed.push("  ```");
    printed.push(group.head === "" ? `${first ? "- " : "  "}${text}${last ? group.tag : ""}` : indented(text));
    if (last && group.fenced) printed.push("  ```");
  }
  return printed;
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}
