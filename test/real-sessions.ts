import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of real sessions that tests may read; it is no part of the project, tests that need it are skipped where it is absent. */
export const SESSIONS =
  process.env.ESPALIER_SESSIONS ?? fileURLToPath(new URL("../../shared/sessions", import.meta.url));

/** True where real sessions are at hand. */
export const haveSessions = existsSync(SESSIONS);

/** Absolute paths of the session files in one sub-folder; empty where the folder is absent. */
export function realSessions(folder: string): string[] {
  const at = `${SESSIONS}/${folder}`;
  if (!existsSync(at)) return [];
  return readdirSync(at)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => `${at}/${name}`);
}
