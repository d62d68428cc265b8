import { cutHead } from "../../../core/context/text.ts";
import { count } from "../answer.ts";

/** A text that passed in chunks: the whole, or head and tail with a mark between them. */
export interface Kept {
  readonly text: string;
  /** Characters between head and tail that are gone. */
  readonly dropped: number;
  /** Line breaks in all that passed. */
  readonly breaks: number;
}

/** Keeps at most `limit` characters of text that passes in chunks: the first half and the last. */
export function createKeptText(limit: number) {
  const half = Math.floor(limit / 2);
  const head: string[] = [];
  let room = half;
  let tail: string[] = [];
  let first = 0;
  let tailLength = 0;
  let dropped = 0;
  let breaks = 0;
  return {
    push(chunk: string) {
      breaks += breaksIn(chunk);
      let rest = chunk;
      if (room > 0) {
        const { text, cut } = cutHead(chunk, room);
        head.push(text);
        room = cut > 0 ? 0 : room - text.length;
        rest = chunk.slice(text.length);
      }
      if (rest === "") return;
      tail.push(rest);
      tailLength += rest.length;
      for (let oldest = tail[first] ?? ""; tailLength - oldest.length >= half; oldest = tail[first] ?? "") {
        tailLength -= oldest.length;
        dropped += oldest.length;
        tail[first++] = "";
      }
      if (first < 1_000) return;
      tail = tail.slice(first);
      first = 0;
    },
    /** The newest characters, about `length` of them. */
    newest(length: number): string {
      let text = "";
      for (let at = tail.length - 1; at >= first && text.length < length; at--) text = tail[at] + text;
      for (let at = head.length - 1; at >= 0 && text.length < length; at--) text = head[at] + text;
      return text;
    },
    end(): Kept {
      const last = tail.slice(first).join("");
      if (dropped === 0) return { text: head.join("") + last, dropped, breaks };
      // Chunks end anywhere, lines are whole.
      const start = last.slice(0, 2_000).indexOf("\n") + 1;
      const gone = dropped + start;
      const mark = `\n[… ${count(gone, "character")} were not kept: more than ${limit.toLocaleString("en-US")} in all …]\n`;
      return { text: head.join("") + mark + last.slice(start), dropped: gone, breaks };
    },
  };
}

function breaksIn(text: string): number {
  let breaks = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x0a) breaks++;
  return breaks;
}
