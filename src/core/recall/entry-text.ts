import { contentBlocks, textOf, toolCallsOf } from "../context/blocks.ts";
import type { Entry } from "../session/entry.ts";
import type { Message } from "../session/message.ts";

const DEEPEST = 20;

/** What an entry says, as it is searched and shown. */
export interface EntryText {
  /** Of its message; entries that stand for one have its role: `compactionSummary`, `branchSummary`, `custom`. */
  readonly role: string;
  readonly text: string;
}

/** The text of an entry's original [R9]; null for entries that say nothing, such as labels and markers. Never throws. */
export function entryText(entry: Entry): EntryText | null {
  switch (entry.type) {
    case "message":
      return entry.message ? said(String(entry.message.role), messageText(entry.message)) : null;
    case "custom_message":
      return said("custom", contentText(entry.content));
    case "branch_summary":
      return said("branchSummary", string(entry.summary));
    case "compaction":
      return said("compactionSummary", string(entry.summary));
    default:
      return null;
  }
}

function said(role: string, text: string): EntryText | null {
  return /\S/.test(text) ? { role, text } : null;
}

function messageText(message: Message): string {
  switch (message.role) {
    case "assistant":
      return joined([...thoughts(message.content), textOf(message.content), ...toolCallsOf(message).map(callText)]);
    case "bashExecution":
      return joined([`$ ${string(message.command)}`, string(message.output)]);
    case "pythonExecution":
      return joined([`>>> ${string(message.code)}`, string(message.output)]);
    case "fileMention": {
      const files: unknown = message.files;
      return joined(Array.isArray(files) ? files.flatMap((file) => [string(file?.path), string(file?.content)]) : []);
    }
    case "branchSummary":
    case "compactionSummary":
      return string(message.summary);
    default:
      return contentText((message as { content?: unknown }).content);
  }
}

function contentText(content: unknown): string {
  return joined(
    contentBlocks(content).map((block) => (block.type === "text" ? block.text : `[image: ${block.mimeType}]`)),
  );
}

function thoughts(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.map((block) => string((block as { thinking?: unknown } | null)?.thinking));
}

/** Not as JSON: its escapes would stand between the words. */
function callText({ name, arguments: args }: { name: string; arguments: unknown }): string {
  return joined([`${name}:`, ...valueLines("", args, 0)]);
}

function valueLines(key: string, value: unknown, depth: number): string[] {
  const prefix = key === "" ? "" : `${key}: `;
  if (typeof value !== "object" || value === null) return value === undefined ? [] : [`${prefix}${String(value)}`];
  if (depth >= DEEPEST) return [`${prefix}…`];
  return Object.entries(value).flatMap(([inner, item]) =>
    valueLines(Array.isArray(value) ? key : inner, item, depth + 1),
  );
}

const string = (value: unknown): string => (typeof value === "string" ? value : "");
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");
