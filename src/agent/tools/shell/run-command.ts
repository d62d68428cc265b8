import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { endGroup, endGroupNow } from "./processes.ts";
import { watch } from "./watchdog.ts";

export interface CommandRun {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What ended it: itself, the time, or the user. */
  readonly end: "exit" | "timeout" | "abort";
  /** Something that it left behind still holds its output. */
  readonly holder?: number;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onData: (chunk: Buffer) => void;
}

const SHELL = ["/bin/bash", "/usr/bin/bash"].find(existsSync);

// One pipe for both streams keeps their order. Node's own is a socket, which /dev/stderr can't open, so cat stands between;
// it belongs to nobody the command could wait for, and outlives it to hand on what was said last.
const IN_BASH = 'exec > >(trap "" HUP INT TERM; exec 3<&0; cat <&3 &) 2>&1; wait $! 2>/dev/null; exec "$0" -c "$1"';
const IN_SH = 'exec 2>&1; exec "$0" -c "$1"';

/** After the shell's end its pipe is waited for while something comes, and this long when nothing does. */
const QUIET = 500;
const LONGEST_WAIT = 2_000;

/**
 * Runs `command` by the shell in a process group of its own, without input; stdout and stderr come as one.
 *
 * On abort and after `timeout` the group and its descendants are ended, and gone when this resolves. What a command leaves
 * in the background lives on; its output is read and thrown away, so that it does not stop. Rejects where it can't start.
 */
export function runCommand(
  command: string,
  { cwd, env, timeout, signal, onData }: CommandOptions,
): Promise<CommandRun> {
  return new Promise((resolve, reject) => {
    const shell = SHELL ?? "/bin/sh";
    const script = SHELL === undefined ? IN_SH : IN_BASH;
    const child = spawn(shell, ["-c", script, shell, command], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const group = child.pid;
    const output = child.stdout as unknown as Socket;
    let exit = { exitCode: null as number | null, signal: null as string | null };
    let end: CommandRun["end"] = "exit";
    let isOver = false;
    let quiet: NodeJS.Timeout | undefined;

    const settle = (holder?: number) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      clearTimeout(quiet);
      clearTimeout(patience);
      signal.removeEventListener("abort", onAbort);
      output.removeListener("data", onChunk);
      output.resume();
      output.unref();
      child.unref();
      if (group !== undefined) forget(group);
      resolve({ ...exit, end, ...(holder !== undefined && { holder }) });
    };
    const stop = async (why: "timeout" | "abort") => {
      if (end !== "exit" || isOver || group === undefined) return;
      end = why;
      clearTimeout(quiet);
      await endGroup(group);
      // The end of the pipe is on its way.
      quiet = setTimeout(settle, QUIET / 5);
    };
    const onAbort = () => void stop("abort");
    const limit = setTimeout(() => void stop("timeout"), timeout);
    let patience: NodeJS.Timeout | undefined;
    const waitForQuiet = () => {
      clearTimeout(quiet);
      quiet = setTimeout(settle, QUIET, group);
    };
    const onChunk = (chunk: Buffer) => {
      onData(chunk);
      if (patience !== undefined && end === "exit") waitForQuiet();
    };

    output.on("data", onChunk);
    child.once("exit", (exitCode, by) => {
      exit = { exitCode, signal: by };
      if (end !== "exit" || isOver) return;
      clearTimeout(limit);
      patience = setTimeout(settle, LONGEST_WAIT, group);
      waitForQuiet();
    });
    child.once("close", () => {
      if (end === "exit") settle();
    });
    child.once("error", (error) => {
      isOver = true;
      clearTimeout(limit);
      signal.removeEventListener("abort", onAbort);
      reject(error);
    });
    if (group !== undefined) remember(group);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Groups of commands that run; none outlives this process. */
const running = new Set<number>();
let isWatching = false;

function remember(group: number): void {
  running.add(group);
  watch(running);
  if (isWatching) return;
  isWatching = true;
  process.once("exit", () => {
    for (const each of running) endGroupNow(each);
  });
}

function forget(group: number): void {
  running.delete(group);
  watch(running);
}
