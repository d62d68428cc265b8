#!/usr/bin/env node
import { resolveSettings } from "../core/settings.ts";
import { EspalierError } from "../errors.ts";
import type { Call } from "./answer.ts";
import { parse } from "./parse.ts";
import { printAnswer, printCancelled, printFailure } from "./print.ts";
import { progressOn, SILENT } from "./render/progress.ts";
import { findLayers, flagLayers, hereAndNow } from "./settings.ts";

const INTERRUPTED = 130;

/** Runs one command line and gives its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
async function main(argv: readonly string[]): Promise<number> {
  const output = { json: argv.includes("--json"), verbose: argv.includes("--verbose") };
  const abort = new AbortController();
  const cleanups: Call["cleanups"] = [];
  const progress = output.json ? SILENT : progressOn(process.stderr);
  try {
    const parsed = parse(argv);
    if (parsed.kind === "text") {
      process.stdout.write(parsed.text);
      return 0;
    }
    const { row, args, flags } = parsed;
    const stop = () => {
      // A second Ctrl-C does not wait; reading has nothing to finish.
      if (abort.signal.aborted || !row.writes) process.exit(INTERRUPTED);
      abort.abort();
    };
    // Whoever ends this program or closes its terminal wants what it started ended as well.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
    const command = await row.load();
    const found = findLayers(hereAndNow());
    const settings = resolveSettings([...found.layers, ...flagLayers(flags)]);
    const call: Call = { args, flags, settings, signal: abort.signal, progress, cleanups };
    const answer = await command(call);
    progress.done();
    const odd = [...found.warnings, ...settings.warnings].map((message) => ({ code: "SETTING_UNKNOWN", message }));
    // A stream's warnings are complete when it has ended.
    const whole = () => [...odd, ...answer.warnings];
    await printAnswer(
      {
        ...answer,
        get warnings() {
          return whole();
        },
      },
      output,
    );
    const isPerson = !output.json && process.stdin.isTTY === true && process.stdout.isTTY === true;
    const next = isPerson ? await answer.next?.() : null;
    return next ? await main(next) : (answer.exit ?? 0);
  } catch (error) {
    progress.done();
    const isStopped = abort.signal.aborted && !EspalierError.is(error);
    if (isStopped) await printCancelled(output);
    else await printFailure(error, output);
    return isStopped ? INTERRUPTED : isUsage(error) ? 2 : 1;
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup().catch(() => {});
  }
}

/** A value that was typed with the command is wrong usage; one that stands in a file or the environment is not. */
const isUsage = (error: unknown): boolean =>
  EspalierError.is(error, "USAGE") ||
  (EspalierError.is(error, "SETTING_INVALID") && String(error.data.source).startsWith("--"));

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is no failure.
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`espalier: Standard output can't be written (${code}).\n`, () => process.exit(1));
});
process.stderr.on("error", () => {});
process.exitCode = await main(process.argv.slice(2));
