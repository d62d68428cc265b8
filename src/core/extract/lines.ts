import { clip, oneLine } from "./cut.ts";
import { languagesOf, says } from "./directives.ts";
import type { Language } from "./language.ts";
import { isFence, lines, sentences, withoutBullet } from "./sentences.ts";
import { wordsOf } from "./words.ts";
import { type Work, weigh } from "./work.ts";

const SHORTEST = 12;
const LONGEST = 300;
/** Of one text only so much is read at either end; what lies between is rarely said twice. */
const ENDS = 16_000;
const RAW_ENDS = 6000;
const MOST_LINES = 400;

/** The line number that a read puts before a line. */
const NUMBERED = /^\s*\d+(?:→|\t|\||: )/;
/** An exclamation of so few words says nothing. */
const FEW = 3;

/** Reads the assistant's prose: weighs its words, keeps its lines without chatter, notes an open question. */
export function addProse(work: Work, id: string, text: string, said: number): void {
  if (!/\S/.test(text)) return;
  const spoken = languagesOf(text);
  let fenced = false;
  let last = "";
  let left = MOST_LINES;
  for (const line of lines(ends(text))) {
    if (left-- === 0) break;
    const bare = line.trim();
    if (isFence(bare)) {
      fenced = !fenced;
      continue;
    }
    const told = fenced ? oneLine(line) : withoutChatter(withoutBullet(line), spoken);
    if (!fenced && bare) work.said = bare;
    if (!told) {
      weigh(work, line, 0, line.length, said, true);
      continue;
    }
    const decision = !fenced && says(told.toLowerCase(), (language) => language.decision, spoken);
    for (const piece of pieces(told)) addTold(work, id, piece, said, fenced ? 0.8 : decision ? 1.4 : 1, decision);
    last = told;
  }
  const question = sentences(last).at(-1);
  if (question && /[?？]["')\]*]*$/.test(question)) work.question = { id, text: question };
}

/**
 * Reads text that nobody wrote as prose: code, output, notes. `path`: the file whose lines these are.
 *
 * At most `keep` lines become candidates; the words of the others are weighed as one text.
 */
export function addRaw(work: Work, id: string, text: string, said: number, path: string, keep: number): void {
  const told = ends(text, said >= 1 ? ENDS : RAW_ENDS);
  let left = keep;
  let from = 0;
  while (from < told.length && left > 0) {
    const next = told.indexOf("\n", from);
    const end = next < 0 ? told.length : next;
    const length = end - from;
    if (length >= SHORTEST && length <= LONGEST && add(work, id, told, from, end, said, path)) left--;
    else if (length > LONGEST) weighPart(work, told, from, Math.min(end, from + 1000), said);
    from = end + 1;
  }
  weighPart(work, told, from, told.length, said);
}

function weighPart(work: Work, text: string, from: number, to: number, said: number): void {
  if (from < to) weigh(work, text, from, to, said, false);
}

/** Weighs the words of one raw line and keeps it as a candidate when it names something. */
function add(work: Work, id: string, all: string, from: number, to: number, said: number, path: string): boolean {
  const found = weigh(work, all, from, to, said, false);
  if (found < (path ? 1 : 2)) return false;
  const words = work.lexicon.scratch.slice(0, found);
  const line = all.slice(from, to);
  const text = oneLine(path ? line.replace(NUMBERED, "") : line);
  work.candidates.push({ id, text, words, at: work.at, factor: path ? 0.8 : 0.6, decision: false, path });
  return true;
}

/** Weighs the words of one line of prose and keeps it as a candidate when it says something. */
function addTold(work: Work, id: string, text: string, said: number, factor: number, decision: boolean): void {
  const found = weigh(work, text, 0, text.length, said, true);
  if (text.length < SHORTEST || found === 0) return;
  const words = work.lexicon.scratch.slice(0, found);
  if (words.length < 5 && words.every((word) => work.lexicon.name[word] === 0)) return;
  work.candidates.push({ id, text, words, at: work.at, factor, decision, path: "" });
}

/** Adds one line as a candidate fact, unconditionally. */
export function addFact(work: Work, id: string, text: string, factor: number): void {
  const words = wordsOf(work.lexicon, text, 0, text.length, false);
  if (words.length > 0) work.candidates.push({ id, text, words, at: work.at, factor, decision: false, path: "" });
}

/** The line without sentences that say nothing; a gap inside is marked. */
function withoutChatter(line: string, spoken: Language[]): string {
  const kept: string[] = [];
  let gap = false;
  for (const sentence of sentences(line)) {
    if (isChatter(sentence, spoken)) gap = kept.length > 0;
    else {
      kept.push(gap ? `… ${sentence}` : sentence);
      gap = false;
    }
  }
  return kept.join(" ");
}

function isChatter(sentence: string, spoken: Language[]): boolean {
  const lower = sentence
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/^[^\p{L}]+/u, "");
  if (lower === "" || (/[!！]$/.test(lower) && lower.split(" ").length <= FEW && lower.length < 24)) return true;
  return spoken.some((language) =>
    language.chatter.some((opening) => {
      if (!lower.startsWith(opening)) return false;
      return language.glued || !/[\p{L}\p{N}]/u.test(lower.charAt(opening.length));
    }),
  );
}

/** The text in pieces of at most `LONGEST`, cut between sentences where there are any. */
function pieces(text: string): string[] {
  if (text.length <= LONGEST) return [text];
  const found: string[] = [];
  for (const sentence of sentences(text)) {
    const last = found.at(-1);
    if (last !== undefined && last.length + sentence.length < LONGEST) found[found.length - 1] = `${last} ${sentence}`;
    else found.push(clip(sentence, LONGEST));
  }
  return found;
}

function ends(text: string, most = ENDS): string {
  return text.length <= 2 * most
    ? text
    : `${text.slice(0, most)}\n${text.slice(text.indexOf("\n", text.length - most) + 1)}`;
}
