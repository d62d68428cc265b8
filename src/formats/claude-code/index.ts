import type { Format } from "../format.ts";
import type { Head } from "../head.ts";
import { isClaudeCode } from "./lines.ts";
import { readClaudeCode } from "./read.ts";

/** Session files of Claude Code, 1.x to 2.1.x: no header, so known by the shape of their lines. */
export const claudeCode: Format = {
  id: "claude-code",
  title: "Claude Code",
  detect: (head) => head.records.some(isClaudeCode) || firstLineIsLong(head),
  read: readClaudeCode,
};

/** A first line longer than the head, with a picture in it for instance. */
function firstLineIsLong({ text }: Head): boolean {
  return !text.includes("\n") && /^\s*\{"parentUuid":(null|"[0-9a-f-]{36}"),/.test(text);
}
