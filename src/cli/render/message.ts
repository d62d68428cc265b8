import type { Entry } from "../../core/session/entry.ts";
import type { Message, ToolCallBlock } from "../../core/session/message.ts";
import { count } from "./number.ts";
import { firstLine } from "./plain.ts";
import type { Tint } from "./style.ts";
import { clip } from "./width.ts";

const ROLE_TINTS: Readonly<Record<string, Tint>> = {
  user: "green",
  assistant: "cyan",
  toolResult: "yellow",
  compactionSummary: "magenta",
  branchSummary: "magenta",
  system: "gray",
  developer: "gray",
};

export const roleTint = (role: string): Tint | undefined => ROLE_TINTS[role];

/** What a message says, on one line: its first words, its tool calls, its images. Total over odd content. */
export function messageLine(message: Message): string {
  switch (message.role) {
    case "toolResult":
      return `${message.isError ? "✗ " : ""}${firstLine(String(message.toolName ?? "tool"))}: ${contentLine(message.content) || "(empty)"}`;
    case "bashExecution":
      return `$ ${firstLine(String(message.command ?? ""))}`;
    case "pythonExecution":
      return `>>> ${firstLine(String(message.code ?? ""))}`;
    case "fileMention":
      return Array.isArray(message.files)
        ? message.files.map((file) => `@${firstLine(String(file?.path))}`).join(" ")
        : "";
    case "branchSummary":
    case "compactionSummary":
      return summaryLine(message.summary);
    default:
      return contentLine((message as { content?: unknown }).content);
  }
}

/** What an entry says, on one line; for metadata, what it sets. */
export function entryLine(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return entry.message ? messageLine(entry.message) : "";
    case "custom_message":
      return contentLine(entry.content);
    case "compaction":
      return entry.shortSummary ? firstLine(String(entry.shortSummary)) : summaryLine(entry.summary);
    case "branch_summary":
      return summaryLine(entry.summary);
    case "model_change":
      return firstLine(String(entry.model ?? `${entry.provider}/${entry.modelId}`));
    case "thinking_level_change":
      return firstLine(String(entry.thinkingLevel));
    case "label":
      return entry.label ? firstLine(`${entry.label} → #${entry.targetId}`) : firstLine(`cleared #${entry.targetId}`);
    case "session_info":
      return firstLine(String(entry.name ?? ""));
    case "context_edit":
      return firstLine(`${entry.replacement === null ? "omits" : "replaces"} #${entry.targetId}`);
    case "custom":
      return firstLine(String(entry.customType ?? ""));
    default:
      return "";
  }
}

/** The first words of a summary that are no heading and no empty section. */
const summaryLine = (summary: unknown): string =>
  firstLine(
    String(summary ?? "")
      .slice(0, 4_000)
      .replace(/^(?:#+ .*|\(none\))$/gm, ""),
  );

function contentLine(content: unknown): string {
  if (typeof content === "string") return firstLine(content);
  if (!Array.isArray(content)) return "";
  const calls: string[] = [];
  let text = "";
  let thinking = "";
  let images = 0;
  for (const block of content) {
    if (block?.type === "text") text ||= firstLine(String(block.text ?? ""));
    else if (block?.type === "thinking") thinking ||= firstLine(String(block.thinking ?? ""));
    else if (block?.type === "image") images++;
    else if (block?.type === "toolCall") calls.push(callLine(block));
  }
  const parts = [text || (calls.length === 0 && thinking ? `(thinking) ${thinking}` : "")];
  if (calls.length > 0)
    parts.push(`→ ${calls.slice(0, 4).join(", ")}${calls.length > 4 ? `, … ${calls.length} calls` : ""}`);
  if (images > 0) parts.push(`[${count(images, "image")}]`);
  return parts.filter(Boolean).join("  ");
}

/** `read(src/a.ts)`: the name and the first argument that is a short text. */
function callLine(call: ToolCallBlock): string {
  const values = typeof call.arguments === "object" && call.arguments !== null ? Object.values(call.arguments) : [];
  const told = values.find((value) => typeof value === "string" && value !== "");
  const argument = typeof told === "string" ? firstLine(told) : "";
  return `${firstLine(String(call.name))}(${clip(argument, 60)})`;
}
