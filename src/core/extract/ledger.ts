import { stripInjected, textOf } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { ToolCallBlock, ToolResultMessage } from "../session/message.ts";
import { clip, oneLine } from "./cut.ts";
import { addFact, addRaw } from "./lines.ts";
import { code } from "./print.ts";
import { commandKey, cures, isProbe, readOutcome, succeed } from "./runs.ts";
import { noteEdit, noteShown, noteWritten, type Stretch } from "./sources.ts";
import type { Run } from "./state.ts";
import { readToolCall, type ToolUse } from "./tools.ts";
import { scan } from "./words.ts";
import { type OpenFile, type Work, weigh } from "./work.ts";

/** Weight of a word in a call's arguments, and in what a tool gave back. */
const SAID = { change: 1, command: 1, result: 0.15 };
/** How much of one text is looked at for the names of its file. */
const SAMPLE = 4000;
const MOST_CODE_LINES = 60;
const MOST_OUTPUT_LINES = 60;
/** Failures older than the newest so many are no longer looked at when something succeeds. */
const MOST_FAILING = 40;

/** Notes a call; what it did counts once its result is known. */
export function addToolCall(work: Work, id: string, call: ToolCallBlock): void {
  const use = readToolCall(call);
  if (typeof call.id === "string") work.open.set(call.id, { use, id, why: work.said });
  if (use.kind === "plan") {
    work.todos = use.todos;
    work.todosId = id;
  }
  const named = [...use.paths, use.command.slice(0, 4000)].join("\n");
  weigh(work, named, 0, named.length, SAID.command, false);
  for (const text of use.texts) {
    const path = use.paths[0] ?? "";
    const gone = use.edits.some((edit) => edit.old === text);
    addRaw(work, id, text, SAID.change, path, gone ? 0 : MOST_CODE_LINES);
  }
}

/** Joins a result to its call: a file's ledger, a command's last outcome, an error open or cured [M9]. */
export function addToolResult(work: Work, id: string, result: ToolResultMessage): void {
  const call = work.open.get(result.toolCallId);
  work.open.delete(result.toolCallId);
  const text = stripInjected(textOf(result.content));
  const failed = result.isError === true;
  const use = call?.use;
  const name = oneLine(use?.name ?? "").slice(0, 40);
  if (use?.kind === "run") {
    addOutcome(work, id, use.command, text, failed);
    addRaw(work, id, text, SAID.result, "", MOST_OUTPUT_LINES);
    return;
  }
  if (use && use.paths.length > 0) {
    const label = `${name} ${use.paths[0]}`;
    if (failed) work.runs.set(label, { ...readOutcome(label, text, true, id), command: label });
    else {
      const before = work.runs.get(label);
      if (before && !before.ok) work.runs.delete(label);
      for (const path of use.paths) noteFile(work, id, path, use, text, call?.why ?? "");
    }
  } else if (use?.command) addFact(work, id, `${name}: ${code(clip(oneLine(use.command), 280))}`, 0.8);
  addRaw(work, id, text, SAID.result, use?.kind === "read" ? (use.paths[0] ?? "") : "", MOST_OUTPUT_LINES);
}

/** A command that the user ran, or a tool ran for the assistant; the exit state decides where it is known. */
export function addCommandRun(work: Work, id: string, command: unknown, output: unknown, exit: unknown): void {
  if (typeof command !== "string") return;
  addOutcome(work, id, command, typeof output === "string" ? output : "", typeof exit === "number" && exit !== 0);
}

function addOutcome(work: Work, id: string, command: string, output: string, failed: boolean): void {
  const now = readOutcome(command, output, failed, id);
  if (!now.command) return;
  const run = succeed(work.runs.get(now.command), now);
  work.runs.delete(now.command);
  work.runs.set(now.command, run);
  if (!run.ok) note(work.failing, run.command);
  else if (!isProbe(run.command)) settle(work, run);
  addFact(work, id, run.line ? `${code(run.command)} → ${run.line}` : code(commandKey(run.command)), 1);
}

/** Failures that the success of `run` shows to be over. */
function settle(work: Work, run: Run): void {
  work.failing.delete(run.command);
  for (const key of work.failing) {
    const earlier = work.runs.get(key);
    if (!earlier || earlier.ok || !cures(run, earlier)) continue;
    work.runs.set(key, { ...earlier, ok: true, was: earlier.line, line: run.line, id: run.id });
    work.failing.delete(key);
  }
}

function note(failing: Set<string>, command: string): void {
  failing.delete(command);
  failing.add(command);
  for (const oldest of failing) {
    if (failing.size <= MOST_FAILING) break;
    failing.delete(oldest);
  }
}

function noteFile(work: Work, id: string, path: string, use: ToolUse, output: string, why: string): void {
  const changed = use.kind === "change";
  const known = work.files.get(path);
  const file: OpenFile = known ?? { path, changes: 0, id, names: new Map(), stretches: behind(work, path), why: "" };
  if (changed && file.id !== id) file.changes++;
  else if (changed && file.changes === 0) file.changes = 1;
  if (changed || file.changes === 0) file.id = id;
  if (changed && why) file.why = why;
  work.files.delete(path);
  work.files.set(path, file);
  noteText(file, id, work.at, use, output);
  for (const text of (changed ? use.texts : [output]).slice(0, 40)) {
    const found = scan(work.lexicon, text, 0, Math.min(text.length, SAMPLE), false);
    for (let i = 0; i < found; i++) {
      const word = work.lexicon.scratch[i] as number;
      if (work.lexicon.name[word]) file.names.set(word, (file.names.get(word) ?? 0) + (changed ? 1 : 0.3));
    }
  }
}

function behind(work: Work, path: string): Stretch[] {
  return (work.behind.get(path)?.stretches ?? []).map((stretch) => ({ ...stretch }));
}

function noteText(file: OpenFile, id: string, at: number, use: ToolUse, output: string): void {
  const { stretches, path } = file;
  if (use.kind === "read") noteShown(stretches, output, id, at);
  else if (use.whole !== undefined) noteWritten(stretches, use.whole, id, at);
  for (const edit of use.edits) {
    if (edit.path === undefined || path.endsWith(edit.path) || edit.path.endsWith(path)) {
      noteEdit(stretches, edit, id, at);
    }
  }
}

/** What files held at the end of `messages`, and nothing else of them; in the order of their last use. */
export function filesAfter(messages: readonly ContextMessage[]): Map<string, OpenFile> {
  const files = new Map<string, OpenFile>();
  const open = new Map<string, { readonly use: ToolUse; readonly id: string }>();
  for (const { entryId, message } of messages) {
    if (message?.role === "assistant" && Array.isArray(message.content)) {
      for (const block of message.content) {
        if (block?.type !== "toolCall" || typeof block.id !== "string") continue;
        const use = readToolCall(block as ToolCallBlock);
        if (use.paths.length > 0) open.set(block.id, { use, id: entryId });
      }
    } else if (message?.role === "toolResult" && message.isError !== true) {
      const call = open.get(message.toolCallId);
      const text = call?.use.kind === "read" ? stripInjected(textOf(message.content)) : "";
      for (const path of call?.use.paths ?? []) {
        const file = files.get(path) ?? { path, changes: 0, id: entryId, names: new Map(), stretches: [], why: "" };
        files.delete(path);
        files.set(path, file);
        noteText(file, entryId, 0, (call as { use: ToolUse }).use, text);
      }
    }
  }
  return files;
}
