import { cutHead } from "../context/text.ts";
import type { TokenCounter } from "../context/tokens.ts";

/** Sections in the order in which they give up items; one that is not listed goes right after Done. */
const GIVES_UP = [
  "done",
  "",
  "additional notes",
  "key decisions",
  "critical context",
  "in progress",
  "blocked",
  "next steps",
  "constraints & preferences",
  "goal",
];

/** A run of lines that stays or goes as one: an item with the lines that belong to it. */
interface Item {
  readonly lines: string[];
  readonly section: string;
  /** Of a heading how deep it is; undefined for what stands under one. */
  readonly level?: number;
  readonly heading?: Item | undefined;
  /** Of a heading how many items of its own are left. */
  own: number;
  tokens: number;
}

/**
 * `text` within `maxTokens`, items taken out whole: the oldest Done items first, then those of the other sections, the
 * goal last [M10].
 *
 * A text that fits comes back as it is. Headings whose items are all gone go too. One item always stays; what is too big
 * for the budget alone is cut at its end, at a grapheme border.
 */
export function capSummary(text: string, maxTokens: number, counter: TokenCounter): string {
  if (counter.count(text) <= maxTokens) return text;
  const items = itemsOf(text);
  let total = 0;
  for (const item of items) {
    item.tokens = counter.count(`${item.lines.join("\n")}\n`);
    total += item.tokens;
  }
  const gone = new Set<Item>();
  const drop = (item: Item) => {
    gone.add(item);
    total -= item.tokens;
  };
  const told = items.filter((item) => item.level === undefined);
  for (const item of [...told].sort((a, b) => rank(a) - rank(b)).slice(0, -1)) {
    if (total <= maxTokens) break;
    drop(item);
    if (item.heading && --item.heading.own === 0) drop(item.heading);
  }
  const kept = items.filter((item, at) => !gone.has(item) && (item.own > 0 || leads(items, at, gone)));
  return headWithin(
    kept
      .flatMap((item) => item.lines)
      .join("\n")
      .trim(),
    maxTokens,
    counter,
  );
}

const STARTS_HEADING = /^(?:#{1,6}\s|\*\*)/;
/** A bold line stands below any heading of Markdown. */
const BOLD = 7;
const STARTS_ITEM = /^(?:[-*+]|\d+[.)])\s/;

function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  let section = "";
  let heading: Item | undefined;
  for (const line of text.split("\n")) {
    const last = items.at(-1);
    if (STARTS_HEADING.test(line)) {
      section = titleOf(line);
      heading = { lines: [line], section, level: line.startsWith("#") ? line.search(/[^#]/) : BOLD, own: 0, tokens: 0 };
      items.push(heading);
    } else if (last && (last.level === undefined ? !STARTS_ITEM.test(line) : line.trim() === "")) {
      last.lines.push(line);
    } else {
      items.push({ lines: [line], section, heading, own: 0, tokens: 0 });
      if (heading) heading.own++;
    }
  }
  return items;
}

/** The words of a heading, `## Done` or `**Done:**`, in lower case. */
function titleOf(line: string): string {
  const words = line.replace(/^#+/, "").replaceAll("*", "").trim();
  return (words.endsWith(":") ? words.slice(0, -1) : words).trimEnd().toLowerCase();
}

function rank(item: Item): number {
  const place = GIVES_UP.indexOf(item.section);
  return place < 0 ? 1 : place;
}

/** True for an item, and for a heading that had none of its own while something below it is left. */
function leads(items: readonly Item[], at: number, gone: ReadonlySet<Item>): boolean {
  const level = items[at]?.level;
  if (level === undefined) return true;
  for (let below = at + 1; below < items.length; below++) {
    const item = items[below] as Item;
    if (item.level !== undefined && item.level <= level) return false;
    if (item.level === undefined && !gone.has(item)) return true;
  }
  return false;
}

function headWithin(text: string, maxTokens: number, counter: TokenCounter): string {
  let fit = text;
  for (let tokens = counter.count(fit); tokens > maxTokens; tokens = counter.count(fit)) {
    const shorter = cutHead(fit, Math.floor(Math.min(0.95, maxTokens / tokens) * fit.length)).text;
    if (shorter.length === fit.length) break;
    fit = shorter;
  }
  return fit.trimEnd();
}
