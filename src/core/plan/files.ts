import { toolCallsOf } from "../context/blocks.ts";
import { isRecord } from "../context/record.ts";
import type { BranchSummaryEntry, CompactionEntry, Entry, SummaryDetails } from "../session/entry.ts";
import type { ToolCallBlock } from "../session/message.ts";
import {
  EDITOR_COMMANDS,
  EDITOR_TOOLS,
  FILE_TOOLS,
  type FileEffect,
  LIST_KEYS,
  PATCH_TOOLS,
  PATH_KEYS,
  toolKey,
} from "./file-tools.ts";
import type { FileOps } from "./plan.ts";

const LONGEST_PATH = 1024;

/**
 * The files that `entries` read and modified, by the assistant's tool calls and by the summaries among them [F1, F2].
 *
 * `entries` are all that leaves the context, in path order. A call counts once its result stands after it and is no
 * error. `previous` is the summary in force. The lists of an extension's summary don't join, but those that we had before
 * it and left beside them do.
 */
export function fileOps(entries: readonly Entry[], previous: CompactionEntry | null = null): FileOps {
  const read = new Set<string>();
  const modified = new Set<string>();
  const open = new Map<string, ToolCallBlock>();
  const join = (entry: CompactionEntry | BranchSummaryEntry) => {
    const details = isOurs(entry) ? entry.details : filesBeside(entry.details);
    for (const path of textsIn(details?.readFiles)) addPath(read, path);
    for (const path of textsIn(details?.modifiedFiles)) addPath(modified, path);
  };
  if (previous) join(previous);
  for (const entry of entries) {
    if (entry.type === "branch_summary" || entry.type === "compaction") join(entry);
    if (entry.type !== "message" || !entry.message) continue;
    const { message } = entry;
    if (message.role === "assistant") {
      for (const call of toolCallsOf(message)) open.set(call.id, call);
    } else if (message.role === "toolResult") {
      const call = open.get(message.toolCallId);
      open.delete(message.toolCallId);
      if (!call || message.isError) continue;
      for (const [path, effect] of touched(call)) addPath(effect === "read" ? read : modified, path);
    }
  }
  return { read, modified };
}

/** Both lists sorted and unique; a modified file is not listed as read [F3]. */
export function fileLists(ops: FileOps): { readFiles: string[]; modifiedFiles: string[] } {
  return {
    readFiles: [...ops.read].filter((path) => !ops.modified.has(path)).sort(),
    modifiedFiles: [...ops.modified].sort(),
  };
}

/** `fromHook` is what older systems wrote for `fromExtension` [S3]. */
function isOurs(entry: CompactionEntry | BranchSummaryEntry): boolean {
  return entry.fromExtension !== true && entry.fromHook !== true;
}

/** Our lists in an entry whose own ones are an extension's, read without trust. */
function filesBeside(details: SummaryDetails | undefined): SummaryDetails | undefined {
  const own = isRecord(details) ? details.espalier : undefined;
  return isRecord(own) && isRecord(own.files) ? own.files : undefined;
}

/** The files that a call names and what it does to them; whether it succeeded is not asked [F1]. */
export function touched(call: ToolCallBlock): [string, FileEffect][] {
  const tool = toolKey(call.name);
  const args: unknown = call.arguments;
  const effect = EDITOR_TOOLS.has(tool) ? editorEffect(args) : FILE_TOOLS.get(tool);
  if (effect) return namedPaths(args).map((path) => [path, effect]);
  if (!PATCH_TOOLS.has(tool)) return [];
  return patchPaths(args, tool === "applypatch").map((path) => [path, "modified"]);
}

function editorEffect(args: unknown): FileEffect | undefined {
  const command = isRecord(args) ? args.command : undefined;
  return typeof command === "string" ? EDITOR_COMMANDS.get(command) : undefined;
}

function namedPaths(args: unknown): string[] {
  if (!isRecord(args)) return [];
  const paths = PATH_KEYS.flatMap((key) => textsIn(args[key]));
  for (const key of LIST_KEYS) {
    const list = args[key];
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      if (isRecord(item)) for (const name of PATH_KEYS) paths.push(...textsIn(item[name]));
    }
  }
  return paths;
}

const PATCH_HEADER = /^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (\S.*)$/gm;

/** Of a patch in any argument; an `apply_patch` without one names its file as other tools do. */
function patchPaths(args: unknown, alsoNamed: boolean): string[] {
  const texts = typeof args === "string" ? [args] : isRecord(args) ? Object.values(args).flatMap(textsIn) : [];
  const paths: string[] = [];
  for (const text of texts) {
    if (!text.includes("*** Begin Patch")) continue;
    for (const match of text.matchAll(PATCH_HEADER)) paths.push(match[1]?.trim() ?? "");
  }
  return paths.length > 0 || !alsoNamed ? paths : namedPaths(args);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** A range that a read selected stands behind the path: `a.ts:10-20`, `a.ts:50+9`, `a.ts#L3-L9`. */
const RANGE = /(?::L?\d+(?:[-+]L?\d*)?(?:,L?\d+(?:[-+]L?\d*)?)*|:raw|#L\d+(?:-L?\d+)?)$/;

function addPath(paths: Set<string>, given: string): void {
  if (given.length > LONGEST_PATH || /[\u0000-\u001f\u007f]/.test(given) || isAddress(given)) return;
  const path = given
    .trim()
    .replace(RANGE, "")
    .replace(/^(?:\.\/)+/, "");
  if (path !== "") paths.add(path);
}

function isAddress(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path) || /^(?:data|mailto|urn):/i.test(path);
}
