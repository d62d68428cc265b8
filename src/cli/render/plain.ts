import { wellFormed } from "../../core/session/well-formed.ts";

// ESC sequences first (CSI, OSC and other strings, two-character ones), then what is left of control characters and
// the characters that reorder what a reader sees.
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const OBEYED = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const LINE_ENDS = /\r\n?|\u2028|\u2029|\x85/g;

/**
 * `text` with nothing in it that a terminal obeys: escape sequences, control and direction characters are gone.
 *
 * Line ends become `\n`, tabs two spaces, lone surrogates the replacement character. Transcripts are untrusted, so all
 * that is printed from them goes through here.
 */
export function plain(text: string): string {
  const visible = text.replace(LINE_ENDS, "\n").replace(ESCAPES, "").replace(CONTROLS, "").replace(/\t/g, "  ");
  return wellFormed(visible);
}

/** `text` with all that a terminal obeys, line ends too, written as `\u001b`: what JSON and a shell read back. */
export const escaped = (text: string): string =>
  text.replace(OBEYED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The first line of `text` that says something, plain, with runs of space closed up. */
export function firstLine(text: string): string {
  // A transcript line can be megabytes long; a terminal line cannot.
  for (const line of plain(text.slice(0, 4_000)).split("\n")) {
    const words = line.replace(/\s+/g, " ").trim();
    if (words) return words;
  }
  return "";
}
