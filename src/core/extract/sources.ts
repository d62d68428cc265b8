import type { Edit } from "./tools.ts";

/** A stretch of a file as it was last seen: read, written, or put in by an edit. */
export interface Stretch {
  text: string;
  /** The entry that showed it, or changed it last. */
  id: string;
  /** Of which message, as the work counts them. */
  at: number;
  /** Line numbers stand before its lines. */
  numbered: boolean;
}

/** Of one file so many stretches are remembered, and so much of each. */
const MOST_STRETCHES = 4;
const LONGEST = 48_000;

const NUMBER = /^[ \t]*\d+(?:→|\t|\| ?|: )/;

/** Notes what a read gave back; the newest stretch stands last. */
export function noteShown(stretches: Stretch[], text: string, id: string, at: number): void {
  if (text === "") return;
  stretches.push({ text: text.slice(0, LONGEST), id, at, numbered: NUMBER.test(text.slice(0, 40)) });
  if (stretches.length > MOST_STRETCHES) stretches.shift();
}

/** Notes a file written as a whole: nothing older holds. */
export function noteWritten(stretches: Stretch[], text: string, id: string, at: number): void {
  stretches.length = 0;
  noteShown(stretches, text, id, at);
}

/** Carries an edit out on what is remembered of its file; what it puts in is a stretch of its own elsewhere. */
export function noteEdit(stretches: Stretch[], edit: Edit, id: string, at: number): void {
  if (edit.old.length > LONGEST || edit.now.length > LONGEST) return;
  for (let i = stretches.length - 1; i >= 0 && edit.old !== ""; i--) {
    const stretch = stretches[i] as Stretch;
    unnumber(stretch);
    const found = stretch.text.indexOf(edit.old);
    if (found < 0) continue;
    stretch.text = stretch.text.slice(0, found) + edit.now + stretch.text.slice(found + edit.old.length);
    stretch.id = id;
    stretch.at = at;
    stretches.splice(i, 1);
    stretches.push(stretch);
    return;
  }
  noteShown(stretches, edit.now, id, at);
}

/** Takes the line numbers out of a stretch, in place. */
export function unnumber(stretch: Stretch): void {
  if (!stretch.numbered) return;
  stretch.text = stretch.text
    .split("\n")
    .map((line) => line.replace(NUMBER, ""))
    .join("\n");
  stretch.numbered = false;
}
