import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

// How much of it there is depends on the machine's speed.
const PROGRESS = /^.*…\n/gm;

/** What a run left: its exit code and what it printed, progress left out. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly started?: (child: ChildProcess) => void;
  /** A descriptor that it reads from, or all that is sent to it; unless given, what it reads from stays open and silent. */
  readonly stdin?: number | string;
  /** A descriptor that it writes to, in the place of `out`. */
  readonly stdout?: number;
}

/** Runs the built command line in an empty place: no settings of the machine reach it. */
export function espalier(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const home = options.env?.HOME ?? folder();
  const env = { PATH: process.env.PATH ?? "", HOME: home, COLUMNS: "100", ...options.env };
  return new Promise((resolve, reject) => {
    const { stdin } = options;
    const input = typeof stdin === "number" ? stdin : "pipe";
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: options.cwd ?? home,
      env,
      stdio: [input, options.stdout ?? "pipe", "pipe"],
    });
    if (typeof stdin === "string") child.stdin?.end(stdin);
    let out = "";
    let err = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      out += part;
    });
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      err += part;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err: err.replace(PROGRESS, "") }));
    options.started?.(child);
  });
}

/** A named pipe that stays open and says nothing, and its descriptor. */
export function silentPipe(name = "pipe.jsonl"): { path: string; fd: number } {
  const path = join(folder(), name);
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  return { path, fd };
}

/** The one document on standard output; fails if there is anything else. */
export async function espalierJson(args: readonly string[], options: RunOptions = {}) {
  const ran = await espalier([...args, "--json"], options);
  return { ...ran, document: JSON.parse(ran.out) };
}

/** A folder of the test's own, gone when the test is. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "espalier-cli-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A file in a folder of its own. */
export function fileOf(content: string | Uint8Array, name = "session.jsonl"): string {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
}
