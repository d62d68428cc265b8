import type { TokenCounter } from "../context/tokens.ts";

/** One printed line; `order` places it within its section, equal orders keep the order of adding. */
export interface Line {
  readonly section: string;
  readonly text: string;
  readonly order: number;
  readonly cost: number;
}

/** A part's own budget; `misses` counts lines in a row that did not fit. */
export interface Cap {
  left: number;
  misses: number;
}

/** After so many lines in a row that did not fit a part is full, and nothing more is counted for it. */
const FULL = 16;

export function newCap(tokens: number): Cap {
  return { left: Math.floor(tokens), misses: 0 };
}

/** Lines taken so far and what they may still cost, in tokens. */
export interface Page {
  readonly counter: TokenCounter;
  readonly lines: Line[];
  readonly texts: Set<string>;
  left: number;
}

export function newPage(counter: TokenCounter, tokens: number): Page {
  return { counter, lines: [], texts: new Set(), left: tokens };
}

/**
 * Takes a line if it fits in what is left; true when the text now stands on the page, also from before.
 *
 * `cap`, if given, is a second budget that it must fit in.
 */
export function take(page: Page, section: string, text: string, order: number, cap?: Cap): boolean {
  const key = `${section}\n${text}`;
  if (page.texts.has(key)) return true;
  if (cap && cap.misses >= FULL) return false;
  const cost = page.counter.count(text) + 1;
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
  page.lines.push({ section, text, order, cost });
  return true;
}
