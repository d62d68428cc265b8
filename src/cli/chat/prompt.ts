import { fstatSync, readSync } from "node:fs";
import { EspalierError } from "../../errors.ts";
import type { Flags } from "../answer.ts";

/** Of what is piped in; more would not fit any window. */
const MOST_BYTES = 4_000_000;

/**
 * What is asked: `-p`, and what is piped or redirected into the command, behind it. Undefined to go on without a prompt,
 * which only `--continue` and `--session` allow.
 *
 * Throws `USAGE` for no prompt at all, and for more than 4 MB of it.
 */
export function promptOf({ prompt, continue: goesOn, session }: Flags): string | undefined {
  const parts = [prompt ?? "", pipedIn()].map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length > 0) return parts.join("\n\n");
  if (prompt === undefined && (goesOn || session !== undefined)) return undefined;
  const message =
    "Say what you want: espalier chat -p 'what does this folder hold?'; a prompt can be piped in as well.";
  throw new EspalierError("USAGE", message);
}

/** Only a pipe of a shell or a file: what a program leaves open would be waited for without end. */
function pipedIn(): string {
  try {
    const stats = fstatSync(0);
    if (!stats.isFIFO() && !stats.isFile()) return "";
  } catch {
    return "";
  }
  const parts: Buffer[] = [];
  for (let total = 0; ; ) {
    const part = Buffer.allocUnsafe(65_536);
    const bytes = readPart(part);
    if (bytes === 0) return Buffer.concat(parts).toString("utf8");
    total += bytes;
    if (total > MOST_BYTES) throw new EspalierError("USAGE", "More than 4 MB was piped in; name the file instead.");
    parts.push(part.subarray(0, bytes));
  }
}

function readPart(part: Buffer): number {
  try {
    return readSync(0, part, 0, part.length, null);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") return readPart(part);
    if (code === "EOF") return 0;
    throw error;
  }
}
