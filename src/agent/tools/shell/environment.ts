import { matchesText } from "../permission/wildcard.ts";

/** Nobody sits at the terminal: nothing may page or ask. */
const QUIET = { PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" };

/** Files that a shell would run before the command. */
const STARTUP = ["BASH_ENV", "ENV"];

/** Variables by name; undefined takes one away. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that commands get: those of this process, with `env` over them, without those that `hide` names.
 *
 * `hide` holds names, where `*` stands for any characters: the keys of models are no business of a command.
 */
export function commandEnvironment(env: Environment = {}, hide: readonly string[] = []): Record<string, string> {
  const all: Environment = { ...process.env, ...QUIET, ...env };
  const isHidden = (name: string) =>
    STARTUP.includes(name) || hide.some((pattern) => pattern === name || matchesText(pattern, name));
  const kept = Object.entries(all).filter(([name, value]) => value !== undefined && !isHidden(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
