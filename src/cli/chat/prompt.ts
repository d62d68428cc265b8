import { fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { EspalierError } from "../../errors.ts";
import type { Call } from "../answer.ts";

/** Of what is piped in; more would not fit any window. */
const MOST_BYTES = 4_000_000;

/**
 * What is asked: `-p`, and what is piped or redirected into the command, behind it. Undefined to go on without a prompt,
 * which only `--continue` and `--session` allow.
 *
 * Rejects `USAGE` for no prompt at all, and for more than 4 MB of it; ends with the signal.
 */
export async function promptOf(call: Call): Promise<string | undefined> {
  const { prompt, session, continue: continues } = call.flags;
  const goesOn = continues || session !== undefined;
  const piped = isPiped(prompt !== undefined || goesOn) ? await pipedIn(call) : "";
  const parts = [prompt ?? "", piped].map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length > 0) return parts.join("\n\n");
  if (prompt === undefined && goesOn) return undefined;
  const message =
    "Say what you want: espalier chat -p 'what does this folder hold?'; a prompt can be piped in as well.";
  throw new EspalierError("USAGE", message);
}

/** A program that starts this one often leaves a socket open: it is only waited for where the prompt must come from it. */
function isPiped(canDoWithout: boolean): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || (stats.isSocket() && !canDoWithout);
  } catch {
    return false;
  }
}

async function pipedIn({ signal, progress }: Call): Promise<string> {
  progress.step("Reading what is piped in");
  const parts: Buffer[] = [];
  let total = 0;
  // Never by a read that blocks: a pipe may stay open, and no signal would be heard while it is waited for.
  for await (const part of addAbortSignal(signal, process.stdin) as AsyncIterable<Buffer>) {
    total += part.length;
    if (total > MOST_BYTES) throw new EspalierError("USAGE", "More than 4 MB was piped in; name the file instead.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
