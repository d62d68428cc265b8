import { existsSync } from "node:fs";
import type { AgentTool, AgentToolResult, AgentToolUpdateCallback } from "@earendil-works/pi-agent-core";
import { answer, count, presentable } from "../answer.ts";
import { argumentsOf, requiredText } from "../arguments.ts";
import { type Bounds, excerpt, tailOf } from "../excerpt.ts";
import { checkAborted, untilAborted } from "../interrupt.ts";
import type { Permission } from "../permission/permission.ts";
import { commandEnvironment, type Environment } from "./environment.ts";
import { createKeptText } from "./kept-text.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import { createTerminalText } from "./terminal-text.ts";

export interface BashOptions {
  readonly cwd: string;
  readonly permit: Permission;
  /** Variables over those of this process; undefined takes one away. */
  readonly env?: Environment;
  /** Names of variables that commands don't get, `*` for any characters: the keys of models. */
  readonly hideEnv?: readonly string[];
}

/** `fullOutput` is there when the model sees less than was said. */
export interface BashDetails {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted?: true;
  readonly durationMs: number;
  readonly fullOutput?: string;
}

const TIMEOUT = { usual: 120, most: 600 };
const SHOWN: Bounds = { lines: 2_000, bytes: 30_000 };
const UPDATE: Bounds = { lines: 20, bytes: 2_000 };
const UPDATE_EVERY = 200;
/** Characters of an output that are kept. */
const KEPT = 4_000_000;
/** What Linux takes as one argument. */
const LONGEST_COMMAND = 131_071;

const PARAMETERS = {
  type: "object",
  properties: {
    command: { type: "string", description: "Shell command, run in the working directory." },
    timeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: `Seconds; ${TIMEOUT.usual} if not given, at most ${TIMEOUT.most}.`,
    },
  },
  required: ["command"],
};

/**
 * The tool `bash`: runs a command without input in the working directory, once it is permitted.
 *
 * The model sees at most 2,000 lines and 30 kB, head and tail; the rest is in `details.fullOutput`, of which beyond four
 * million characters the middle is gone. A failed command is an error result with its output. Partial results hold the
 * newest lines.
 */
export function createBashTool(options: BashOptions): AgentTool {
  return {
    name: "bash",
    label: "bash",
    description:
      "Runs a shell command and returns its output, stdout and stderr together. It has no input and no terminal. " +
      "Of a long output head and tail are shown; recall finds the rest.",
    parameters: PARAMETERS,
    executionMode: "sequential",
    execute: (_id, params, signal, onUpdate) => bash(options, params, signal, onUpdate),
  };
}

async function bash(
  { cwd, permit, env, hideEnv }: BashOptions,
  params: unknown,
  signal = new AbortController().signal,
  onUpdate?: AgentToolUpdateCallback,
): Promise<AgentToolResult<BashDetails>> {
  const args = argumentsOf(params);
  const command = commandOf(requiredText(args, "command"));
  const seconds = secondsOf(args.timeout);
  checkAborted(signal);
  await untilAborted(signal, permit({ tool: "bash", command }, signal));

  const output = createOutput(onUpdate);
  const started = performance.now();
  const given = { cwd, env: commandEnvironment(env, hideEnv), timeout: seconds * 1_000, signal, onData: output.push };
  try {
    const run = await runCommand(command, given);
    return resultOf(run, output, seconds, Math.round(performance.now() - started));
  } catch (error) {
    if (!existsSync(cwd)) throw new Error(`The working directory ${cwd} is gone; no command can run.`);
    throw new Error(`The command could not be started: ${(error as Error).message}.`, { cause: error });
  } finally {
    output.stop();
  }
}

type Output = ReturnType<typeof createOutput>;

function createOutput(onUpdate: AgentToolUpdateCallback | undefined) {
  const decoder = new TextDecoder();
  const terminal = createTerminalText();
  const kept = createKeptText(KEPT);
  let timer: NodeJS.Timeout | undefined;
  const update = () => {
    timer = undefined;
    onUpdate?.(answer(tailOf(kept.newest(UPDATE.bytes) + terminal.line, UPDATE), {}));
  };
  return {
    push(chunk: Buffer) {
      kept.push(terminal.push(decoder.decode(chunk, { stream: true })));
      if (onUpdate) timer ??= setTimeout(update, UPDATE_EVERY);
    },
    stop() {
      clearTimeout(timer);
    },
    end() {
      kept.push(terminal.push(decoder.decode()));
      kept.push(terminal.end());
      return kept.end();
    },
  };
}

function resultOf(run: CommandRun, output: Output, seconds: number, durationMs: number): AgentToolResult<BashDetails> {
  const whole = output.end();
  const shown = excerpt(whole, SHOWN);
  const note = noteOf(run, seconds, durationMs);
  const { exitCode, signal, end } = run;
  const details: BashDetails = {
    exitCode,
    signal,
    timedOut: end === "timeout",
    ...(end === "abort" && { aborted: true }),
    durationMs,
    ...(shown.cut > 0 && { fullOutput: presentable(withNote(whole.text, note)) }),
  };
  const text = withNote(shown.text, note);
  return { ...answer(text === "" ? "(no output)" : text, details), isError: end !== "exit" || exitCode !== 0 };
}

function withNote(text: string, note: string): string {
  return note === "" || text === "" || text.endsWith("\n") ? text + note : `${text}\n${note}`;
}

/** What the output does not say. */
function noteOf({ exitCode, signal, end, holder }: CommandRun, seconds: number, durationMs: number): string {
  if (end === "abort")
    return `[interrupted after ${count(Math.round(durationMs / 1_000), "second")}; the command was ended]`;
  if (end === "timeout") {
    const hint = "give a longer timeout, or start it in the background with its output in a file";
    return `[timed out after ${count(seconds, "second")}; the command and all that it started was ended: ${hint}]`;
  }
  const notes = [];
  if (signal !== null) notes.push(`[ended by ${signal}]`);
  else if (exitCode !== 0) notes.push(`[exit code ${exitCode}]`);
  if (holder !== undefined) {
    notes.push(
      `[something runs on in the background; its output is not read any more; \`kill -- -${holder}\` ends it]`,
    );
  }
  return notes.join("\n");
}

function commandOf(command: string): string {
  if (command.trim() === "" || command.includes("\0")) {
    throw new Error("The command is empty or holds a NUL character; give a shell command.");
  }
  if (Buffer.byteLength(command) <= LONGEST_COMMAND) return command;
  throw new Error("The command is over 128 kB; write it to a file and run that.");
}

function secondsOf(given: unknown): number {
  const seconds = Number(given ?? TIMEOUT.usual);
  return seconds > 0 ? Math.min(seconds, TIMEOUT.most) : TIMEOUT.usual;
}
