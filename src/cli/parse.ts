import { readFileSync } from "node:fs";
import { Command as Commander, CommanderError, Option } from "commander";
import { EspalierError } from "../errors.ts";
import type { Flags } from "./answer.ts";
import { COMMANDS, COMMON, type CommandRow } from "./command-table.ts";
import { nearest } from "./nearest.ts";

/** A command line, understood. Without a command it asks for the sessions on this machine. */
export type Parsed =
  | { readonly kind: "run"; readonly row: CommandRow; readonly args: readonly string[]; readonly flags: Flags }
  | { readonly kind: "text"; readonly text: string };

/**
 * What `argv` (without node and script) asks for.
 *
 * Throws `USAGE`, one line with a hint, for an unknown command or option, a missing argument or a value out of choice.
 */
export function parse(argv: readonly string[]): Parsed {
  let text = "";
  let run: Parsed | undefined;
  const program = new Commander("espalier")
    .description("Keeps long LLM-agent sessions usable: compaction over a session tree in which nothing is lost.")
    .version(version(), "--version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .usage("<command> [options]")
    .addHelpText("after", EXAMPLES)
    .configureHelp({
      helpWidth: 110,
      subcommandTerm: (command) => `${command.name()} ${argsOf(command.name())}`.trim(),
    })
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: (part) => (text += part) });

  for (const row of COMMANDS) {
    const command = program.command(`${row.name} ${row.args}`.trim()).description(row.sentence);
    for (const { flags, sentence, choices, required } of [...row.options, ...COMMON]) {
      const option = new Option(flags, sentence);
      if (choices) option.choices(choices);
      command.addOption(option.makeOptionMandatory(required === true));
    }
    command.action((...given: unknown[]) => {
      const args = given
        .slice(0, -2)
        .flat()
        .filter((arg) => typeof arg === "string");
      run = { kind: "run", row, args, flags: command.opts() };
    });
  }

  try {
    const bare = argv.every((word) => word === "--json" || word === "--verbose");
    program.parse(bare ? ["sessions", ...argv] : argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "text", text };
    const said = error.code === "commander.help" ? noHelpFor(argv[1] ?? "") : error.message;
    throw new EspalierError("USAGE", usageSentence(said, argv), { argv: [...argv] });
  }
  if (run?.kind === "run" && run.args[0] === "" && run.row.args.startsWith("<file>")) {
    throw new EspalierError("USAGE", "The file's name is empty; name a session file.", { argv: [...argv] });
  }
  return run ?? { kind: "text", text };
}

const argsOf = (name: string): string => COMMANDS.find((row) => row.name === name)?.args ?? "[command]";

const noHelpFor = (name: string): string => {
  const known = COMMANDS.map((row) => row.name);
  return `Unknown command '${name}' (Did you mean ${nearest(name, known)[0]}?)`;
};

function usageSentence(message: string, argv: readonly string[]): string {
  const said = message
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(/[.\s]+$/, "");
  const command = COMMANDS.find((row) => argv.includes(row.name));
  const help = command ? `espalier ${command.name} --help` : "espalier --help";
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}; see \`${help}\`.`;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(manifest.version);
}

const EXAMPLES = `
A session file of any known agent will do; the format is found by content.

  espalier compact session.jsonl --dry-run      what a compaction would do
  espalier compact session.jsonl --out b.jsonl  a compacted copy
  espalier context session.jsonl                what the model sees
  espalier explain session.jsonl                where every entry went
`;
