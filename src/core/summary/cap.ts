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
  readonly heading: boolean;
  tokens: number;
}

/**
 * `text` within `maxTokens`, items taken out whole: the oldest Done items first, then those of the other sections, the
 * goal last [M10].
 *
 * A text that fits comes back as it is. Headings whose items are all gone go too. When single items are too big for the
 * budget the end is cut, at a grapheme border.
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
  for (const item of [...items].sort((a, b) => rank(a) - rank(b))) {
    if (total <= maxTokens || gone.size >= items.length - 1) break;
    if (item.heading) continue;
    gone.add(item);
    total -= item.tokens;
  }
  const kept = withoutBareHeadings(items, gone);
  return fitted(
    kept
      .flatMap((item) => item.lines)
      .join("\n")
      .trim(),
    maxTokens,
    counter,
  );
}

const HEADING = /^(?:#{1,6}\s+|\*\*)(.*?)(?:\*\*)?:?\s*$/;
const STARTS_ITEM = /^(?:[-*+]|\d+[.)])\s/;

function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    const title = line.startsWith("#") || line.startsWith("**") ? HEADING.exec(line)?.[1] : undefined;
    const last = items.at(-1);
    if (title !== undefined) {
      section = title.replaceAll("*", "").trim().toLowerCase();
      items.push({ lines: [line], section, heading: true, tokens: 0 });
    } else if (last && !last.heading && !STARTS_ITEM.test(line)) {
      last.lines.push(line);
    } else if (last?.heading && line.trim() === "") {
      last.lines.push(line);
    } else {
      items.push({ lines: [line], section, heading: false, tokens: 0 });
    }
  }
  return items;
}

function rank(item: Item): number {
  const place = GIVES_UP.indexOf(item.section);
  return place < 0 ? 1 : place;
}

/** Drops a heading whose own items are all gone; one that never had any leads the sections below it and stays. */
function withoutBareHeadings(items: readonly Item[], gone: ReadonlySet<Item>): Item[] {
  return items.filter((item, at) => {
    if (gone.has(item)) return false;
    if (!item.heading) return true;
    let own = 0;
    for (let next = at + 1; next < items.length && !items[next]?.heading; next++, own++) {
      if (!gone.has(items[next] as Item)) return true;
    }
    return own === 0;
  });
}

function fitted(text: string, maxTokens: number, counter: TokenCounter): string {
  let fit = text;
  for (let tokens = counter.count(fit); tokens > maxTokens; tokens = counter.count(fit)) {
    const shorter = cutHead(fit, Math.floor(Math.min(0.95, maxTokens / tokens) * fit.length)).text;
    if (shorter.length === fit.length) break;
    fit = shorter;
  }
  return fit.trimEnd();
}
