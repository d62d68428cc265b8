import type { TokenCounter } from "../context/tokens.ts";

/** One printed line; `order` places it within its section, equal orders keep the order of adding. */
export interface Line {
  readonly section: string;
  readonly text: string;
  readonly order: number;
  readonly cost: number;
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
 * `cap.left`, if given, is a second budget that it must fit in.
 */
export function take(page: Page, section: string, text: string, order: number, cap?: { left: number }): boolean {
  const key = `${section}\n${text}`;
  if (page.texts.has(key)) return true;
  const cost = page.counter.count(text) + 1;
  if (cost > page.left || (cap && cost > cap.left)) return false;
  page.texts.add(key);
  page.left -= cost;
  if (cap) cap.left -= cost;
  page.lines.push({ section, text, order, cost });
  return true;
}
