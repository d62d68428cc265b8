/** The headings of a history summary, in order [M9]. Prompts for models ask for the same ones. */
export const SECTIONS = [
  "Goal",
  "Constraints & Preferences",
  "Progress",
  "Done",
  "In Progress",
  "Blocked",
  "Key Decisions",
  "Next Steps",
  "Critical Context",
] as const;

/** Those of the early part of a split turn. */
export const PREFIX_SECTIONS = ["Original Request", "Early Progress", "Context for Suffix"] as const;

export type Section = (typeof SECTIONS)[number];

/** One heading with what stands under it, up to the next heading. `title` is "" before the first. */
export interface ParsedSection {
  readonly title: string;
  /** A list item with what is nested under it, a quote, or a line of prose: each one string, line ends kept. */
  readonly items: readonly string[];
}

const RULE = /^\s*(?:---+|\*\*\*+)\s*$/;
const EMPTY = /^[-*]?\s*\(?(?:none|n\/a|nothing)\)?\.?\s*$/i;

/**
 * The sections of a markdown text of whatever making, in order; fences keep their lines together.
 *
 * Headings are `#` lines and lines wholly in bold. `(none)`, rules and the file tags of the engine are left out.
 */
export function parseSections(text: string): ParsedSection[] {
  const sections: { title: string; items: string[] }[] = [{ title: "", items: [] }];
  let fenced = false;
  for (const line of withoutFileTags(text).split("\n")) {
    const { items } = sections.at(-1) as { items: string[] };
    const bare = line.trim();
    const heading = fenced ? null : /^(?:#{1,6}\s+(.*?)\s*#*|\*\*([^*]+?):?\*\*:?)$/.exec(bare.slice(0, 200));
    if (heading && bare.length <= 200) sections.push({ title: (heading[1] ?? heading[2] ?? "").trim(), items: [] });
    else if (bare === "" || (!fenced && (RULE.test(bare) || EMPTY.test(bare)))) continue;
    else if (items.length > 0 && (fenced || continues(line, items.at(-1) as string))) {
      items[items.length - 1] += `\n${line.trimEnd()}`;
    } else items.push(line.trimEnd());
    if (bare.startsWith("```")) fenced = !fenced;
  }
  return sections.filter(({ items }) => items.length > 0);
}

/** Markdown of the sections in the order given; one without lines says `(none)` or is left out. */
export function printSections(
  sections: readonly { readonly title: string; readonly level: 2 | 3; readonly lines: readonly string[] }[],
): string {
  return sections.map(({ title, level, lines }) => [`${"#".repeat(level)} ${title}`, ...lines].join("\n")).join("\n\n");
}

/** Which of our sections a heading of another tool stands for; anything unknown is context. */
export function sectionOf(title: string): Section {
  const name = title.toLowerCase();
  for (const [section, words] of ALIASES) if (words.some((word) => name.includes(word))) return section;
  return "Critical Context";
}

const ALIASES: readonly (readonly [Section, readonly string[]])[] = [
  ["In Progress", ["in progress", "current work", "current state"]],
  ["Blocked", ["blocked", "open error", "open issue"]],
  ["Next Steps", ["next step", "pending", "to do", "todo", "remaining", "optional next"]],
  ["Constraints & Preferences", ["constraint", "preference", "instruction", "rules", "guideline"]],
  ["Key Decisions", ["decision", "rationale"]],
  ["Goal", ["goal", "original request", "primary request", "objective", "user message", "user request"]],
  ["Done", ["done", "progress", "completed", "accomplished"]],
];

function continues(line: string, item: string): boolean {
  if (/^\s*>/.test(line)) return /^\s*>/.test(item.slice(item.lastIndexOf("\n") + 1));
  return /^\s{2,}\S/.test(line) && /^\s*(?:[-*+•]|\d+[.)])\s/.test(item) && item.length < 4000;
}

function withoutFileTags(text: string): string {
  let out = text;
  for (const tag of ["read-files", "modified-files"]) {
    for (let open = out.indexOf(`<${tag}>`); open >= 0; open = out.indexOf(`<${tag}>`)) {
      const close = out.indexOf(`</${tag}>`, open);
      out = out.slice(0, open) + (close < 0 ? "" : out.slice(close + tag.length + 3));
    }
  }
  return out;
}
