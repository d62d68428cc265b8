import { createInterface } from "node:readline/promises";
import type { Ask, PermissionAnswer } from "../../agent/index.ts";
import { plain } from "../render/plain.ts";
import type { Progress } from "../render/progress.ts";

const ANSWERS: Readonly<Record<string, PermissionAnswer>> = { y: "once", yes: "once", a: "always", always: "always" };

/** Asks at the terminal, on standard error; undefined where nobody sits there. Anything but yes or always is a no. */
export function askAtTerminal(progress: Progress): Ask | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return async ({ tool, command, path, preview }, signal) => {
    progress.done();
    const what = plain(command ?? path ?? "");
    if (preview) process.stderr.write(`${plain(preview)}\n`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const said = await terminal.question(`Allow ${tool}: ${what}? [y]es, [a]lways, [n]o `, { signal });
      return ANSWERS[said.trim().toLowerCase()] ?? "deny";
    } catch {
      return "deny";
    } finally {
      terminal.close();
    }
  };
}
