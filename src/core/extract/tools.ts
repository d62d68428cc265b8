import { EDITOR_COMMANDS, EDITOR_TOOLS, FILE_TOOLS, PATCH_TOOLS, toolKey } from "../plan/file-tools.ts";
import { touched } from "../plan/files.ts";
import type { ToolCallBlock } from "../session/message.ts";

/** What a tool call does to the work, told from its name and arguments. */
export interface ToolUse {
  readonly name: string;
  readonly kind: "change" | "read" | "run" | "plan" | "other";
  readonly paths: readonly string[];
  /** Of `run` the command; else the call's most telling argument, or "". */
  readonly command: string;
  /** Of `change`: the texts put in and taken out. */
  readonly texts: readonly string[];
  /** Of `change`: replacements, oldest first, and the whole new text where one is given. */
  readonly edits: readonly Edit[];
  readonly whole?: string;
  /** Of `plan`: the whole list. */
  readonly todos: readonly Todo[];
}

/** `path` where one call changes several files. */
export interface Edit {
  readonly old: string;
  readonly now: string;
  readonly path?: string;
}

export interface Todo {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

const RUN =
  /^(?:bash|shell|shellcommand|exec|execcommand|execute\w*|run\w*|terminal|command|localshell|python|powershell)$/;
const PLAN = /^(?:todowrite|todos?|updateplan|plan|writetodos|tasklist)$/;
const COMMAND_KEYS = ["command", "cmd", "script", "code", "input"];
const TELLING_KEYS = ["pattern", "query", "url", "description", "prompt", "name", "skill"];
const TASK_LISTS = ["todos", "plan", "items", "tasks"];

/** What a call does. Total: arguments of any shape give at least `{kind: "other"}` with empty lists. */
export function readToolCall(call: ToolCallBlock): ToolUse {
  const args = isRecord(call.arguments) ? call.arguments : {};
  const name = typeof call.name === "string" ? call.name : "";
  const tool = toolKey(name);
  const files = touched({ ...call, name, arguments: args });
  const paths = [...new Set(files.map(([path]) => path))];
  const nothing = { name, paths, command: "", texts: [], edits: [], todos: [] };
  if (files.some(([, effect]) => effect === "modified"))
    return { ...nothing, kind: "change", texts: leaves(args, paths), ...changeOf(args) };
  if (files.length > 0) return { ...nothing, kind: "read" };
  if (PLAN.test(tool)) return { ...nothing, kind: "plan", todos: todosOf(args) };
  const command = commandOf(args);
  if (command && (RUN.test(tool) || PATCH_TOOLS.has(tool))) return { ...nothing, kind: "run", command };
  const isFileTool = FILE_TOOLS.has(tool) || (EDITOR_TOOLS.has(tool) && EDITOR_COMMANDS.has(command));
  return { ...nothing, kind: "other", command: isFileTool ? "" : (stringsAt(args, TELLING_KEYS)[0] ?? command) };
}

const OLD_KEYS = ["oldText", "old_string", "old_str", "oldString", "old_text", "search"];
const NEW_KEYS = ["newText", "new_string", "new_str", "newString", "new_text", "replace"];
const WHOLE_KEYS = ["content", "file_text", "contents", "new_source"];

function changeOf(args: Record<string, unknown>): { edits: Edit[]; whole?: string } {
  const edits: Edit[] = [];
  for (const item of [args, ...(Array.isArray(args.edits) ? args.edits.slice(0, 500) : [])]) {
    if (!isRecord(item)) continue;
    const old = stringsAt(item, OLD_KEYS)[0];
    const now = NEW_KEYS.map((key) => item[key]).find((value) => typeof value === "string");
    if (old !== undefined && typeof now === "string") edits.push({ old, now });
  }
  for (const patch of stringsAt(args, ["input", "patch", "patchText"])) edits.push(...patched(patch));
  if (Array.isArray(args.command) && typeof args.command[1] === "string") edits.push(...patched(args.command[1]));
  const whole = edits.length === 0 ? stringsAt(args, WHOLE_KEYS)[0] : undefined;
  return { edits, ...(whole !== undefined && { whole }) };
}

/** The hunks of a patch in the form `*** Update File: path`, `@@`, and lines led by a space, `-` or `+`. */
function patched(patch: string): Edit[] {
  if (!patch.includes("*** Begin Patch")) return [];
  const edits: Edit[] = [];
  let path = "";
  let old: string[] = [];
  let now: string[] = [];
  const close = () => {
    if (now.length + old.length > 0) edits.push({ old: old.join("\n"), now: now.join("\n"), path });
    old = [];
    now = [];
  };
  for (const line of patch.split("\n")) {
    const file = /^\*\*\* (?:Update|Add) File: (.+)/.exec(line)?.[1];
    if (line.startsWith("***") || line.startsWith("@@")) close();
    if (file) path = file.trim();
    if (line.startsWith(" ") || line.startsWith("-")) old.push(line.slice(1));
    if (line.startsWith(" ") || line.startsWith("+")) now.push(line.slice(1));
  }
  close();
  return edits;
}

/** All strings inside a value, breadth first, at most 2,000; nothing recurses. */
function leaves(value: unknown, except: readonly string[]): string[] {
  const found: string[] = [];
  const queue: unknown[] = [value];
  for (let i = 0; i < queue.length && i < 2000; i++) {
    const item = queue[i];
    if (typeof item === "string") {
      if (!except.includes(item)) found.push(item);
    } else if (Array.isArray(item)) {
      for (const inner of item.slice(0, 2000)) queue.push(inner);
    } else if (isRecord(item)) {
      for (const inner of Object.values(item)) queue.push(inner);
    }
  }
  return found;
}

function commandOf(args: Record<string, unknown>): string {
  for (const key of COMMAND_KEYS) {
    const value = args[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((part) => typeof part === "string")) {
      const inShell = /^(?:\/bin\/)?(?:ba|z)?sh$/.test(value[0] ?? "") && /^-l?c$/.test(value[1] ?? "");
      return inShell ? (value[2] ?? "") : value.join(" ");
    }
  }
  return "";
}

function todosOf(args: Record<string, unknown>): Todo[] {
  const items = TASK_LISTS.map((key) => args[key]).find(Array.isArray) ?? [];
  const todos: Todo[] = [];
  for (const item of items.slice(0, 100)) {
    if (!isRecord(item)) continue;
    const text = stringsAt(item, ["content", "step", "text", "title", "task"])[0];
    const done = item.status === "completed" || item.status === "done";
    if (text)
      todos.push({ text, status: done ? "completed" : item.status === "in_progress" ? "in_progress" : "pending" });
  }
  return todos;
}

function stringsAt(record: Record<string, unknown>, keys: readonly string[]): string[] {
  return keys.map((key) => record[key]).filter((value) => typeof value === "string" && value !== "") as string[];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
