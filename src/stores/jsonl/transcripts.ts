import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TranscriptBackup } from "../../ports/backup.ts";

/** A backup that writes into `.transcripts` beside the session file; never over a file that is there [K5]. */
export function transcriptsBeside(sessionPath: string): TranscriptBackup {
  return transcriptsIn(dirname(sessionPath));
}

/** A backup that writes into `.transcripts` in `place`; never over a file that is there [K5]. */
export function transcriptsIn(place: string): TranscriptBackup {
  const folder = join(place, ".transcripts");
  return async (name, lines) => {
    const path = join(folder, name);
    await mkdir(folder, { recursive: true });
    await pipeline(Readable.from(ended(lines)), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return path;
  };
}

function* ended(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}
