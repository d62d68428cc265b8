import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process that is not dead yet. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** How long what was asked to end may take before it is ended, and what was ended before it is given up. */
const PATIENCE = { ask: 1_000, end: 1_000 };
const POLL = 25;

/**
 * Ends a process group and all that it started, groups of their own included: SIGTERM, then SIGKILL after a second.
 *
 * Resolves when nothing of it lives. A process that cut all ties before (its parent gone, a group of its own) is not found.
 */
export async function endGroup(leader: number): Promise<void> {
  const known = new Map<number, number>();
  for (const [signal, patience] of [
    ["SIGTERM", PATIENCE.ask],
    ["SIGKILL", PATIENCE.end],
  ] as const) {
    for (const pid of membersOf(leader, known)) send(pid, signal);
    send(-leader, signal);
    for (const until = Date.now() + patience; Date.now() < until; ) {
      const members = membersOf(leader, known);
      if (members.length === 0) return;
      // What was started meanwhile, and a fork in the middle of it.
      if (signal === "SIGKILL") for (const pid of members) send(pid, signal);
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }
}

/** Ends a group at once, as this process itself ends. */
export function endGroupNow(leader: number): void {
  for (const pid of membersOf(leader, new Map())) send(pid, "SIGKILL");
  send(-leader, "SIGKILL");
}

/** The living members; `known` remembers them by pid and group, for when their parents are gone. */
function membersOf(leader: number, known: Map<number, number>): number[] {
  const all = processes();
  const children = new Map<number, Process[]>();
  for (const each of all) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  const open = all.filter(({ pid, group }) => group === leader || known.get(pid) === group);
  const found = new Map<number, number>();
  for (let member = open.pop(); member !== undefined; member = open.pop()) {
    if (found.has(member.pid)) continue;
    found.set(member.pid, member.group);
    for (const child of children.get(member.pid) ?? []) open.push(child);
  }
  for (const [pid, group] of found) known.set(pid, group);
  return [...found.keys()];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

function processes(): Process[] {
  const rows = process.platform === "linux" ? rowsOfProc() : rowsOfPs();
  return rows.flatMap(([pid = "", state = "Z", parent = "", group = ""]) =>
    /^[ZX]/.test(state) ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }],
  );
}

function rowsOfProc(): string[][] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name stands in parentheses and may hold anything.
      return [[pid, ...stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3)]];
    } catch {
      return [];
    }
  });
}

function rowsOfPs(): string[][] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,stat=,ppid=,pgid="], { encoding: "utf8", maxBuffer: 16_777_216 });
  return text.split("\n").map((line) => line.trim().split(/\s+/));
}
