import { createHash } from "node:crypto";
import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { bornAt, isTaken, thisProcess } from "./process.ts";

/** Host, pid and birth of the maker, then a number; a killed draft may have left its lock as well. */
const NAME = /\.([0-9a-f]{8})-([1-9]\d{0,9})-([0-9a-f]{8}|0)\.\d+\.tmp(?:\.lock)?$/;
let made = 0;
let mark: { readonly host: string; readonly pid: number; readonly born: string } | undefined;
const swept = new Set<string>();

/** A name beside `path` that nobody else uses, and that tells later processes whose it was. */
export function temporaryName(path: string): string {
  const { host, pid, born } = ours();
  return `${path}.${host}-${pid}-${born}.${made++}.tmp`;
}

/**
 * Nothing; removes the temporary files in `folder` of processes of this host that are gone, once for each folder.
 *
 * They are the leftovers of rewrites that were killed: they never had a name that anybody reads. Those of living
 * processes, of other hosts and of other programs stay. Never throws.
 */
export function sweepTemporaries(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of readdirSync(folder)) if (name.includes(".tmp") && isStale(name)) unlinkSync(join(folder, name));
  } catch {
    // A folder that can't be listed or cleaned is no reason not to work in it.
  }
}

function isStale(name: string): boolean {
  const [, host, digits, born] = NAME.exec(name) ?? [];
  if (host !== ours().host) return false;
  const pid = Number(digits);
  if (!isTaken(pid)) return true;
  const now = tag(bornAt(pid));
  return now !== UNKNOWN && born !== UNKNOWN && now !== born;
}

const UNKNOWN = "0";

function ours() {
  if (mark === undefined) {
    const { host, pid, born } = thisProcess();
    mark = { host: tag(host), pid, born: tag(born) };
  }
  return mark;
}

function tag(text: string | null): string {
  return text === null ? UNKNOWN : createHash("sha256").update(text).digest("hex").slice(0, 8);
}
