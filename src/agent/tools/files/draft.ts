import { createHash, randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "../fault.ts";

/** Host and pid of the writer, then what tells its drafts apart. */
const NAME = /^\.espalier-([0-9a-f]{8})-([1-9]\d{0,9})-[0-9a-f]{16}\.part$/;
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const swept = new Set<string>();

/** A name that nobody else uses, and that tells later processes whose draft it was. */
export function draftName(): string {
  return `.espalier-${HOST}-${process.pid}-${randomBytes(8).toString("hex")}.part`;
}

/**
 * Nothing; removes from `folder` the drafts of processes of this host that are gone, once for each folder.
 *
 * They are what a write leaves that was killed in the middle. Drafts of living processes and of other hosts stay, and so
 * does every other file. Never rejects.
 */
export async function sweepDrafts(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (isStale(name)) await rm(join(folder, name)).catch(() => {});
}

function isStale(name: string): boolean {
  const [, host, pid] = NAME.exec(name) ?? [];
  return host === HOST && isGone(Number(pid));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
