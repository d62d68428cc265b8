import { read } from "node:fs";
import { promisify } from "node:util";
import { cutShort, readError } from "./errors.ts";
import type { FileLine } from "./line.ts";
import type { SessionFile } from "./session-file.ts";

// Some milliseconds of work: others get their turn between chunks.
const CHUNK = 4 << 20;
const LF = 10;
const readAsync = promisify(read);
const nextTurn = promisify(setImmediate);

/**
 * Calls `onLine` for each line from `start` to `end`, with its number; the same object each time [S10].
 *
 * Only newlines are looked for; memory is one chunk whatever the length of the lines.
 */
export async function forwardLines(
  file: SessionFile,
  start: { readonly offset: number; readonly number: number },
  end: number,
  onLine: (line: FileLine) => void,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, end - start.offset)));
  const line: FileLine = { offset: 0, length: 0, chunk: null, at: 0, ended: true, number: start.number - 1 };
  let lineStart = start.offset;
  const give = (lineEnd: number, chunk: Buffer, chunkStart: number) => {
    line.number++;
    line.offset = lineStart;
    line.length = lineEnd - lineStart;
    line.chunk = lineStart >= chunkStart ? chunk : null;
    line.at = lineStart - chunkStart;
    lineStart = lineEnd + 1;
    onLine(line);
  };
  for (let chunkStart = start.offset; chunkStart < end; ) {
    const length = file.readInto(buffer, chunkStart, Math.min(buffer.length, end - chunkStart));
    if (length === 0) throw cutShort(file.path);
    const chunk = buffer.subarray(0, length);
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
      give(chunkStart + at, chunk, chunkStart);
    }
    chunkStart += length;
    // Reading at once is faster than by the thread pool.
    await nextTurn();
    if (chunkStart >= end && lineStart < end) {
      line.ended = false;
      give(end, chunk, chunkStart - length);
    }
  }
}

/** The number of bytes read into `target`, without blocking. Rejects `FILE_UNREADABLE`, or `SESSION_CHANGED` for none. */
export async function readChunk(file: SessionFile, target: Buffer, offset: number, length: number): Promise<number> {
  try {
    const { bytesRead } = await readAsync(file.fd, target, 0, length, offset);
    if (bytesRead > 0) return bytesRead;
  } catch (error) {
    throw readError(file.path, error);
  }
  throw cutShort(file.path);
}
