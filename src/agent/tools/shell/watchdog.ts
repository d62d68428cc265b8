import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** The newest line counts. Its input ends with the process that holds the other end, however that ends. */
const SCRIPT = 'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done';

let shell: ChildProcess | undefined;

/**
 * Nothing; from now on these process groups, and no others, are killed when this process is gone, by SIGKILL as well.
 *
 * A shell in a session of its own watches, since a killed process can't do it itself: one for all commands, started with the
 * first. Where it can't be started nobody watches.
 */
export function watch(groups: Iterable<number>): void {
  shell ??= started();
  shell.stdin?.write(`${[...groups].join(" ")}\n`);
}

function started(): ChildProcess {
  // It may live long: it holds no folder, no keys and no terminal.
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const gone = () => {
    if (shell === child) shell = undefined;
  };
  child.once("error", gone).once("exit", gone).unref();
  const input = child.stdin as unknown as Socket | undefined;
  input?.on("error", gone).unref();
  return child;
}
