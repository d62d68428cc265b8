const ESCAPES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g;
/** An escape sequence that may go on in the next chunk. */
const OPEN_ESCAPE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*$|\x1b[\]PX^_][^\x07\x1b\n]{0,2000}\x1b?$|\x1b[ -/]*$/;
const LONGEST_ESCAPE = 2_010;
/** A line that is longer is given on as it comes; what a carriage return does to it is lost. */
const LONGEST_LINE = 16_384;

/**
 * What a terminal would show in the end of text that passes in chunks: no escape sequences, no control characters, and of
 * a line that was written over (`\r`) the last writing. Holds one line at most.
 */
export function createTerminalText() {
  let open = "";
  let line = "";
  let isReturned = false;
  const clean = (raw: string) => {
    const text = (isReturned ? `${line}\r` : line) + raw;
    isReturned = false;
    if (text.search(CONTROLS) < 0) return text;
    const plain = text.replace(ESCAPES, "");
    isReturned = plain.endsWith("\r");
    return erased(overwritten(plain)).replace(CONTROLS, "");
  };
  return {
    /** What is known to stay. */
    push(chunk: string): string {
      let raw = open + chunk;
      const tail = raw.slice(-LONGEST_ESCAPE);
      open = OPEN_ESCAPE.exec(tail)?.[0] ?? "";
      raw = raw.slice(0, raw.length - open.length);
      const text = clean(raw);
      const end = text.lastIndexOf("\n") + 1;
      line = text.length - end > LONGEST_LINE ? "" : text.slice(end);
      return text.slice(0, text.length - line.length);
    },
    /** The line that is being written. */
    get line() {
      return line;
    },
    end(): string {
      const text = clean(open);
      line = "";
      open = "";
      return text;
    },
  };
}

function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  const lines = text.split("\n").map((line) => {
    let end = line.length;
    while (line[end - 1] === "\r") end--;
    return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
  });
  return lines.join("\n");
}

/** A backspace takes back one character of its line: letters struck twice, turning spokes. */
function erased(text: string): string {
  if (!text.includes("\b")) return text;
  const left: string[] = [];
  for (const char of text) {
    if (char !== "\b") left.push(char);
    else if (left.at(-1) !== "\n") left.pop();
  }
  return left.join("");
}
