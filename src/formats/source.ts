import { open, stat } from "node:fs/promises";
import { type ByteLine, lineSplitter } from "../core/session/lines.ts";
import { EspalierError } from "../errors.ts";
import type { Source, TextLine } from "./format.ts";
import { HEAD_BYTES } from "./head.ts";

const CHUNK = 1 << 16;

/**
 * The first `HEAD_BYTES` of a file.
 *
 * Rejects `FILE_NOT_FOUND`, or `FILE_UNREADABLE` for a folder, a device and where reading is not allowed.
 */
export async function readHeadOf(path: string): Promise<Uint8Array> {
  return await reading(path, async () => {
    const info = await stat(path);
    if (!info.isFile()) {
      const what = info.isDirectory() ? "a folder" : "no regular file";
      throw new EspalierError("FILE_UNREADABLE", `${path} is ${what}; give a session file.`, { path });
    }
    const file = await open(path);
    try {
      const head = new Uint8Array(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      return head.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  });
}

/** A file line by line, in bounded memory; only `\n` ends a line [S6]. */
export function fileSource(path: string): Source {
  return { name: path, lines: linesOf(path) };
}

async function* linesOf(path: string): AsyncGenerator<TextLine> {
  const file = await reading(path, () => open(path));
  const decoder = new TextDecoder();
  const splitter = lineSplitter();
  const read = ({ number, bytes }: ByteLine): TextLine => ({ line: number, text: decoder.decode(bytes) });
  try {
    for (;;) {
      // A fresh buffer each time: the splitter keeps parts of it.
      const { buffer, bytesRead } = await reading(path, () => file.read(new Uint8Array(CHUNK), 0, CHUNK, null));
      if (bytesRead === 0) break;
      for (const line of splitter.push(buffer.subarray(0, bytesRead))) yield read(line);
    }
    for (const line of splitter.end()) yield read(line);
  } finally {
    await file.close();
  }
}

async function reading<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (EspalierError.is(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new EspalierError("FILE_NOT_FOUND", `${path} does not exist.`, { path }, error);
    throw new EspalierError("FILE_UNREADABLE", `${path} cannot be read (${code ?? String(error)}).`, { path }, error);
  }
}
