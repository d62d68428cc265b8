import type { ResolvedSettings } from "../core/settings.ts";
import type { Warning } from "../errors.ts";
import type { Progress } from "./render/progress.ts";
import type { Screen } from "./render/style.ts";

/** What was typed after the command's name. */
export interface Flags {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly leaf?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly format?: string;
  readonly out?: string;
  readonly to?: string;
  readonly window?: string;
  readonly keepRecentTokens?: string;
  readonly retainNone?: boolean;
  readonly entry?: string;
  readonly text?: string;
  readonly limit?: string;
  readonly where?: string;
  readonly summarize?: boolean;
  readonly focus?: string;
  readonly name?: string;
  readonly model?: string;
  readonly endpoint?: string;
  readonly port?: string;
  readonly host?: string;
  readonly baseUrl?: string;
  readonly api?: string;
  readonly apiKeyEnv?: string;
  readonly modelWindow?: string;
  readonly schema?: boolean;
  readonly prompt?: string;
  readonly continue?: boolean;
  readonly session?: string;
  readonly thinking?: string;
  readonly allow?: readonly string[];
  readonly allowAll?: boolean;
}

/** One run of a command: its input, and what it may use while it works. */
export interface Call {
  readonly args: readonly string[];
  readonly flags: Flags;
  /** Of user file, project file, environment and flags [E2]. */
  readonly settings: ResolvedSettings;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Run when all is printed or has failed, newest first. */
  readonly cleanups: (() => Promise<void>)[];
}

/** What a command has to say; `main` prints it one way or the other, so that a command never prints. */
export interface Answer {
  /** The one JSON document of `--json`; `warnings` are added to it. */
  readonly document: object;
  /** With `--json` one line of JSON for each, as they come, in the place of the document. */
  readonly stream?: () => AsyncIterable<object>;
  /** Lines for a person, made only when they are asked for. */
  readonly lines: (screen: Screen) => Iterable<string> | AsyncIterable<string>;
  readonly warnings: readonly Warning[];
  /** The lines show the warnings themselves. */
  readonly tellsWarnings?: boolean;
  /** 0 unless said otherwise. */
  readonly exit?: number;
  /** A command line to go on with, asked for only where a person sits at the terminal. */
  readonly next?: () => Promise<readonly string[] | null>;
}

export type Command = (call: Call) => Promise<Answer>;
