import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { EspalierError } from "../../../errors.ts";
import { isSimpleCommand } from "./simple-command.ts";
import { matchesPath, matchesText } from "./wildcard.ts";

/** What a tool is about to do: `path` of a write or an edit, `command` of bash, `preview` to show the user. */
export interface PermissionRequest {
  readonly tool: "write" | "edit" | "bash";
  readonly path?: string;
  readonly command?: string;
  readonly preview?: string;
}

/** Whether a rule allows what is asked for. */
export type Rule = (request: PermissionRequest) => boolean;

const RULE = /^(write|edit|bash)(?:\(([\s\S]+)\))?$/;

/**
 * The rule that `text` states: `write`, `edit`, `bash`, `bash(npm test)`, `bash(git status*)`, `write(src/**)`.
 *
 * Paths are taken from `cwd`; `*` stands for part of a name, `**` for any folders. In commands `*` stands for any text,
 * and such a rule allows simple commands only; a rule without `*` allows exactly its command. Throws `SETTING_INVALID`.
 */
export function parseRule(text: string, cwd: string): Rule {
  const [, tool, pattern] = RULE.exec(text.trim()) ?? [];
  if (tool === undefined) {
    const message = `"${text}" is no rule; write it as write, edit, bash, bash(npm test), bash(git status*) or write(src/**).`;
    throw new EspalierError("SETTING_INVALID", message, { rule: text });
  }
  if (pattern === undefined) return (request) => request.tool === tool;
  if (tool === "bash") {
    return ({ tool: asked, command }) => asked === tool && command !== undefined && allowsCommand(pattern, command);
  }
  const glob = absolute(pattern, cwd);
  return ({ tool: asked, path }) => asked === tool && path !== undefined && matchesPath(glob, resolve(cwd, path));
}

/** The rule that allows exactly this. */
export function ruleFor({ tool, path, command }: PermissionRequest): string {
  const detail = command ?? path;
  return detail === undefined ? tool : `${tool}(${detail})`;
}

function allowsCommand(pattern: string, command: string): boolean {
  if (pattern.trim() === command.trim()) return true;
  return isSimpleCommand(command) && matchesText(pattern.trim(), command.trim());
}

function absolute(pattern: string, cwd: string): string {
  const expanded = pattern.startsWith("~/") ? join(homedir(), pattern.slice(2)) : pattern;
  return isAbsolute(expanded) ? expanded : join(cwd, expanded);
}
