/** One physical line of a byte stream. */
export interface ByteLine {
  /** 1-based. */
  readonly number: number;
  /** Of the first byte of the line, from the start of the stream (after a BOM on line 1). */
  readonly offset: number;
  /** Without line end and BOM. May share memory with the chunk it came in. */
  readonly bytes: Uint8Array;
  /** False for a last line that no `\n` ends. */
  readonly ended: boolean;
}

export interface LineSplitter {
  /** The lines that this chunk completes. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): ByteLine[];
  /** What is left after the last `\n`: one line or none. */
  end(): ByteLine[];
}

const LF = 10;
const CR = 13;

/**
 * A splitter of byte chunks into lines: only `\n` ends a line, never U+2028; a `\r` before it and a BOM go [S6].
 *
 * `from` says where the first chunk stands when it does not start the stream. Linear in the bytes whatever the lengths
 * of lines and chunks are: a long line is joined once, when it ends. Empty lines are given too.
 */
export function lineSplitter(from: { offset: number; number: number } = { offset: 0, number: 1 }): LineSplitter {
  let held: Uint8Array[] = [];
  let heldLength = 0;
  let offset = from.offset;
  let number = from.number;

  const take = (last: Uint8Array, ended: boolean): ByteLine => {
    const length = heldLength + last.length;
    let bytes = heldLength === 0 ? last : join(held, last, length);
    let start = offset;
    if (start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      bytes = bytes.subarray(3);
      start = 3;
    }
    if (bytes[bytes.length - 1] === CR) bytes = bytes.subarray(0, -1);
    const line = { number: number++, offset: start, bytes, ended };
    offset += length + 1;
    held = [];
    heldLength = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: ByteLine[] = [];
      let at = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
        lines.push(take(chunk.subarray(at, end), true));
        at = end + 1;
      }
      if (at < chunk.length) {
        held.push(chunk.subarray(at));
        heldLength += chunk.length - at;
      }
      return lines;
    },
    end: () => (heldLength === 0 ? [] : [take(new Uint8Array(0), false)]),
  };
}

function join(parts: readonly Uint8Array[], last: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  whole.set(last, at);
  return whole;
}
