import type { FileLine } from "./line.ts";
import type { SessionFile } from "./session-file.ts";

const FIRST_CHUNK = 64 << 10;
const LARGEST_CHUNK = 1 << 20;
const LF = 10;

/**
 * A reader of the lines in `[start, file.size)` from the last one back; each call gives the line before, then null [S10].
 *
 * Only newlines are looked for, so a line of any length costs one pass and no memory. The same object is given each time.
 */
export function backwardLines(file: SessionFile, start: number): () => FileLine | null {
  const size = file.size;
  let buffer = Buffer.allocUnsafe(FIRST_CHUNK);
  let chunk = buffer.subarray(0, 0);
  let chunkStart = size;
  let lineEnd = size;
  const line: FileLine = { offset: 0, length: 0, chunk: null, at: 0, ended: false, number: 0 };

  const loadBefore = () => {
    const length = Math.min(buffer.length, chunkStart - start);
    chunkStart -= length;
    file.readInto(buffer, chunkStart, length);
    chunk = buffer.subarray(0, length);
  };
  const widen = () => {
    if (buffer.length < LARGEST_CHUNK && chunkStart < size) buffer = Buffer.allocUnsafe(buffer.length * 4);
  };

  return () => {
    if (lineEnd < start || start >= size) return null;
    if (lineEnd === size && chunk.length === 0) {
      loadBefore();
      if (chunk[chunk.length - 1] === LF) {
        lineEnd--;
        line.ended = true;
      }
    } else line.ended = true;
    let from = lineEnd;
    let newline = start - 1;
    for (;;) {
      const at = from > chunkStart ? chunk.lastIndexOf(LF, from - chunkStart - 1) : -1;
      if (at !== -1) newline = chunkStart + at;
      if (at !== -1 || chunkStart === start) break;
      from = chunkStart;
      widen();
      loadBefore();
    }
    line.offset = newline + 1;
    line.length = lineEnd - line.offset;
    line.chunk = lineEnd <= chunkStart + chunk.length ? chunk : null;
    line.at = line.offset - chunkStart;
    lineEnd = newline;
    return line;
  };
}
