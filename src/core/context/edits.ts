import type { Warning } from "../../errors.ts";
import type { ContextEditEntry, CustomMessageEntry, Entry, MessageEntry } from "../session/entry.ts";
import type { AssistantMessage, Message, UserContent } from "../session/message.ts";

/** What an edit may aim at, and whether it may replace the content or only omit. */
const TARGETS: Readonly<Record<string, "content" | "omit">> = {
  user: "content",
  developer: "content",
  assistant: "content",
  toolResult: "content",
  custom: "content",
  bashExecution: "omit",
  pythonExecution: "omit",
  fileMention: "omit",
  branchSummary: "omit",
};

export interface EditsInForce {
  readonly byTarget: ReadonlyMap<string, ContextEditEntry>;
  readonly warnings: readonly Warning[];
}

/**
 * The edits that shape `live`, oldest entry first: per target the newest that is sound [S3].
 *
 * An edit is ignored, with a warning, when its replacement is neither null nor `{content}`, or when its target can't
 * be edited or comes after it. An edit of an entry outside `live` has no effect and is passed over; where `isWhole`
 * says that nothing lies outside, it gets a warning too. An edit with the original content restores: it is not in
 * force, and neither are the older ones.
 */
export function editsInForce(live: readonly Entry[], isWhole: boolean): EditsInForce {
  const byTarget = new Map<string, ContextEditEntry>();
  const warnings: Warning[] = [];
  if (!live.some((entry) => entry.type === "context_edit")) return { byTarget, warnings };
  const seen = new Map<string, Entry>();
  const ahead = new Set(live.map((entry) => entry.id));
  for (const entry of live) {
    seen.set(entry.id, entry);
    if (entry.type !== "context_edit") continue;
    const target = seen.get(entry.targetId);
    const fault = target ? faultOf(entry, target) : unmetTarget(entry, ahead, isWhole);
    if (fault) warnings.push({ code: "edit-ignored", message: `Entry ${entry.id}: ${fault}`, entryId: entry.id });
    else if (target && restores(entry, target)) byTarget.delete(entry.targetId);
    else if (target) byTarget.set(entry.targetId, entry);
  }
  return { byTarget, warnings };
}

/** Edited messages that were made before: who knows a message's size by its object need not count it again. */
const made = new WeakMap<ContextEditEntry, { readonly of: Message; readonly message: Message }>();

/**
 * `message` with the content that `edit` gives it, the same object each time. A string becomes a text block where the
 * role asks for blocks; an edit that omits changes nothing here.
 */
export function editedMessage(message: Message, edit: ContextEditEntry): Message {
  const known = made.get(edit);
  if (known?.of === message) return known.message;
  const edited = edit.replacement === null ? message : withContent(message, edit.replacement?.content);
  made.set(edit, { of: message, message: edited });
  return edited;
}

function withContent(message: Message, content: unknown): Message {
  const asBlocks = message.role === "assistant" || message.role === "toolResult";
  const blocks = asBlocks && typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { ...message, content: blocks as AssistantMessage["content"] & UserContent } as Message;
}

function unmetTarget(edit: ContextEditEntry, ahead: ReadonlySet<string>, isWhole: boolean): string | null {
  if (ahead.has(edit.targetId)) return `the edit stands before its target ${edit.targetId} and was ignored.`;
  return isWhole ? `the target ${edit.targetId} of the edit is not on the path; it was ignored.` : null;
}

function faultOf(edit: ContextEditEntry, target: Entry): string | null {
  const allowed = Object.hasOwn(TARGETS, roleOf(target)) ? TARGETS[roleOf(target)] : undefined;
  if (edit.replacement === null) return allowed ? null : `${target.type} ${target.id} can't be omitted by an edit.`;
  const content: unknown = edit.replacement?.content;
  if (typeof content !== "string" && !Array.isArray(content)) {
    return "the replacement is neither null nor {content: text or blocks}; the edit was ignored.";
  }
  return allowed === "content" ? null : `the content of ${target.type} ${target.id} can't be replaced by an edit.`;
}

function restores(edit: ContextEditEntry, target: Entry): boolean {
  if (edit.replacement === null) return false;
  const original = target.type === "message" ? target.message : target;
  const content = (original as { content?: unknown }).content;
  try {
    return JSON.stringify(asBlocks(edit.replacement.content)) === JSON.stringify(asBlocks(content));
  } catch {
    return false; // nested too deep to compare
  }
}

const asBlocks = (content: unknown) => (typeof content === "string" ? [{ type: "text", text: content }] : content);

function roleOf(entry: MessageEntry | CustomMessageEntry | Entry): string {
  if (entry.type === "message") return String(entry.message?.role);
  if (entry.type === "custom_message") return "custom";
  return entry.type === "branch_summary" ? "branchSummary" : "";
}
