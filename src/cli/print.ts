import { once } from "node:events";
import { EspalierError, type Warning } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { jsonDocument, jsonLine } from "./render/json.ts";
import { thousands } from "./render/number.ts";
import { plain } from "./render/plain.ts";
import { type Screen, screenOf } from "./render/style.ts";

/** How many warnings a person is shown before the rest is a count. */
const SHOWN_WARNINGS = 5;
/** Small lines are joined so that a long listing is not a system call a line. */
const CHUNK = 32_768;

/** Prints an answer: its document on standard output, or its lines there and its warnings on standard error. */
export async function printAnswer(answer: Answer, options: { json: boolean; verbose: boolean }): Promise<void> {
  if (options.json && answer.stream) {
    for await (const event of answer.stream()) await write([jsonLine(event)]);
    return;
  }
  if (options.json) {
    await write(jsonDocument({ ...answer.document, warnings: answer.warnings }));
    return;
  }
  await write(withLineEnds(answer.lines(screenOf(process.stdout, process.env))));
  if (!answer.tellsWarnings) printWarnings(answer.warnings, options.verbose);
}

/** Prints a failure the way the caller reads: a JSON document on standard output, or one line on standard error. */
export async function printFailure(error: unknown, options: { json: boolean; verbose: boolean }): Promise<void> {
  const { code, message, data } = failureOf(error);
  const how = EspalierError.is(error) && Array.isArray(error.data.how) ? error.data.how.map(String) : [];
  if (options.json) {
    await write(jsonDocument({ status: "failed", error: { code, message, data } }));
    return;
  }
  const screen = screenOf(process.stderr, process.env);
  const lines = [`${screen.tint("red", "espalier:")} ${oneLine(message)}`, ...how];
  if (options.verbose) lines.push(...causes(screen, error, code));
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** Says that a signal stopped the command before it had an answer. */
export async function printCancelled(options: { json: boolean }): Promise<void> {
  if (options.json) await write(jsonDocument({ status: "cancelled", by: "signal" }));
  else process.stderr.write(`${screenOf(process.stderr, process.env).tint("red", "espalier:")} Cancelled.\n`);
}

function failureOf(error: unknown): { code: string; message: string; data: unknown } {
  if (EspalierError.is(error)) {
    return { code: error.code, message: error.message, data: Object.keys(error.data).length ? error.data : undefined };
  }
  const said = error instanceof Error ? error.message : String(error);
  const message = `Something in espalier itself went wrong (${said}); run again with --verbose and report it.`;
  return { code: "INTERNAL", message, data: undefined };
}

function* causes(screen: Screen, error: unknown, code: string): Generator<string> {
  yield screen.tint("dim", `  code: ${code}`);
  let last = error;
  for (let cause = (error as Error)?.cause; cause !== undefined && cause !== last; cause = (cause as Error)?.cause) {
    yield screen.tint("dim", `  because: ${oneLine(cause instanceof Error ? cause.message : String(cause))}`);
    last = cause;
  }
  const stack = last instanceof Error ? (last.stack ?? "").split("\n").slice(1, 8) : [];
  for (const line of stack) yield screen.tint("dim", `  ${line.trim()}`);
}

function printWarnings(warnings: readonly Warning[], verbose: boolean): void {
  const screen = screenOf(process.stderr, process.env);
  const shown = verbose ? warnings : warnings.slice(0, SHOWN_WARNINGS);
  const lines = shown.map((warning) => `${screen.tint("yellow", "warning:")} ${oneLine(warning.message)}`);
  const rest = warnings.length - shown.length;
  if (rest > 0) lines.push(screen.tint("dim", `… and ${thousands(rest)} more warnings; --verbose shows them`));
  if (lines.length > 0) process.stderr.write(`${lines.join("\n")}\n`);
}

const oneLine = (text: string): string => plain(text).replace(/\s*\n\s*/g, " ");

async function* withLineEnds(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function write(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let held = "";
  for await (const piece of pieces) {
    held += piece;
    if (held.length < CHUNK) continue;
    if (!process.stdout.write(held)) await once(process.stdout, "drain");
    held = "";
  }
  if (held) process.stdout.write(held);
}
