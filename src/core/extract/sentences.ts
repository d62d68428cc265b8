import { oneLine } from "./cut.ts";

/** A line longer than this is data; its beginning is read as one sentence. */
const LONGEST_LINE = 4000;

/** Lines of prose: fenced and indented code, quotes, tables, prompts and stack frames are left out. */
export function* proseLines(text: string): Generator<string> {
  let fenced = false;
  for (const line of lines(text)) {
    const bare = line.trimStart();
    if (isFence(bare)) fenced = !fenced;
    else if (!fenced && !isCode(line, bare)) yield line;
  }
}

/** A line that opens or closes a fence; one that does both is neither. */
export function isFence(bare: string): boolean {
  return (bare.startsWith("```") && !bare.includes("```", 3)) || bare.startsWith("~~~");
}

/** The lines of a text, one at a time, each at most `LONGEST_LINE` long. */
export function* lines(text: string): Generator<string> {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    yield text.slice(from, Math.min(end, from + LONGEST_LINE));
    from = end + 1;
  }
}

/** Sentences of one line; ended by a full stop, question or exclamation mark before white space, or by 。！？； */
export function sentences(line: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    const wide = code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff1b;
    const narrow = code === 46 || code === 33 || code === 63 || code === 59 || code === 0x2026;
    if (!wide && !(narrow && (i + 1 === line.length || line.charCodeAt(i + 1) <= 32))) continue;
    if (narrow && isAbbreviation(line, from, i)) continue;
    const sentence = oneLine(line.slice(from, i + 1));
    if (sentence) found.push(sentence);
    from = i + 1;
  }
  const rest = oneLine(line.slice(from));
  if (rest) found.push(rest);
  return found;
}

/** The sentence without its list marker, heading marker or checkbox. */
export function withoutBullet(line: string): string {
  return line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+(?:\[[ xX]\]\s+)?/, "");
}

function isAbbreviation(line: string, from: number, dot: number): boolean {
  const space = line.lastIndexOf(" ", dot - 1);
  const word = line.slice(Math.max(from, space + 1), dot);
  return /^(?:\d{1,3}|e\.g|i\.e|etc|vs|z\.B|p\.ex|bzw|ca|Dr|Mr|Mrs|Sr|Sra|\p{Lu})$/u.test(word);
}

function isCode(line: string, bare: string): boolean {
  if (line.startsWith("    ") && !/^[-*+\d]/.test(bare)) return true;
  return /^(?:>|\||\$ |[{}<]|\/\/|\/\*|\+ |at \S+ ?\(|import |const |let |function |class |\d+[→|])/.test(bare);
}
