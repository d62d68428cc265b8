import { withoutBlocks } from "./tags.ts";

const PINNED = "pinned";
const PINNED_HEADING = "## Pinned";
const FACTS_HEADING = "## Critical Context (from the originals)";
/** What a heading of ours becomes in a text that somebody else wrote. */
const OTHER_HEADING = "## Additional Notes";

/** The section of pins: the engine's own, between tags, so that pinned words may hold anything [V1]. */
export function pinnedSection(lines: string): string {
  return `${PINNED_HEADING}\n\n<${PINNED}>\n${lines}\n</${PINNED}>`;
}

/** The section of facts that the engine adds after the summariser's text; each line is an item of its own [V2]. */
export function factsSection(lines: readonly string[]): string {
  return `${FACTS_HEADING}\n\n${lines.join("\n")}`;
}

/** `text` without the sections of pins and facts; headings of that name that the engine did not write get another. */
export function withoutSections(text: string): string {
  const lines = withoutBlocks(text, PINNED, true).split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === FACTS_HEADING) {
      while (isFact(lines[at + 1])) at++;
    } else if (line === PINNED_HEADING) {
      if (!endsSection(lines, at + 1)) kept.push(OTHER_HEADING);
    } else kept.push(line);
  }
  return kept.join("\n").trim();
}

const isFact = (line: string | undefined) => line !== undefined && (line.trim() === "" || line.startsWith("- "));

function endsSection(lines: readonly string[], from: number): boolean {
  const next = lines.slice(from, from + 4).find((line) => line.trim() !== "");
  return next === undefined || /^(?:#{1,6} |<(?:read|modified)-files>$)/.test(next);
}
