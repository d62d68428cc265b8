import { clip } from "./cut.ts";
import { intern } from "./lexicon.ts";
import { parseSections, type Section, sectionOf } from "./sections.ts";
import { addEarlier, addQuote, type Work, weigh } from "./work.ts";

/** How long one item of a foreign summary may be; longer ones are clipped. */
const LONGEST = 700;
const SAID = 0.5;

/** Places of restored facts count from here, so that they stand before everything new. */
const EARLIER = 1e9;

const CITED = /^([\s\S]*?) \[#([^\]\s]+)\]$/;
/** A head that names and cites, with lines nested under it. */
const HEADED = /^([^\n]+) \[#([^\]\s]+)\]:\n([\s\S]+)$/;
const FILE = /^(?:Modified(?: ×(\d+))?|Read) (.+?)(?: — ("[^\n]*?")(?=: |$))?(?:: (.*))?$/;

/**
 * Takes over what an earlier summary says: item by item, under the section it stood in [M9].
 *
 * Of `printed`, the items that came from a known state, only facts and lines of files are: the state holds the rest.
 * Items of our own make become requests, directives, files and facts again. Those of another tool, or written by hand,
 * stay lines; prose without headings goes under Critical Context. `id` cites items that cite nothing; "" adds none.
 */
export function carry(work: Work, summary: string, id: string, printed: ReadonlySet<number>): void {
  for (const { title, items } of parseSections(summary)) {
    const section = sectionOf(title);
    for (const item of items) {
      const bare = item.replace(/^\s*[-*+•]\s+/, "");
      if (printed.has(fingerprint(item))) {
        readBack(work, section, bare);
        continue;
      }
      weigh(work, bare, 0, Math.min(bare.length, 4000), SAID, true);
      const headed = HEADED.exec(bare);
      if (headed) {
        restoreCode(work, headed[1] as string, headed[2] as string, headed[3] as string);
        continue;
      }
      const cited = CITED.exec(bare);
      if (cited && restore(work, section, (cited[1] as string).replaceAll("[\\#", "[#"), cited[2] as string)) continue;
      const text = clip(bare === item && !/^\s*(?:>|\d+[.)])/.test(item) ? `- ${item.trim()}` : item, LONGEST);
      work.carried.push({ section, text: id && !CITED.test(text) ? `${text} [#${id}]` : text });
    }
  }
}

/** A number for an item's text, the same in every process (FNV-1a, 32 bits). */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Fingerprints of all items of a text. */
export function fingerprints(text: string): number[] {
  return parseSections(text).flatMap(({ items }) => items.map(fingerprint));
}

/** A fact of our own, or lines of a file: they stand in the text alone. */
function readBack(work: Work, section: Section, bare: string): void {
  const headed = HEADED.exec(bare);
  const cited = CITED.exec(bare);
  if (headed) restoreCode(work, headed[1] as string, headed[2] as string, headed[3] as string);
  else if (cited && isOfFacts(section) && !FILE.test(cited[1] as string)) {
    restore(work, section, (cited[1] as string).replaceAll("[\\#", "[#"), cited[2] as string);
  }
}

function isOfFacts(section: Section): boolean {
  return section === "Key Decisions" || section === "Critical Context";
}

function restore(work: Work, section: Section, text: string, id: string): boolean {
  if (section === "Goal" || section === "Constraints & Preferences") return restoreQuote(work, section, text, id);
  const file = FILE.exec(text);
  if (file) {
    const names = new Map<number, number>();
    for (const name of (file[4] ?? "").split(", ").filter(Boolean)) names.set(intern(work.lexicon, name, true), 1);
    const path = file[2] as string;
    const changes = text.startsWith("Read") ? 0 : Number(file[1] ?? 1);
    work.files.set(path, { path, changes, id, names, stretches: [], why: file[3]?.slice(1, -1) ?? "" });
    return true;
  }
  if (!isOfFacts(section)) return false;
  const decision = section === "Key Decisions";
  const at = work.candidates.length - EARLIER;
  for (const line of text.split("\n")) addEarlier(work, { id, text: line.trim(), decision, path: "" }, at);
  return true;
}

/** Lines of a file, nested under its name: those in a fence are how it stood, others are facts. */
function restoreCode(work: Work, told: string, id: string, nested: string): void {
  const path = work.files.has(work.cwd + told) ? work.cwd + told : told;
  const lines = nested.split("\n");
  const file = work.files.get(path);
  if (file && lines[0]?.trim() === "```") {
    const text = lines.slice(1, -1).map((line) => line.replace(/^ {2}/, ""));
    file.stretches.push({ text: text.join("\n"), id, at: work.at, numbered: false });
    return;
  }
  const at = work.candidates.length - EARLIER;
  for (const line of lines) {
    const text = line.trim();
    if (text && !text.startsWith("```")) addEarlier(work, { id, text, decision: false, path }, at);
  }
}

function restoreQuote(work: Work, section: Section, text: string, id: string): boolean {
  const quoted = /^"([\s\S]*)"$/.exec(text)?.[1];
  const block = text.startsWith(">") ? text.replace(/^> ?/gm, "") : undefined;
  const words = quoted ?? block;
  if (words === undefined) return false;
  if (section === "Goal") addQuote(work, { id, text: words });
  else work.directives.set(words.toLowerCase(), { id, text: words, strong: true });
  return true;
}
