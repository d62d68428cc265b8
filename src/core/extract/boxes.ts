import type { OpenFile } from "./work.ts";

/** An open item of a list of tasks in a file, and the heading above it or "". */
interface OpenBox {
  readonly text: string;
  readonly heading: string;
}

const BOX = /^\s*[-*+] \[([ xX])\]\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(\S.*)$/;
const MOST = 12;
const MOST_LINES = 1500;

/**
 * The first open boxes (`- [ ] …`) of a file as it is known to stand, in order.
 *
 * None where no box is ticked: such a list is a form that nobody works through.
 */
export function openBoxes({ stretches }: OpenFile): OpenBox[] {
  const open = new Map<string, OpenBox>();
  const ticked = new Set<string>();
  for (let i = stretches.length - 1; i >= 0; i--) {
    let heading = "";
    for (const raw of (stretches[i]?.text ?? "").split("\n", MOST_LINES)) {
      const line = raw.slice(0, 1000).replace(/^[ \t]*\d+(?:→|\t|\| ?|: )/, "");
      heading = HEADING.exec(line)?.[1]?.trim() ?? heading;
      const [, mark, text] = BOX.exec(line) ?? [];
      if (text === undefined) continue;
      if (mark !== " ") ticked.add(text);
      else if (!ticked.has(text) && !open.has(text)) open.set(text, { text, heading });
    }
  }
  return ticked.size > 0 ? [...open.values()].slice(0, MOST) : [];
}
