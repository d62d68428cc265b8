import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { EspalierError } from "../../errors.ts";
import type { Flags } from "../answer.ts";
import { filesIn, sessionPlaces } from "../discover/places.ts";
import { sketch } from "../discover/sketch.ts";

/** Which file the conversation is kept in, and whether it has to be made. */
export interface ChatFile {
  readonly file: string;
  readonly isNew: boolean;
}

/**
 * The session to talk in: the one named, the newest of this folder with `--continue`, else a new one.
 *
 * Throws `USAGE` when there is nothing to continue, when both are asked for, or for a name that is empty.
 */
export function chatFile({ session, continue: goesOn }: Flags, cwd: string, now: number): ChatFile {
  if (session !== undefined && goesOn) {
    throw new EspalierError("USAGE", "--session names a session and --continue finds one; give one of them.");
  }
  if (session === "") throw new EspalierError("USAGE", "--session is empty; name a file.");
  if (session !== undefined) return { file: session, isNew: !existsSync(session) };
  const home = process.env.HOME || homedir();
  const place = sessionPlaces(process.env, home).find(({ agent }) => agent === "espalier");
  if (!place) throw new TypeError("espalier has no place for its sessions");
  if (goesOn) {
    const mine = [...filesIn(place, () => {})].flatMap((path) => sketched(path)).filter((each) => each.cwd === cwd);
    const newest = mine.sort((a, b) => b.modified - a.modified)[0];
    if (newest) return { file: newest.path, isNew: false };
    throw new EspalierError("USAGE", `There is no session of ${cwd} to continue; without --continue a new one begins.`);
  }
  const folder = join(
    place.folder,
    resolve(cwd)
      .replace(/[^\w.-]+/g, "-")
      .slice(-80) || "root",
  );
  const time = new Date(now).toISOString().replace(/[:.]/g, "-");
  return { file: join(folder, `${time}_${globalThis.crypto.randomUUID().slice(0, 8)}.jsonl`), isNew: true };
}

function sketched(path: string) {
  try {
    return [sketch(path, "espalier")];
  } catch {
    return [];
  }
}
