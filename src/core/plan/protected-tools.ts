import type { ToolCallBlock } from "../session/message.ts";
import { FILE_TOOLS, toolKey } from "./file-tools.ts";
import { touched } from "./files.ts";

/** Other agents' names for a skill tool, written as `toolKey` gives them. */
const SKILL_TOOLS: readonly string[] = [
  "useskill",
  "loadskill",
  "readskill",
  "viewskill",
  "skillview",
  "activateskill",
];

const READ_TOOLS: readonly string[] = [...FILE_TOOLS].flatMap(([name, effect]) => (effect === "read" ? [name] : []));

const ALIASES: Readonly<Record<string, readonly string[]>> = { read: READ_TOOLS, skill: SKILL_TOOLS };

/**
 * A test of whether a tool is one of `names`, under whatever name an agent knows it [R1].
 *
 * `read` also names `Read`, `read_file`, `functions.read`, `mcp__fs__read_text_file`, `view` and an editor's call that
 * views; `skill` likewise. Any other name is compared without case, `_`, `-` and the prefix of a server.
 */
export function protects(names: readonly string[]): (toolName: string, call?: ToolCallBlock) => boolean {
  const keys = new Set(names.map(toolKey));
  for (const name of [...keys]) for (const alias of aliasesOf(name)) keys.add(alias);
  const reads = READ_TOOLS.some((name) => keys.has(name));
  return (toolName, call) => keys.has(toolKey(toolName)) || (reads && call !== undefined && onlyReads(call));
}

function aliasesOf(name: string): readonly string[] {
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [];
}

function onlyReads(call: ToolCallBlock): boolean {
  const effects = touched(call);
  return effects.length > 0 && effects.every(([, effect]) => effect === "read");
}
