import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "./errors.ts";

/** What a file says of the process that made it. `born` tells it from a later one with the same pid [S9]. */
export interface Maker {
  readonly pid: number;
  readonly host: string;
  /** Null where the system does not say. */
  readonly born: string | null;
}

export function thisProcess(): Maker {
  return { pid: process.pid, host: hostname(), born: bornAt(process.pid) };
}

/** When the process was started, in the system's own counting (Linux), with the boot it belongs to; else null. */
export function bornAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    // The name in brackets may hold anything, so fields are counted from behind it.
    return `${boot}:${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return null;
  }
}

/** True where a process of this host has that pid now. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
