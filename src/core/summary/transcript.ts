import { contentBlocks, toolCallsOf } from "../context/blocks.ts";
import { isInjected } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import { elideMiddle, wellFormed } from "../context/text.ts";
import { safeJson } from "../plan/json.ts";
import { BLOCK_CHARS, RESULT_CHARS } from "../plan/transcript-size.ts";
import type { AssistantMessage, ImageBlock, ToolCallBlock } from "../session/message.ts";
import { neutralise } from "./neutralise.ts";

export interface TranscriptOptions {
  /** Each header ends in the entry's id: `[User #a1b2c3d4]:`. Off by default. */
  readonly ids?: boolean;
  /** The assistant's thinking is shown. Off by default. */
  readonly thinking?: boolean;
}

/**
 * The messages as text for a summariser, paragraphs parted by a blank line [M2].
 *
 * Tool results keep 2,000 characters of head and tail together, any other block 8,000, cut at grapheme borders with the
 * number cut. System messages and `excludeFromContext` commands are left out. `#` in a header names an entry and
 * nothing else. Total: odd content is passed over, BigInts and cycles in arguments are written out, nothing throws.
 */
export function serializeConversation(messages: readonly ContextMessage[], options: TranscriptOptions = {}): string {
  const paragraphs: string[] = [];
  for (const source of messages) {
    for (const [title, text] of paragraphsOf(source, options)) {
      const id = options.ids && source.entryId ? ` #${source.entryId}` : "";
      paragraphs.push(`[${title}${id}]: ${text}`);
    }
  }
  return paragraphs.join("\n\n");
}

type Paragraph = readonly [title: string, text: string];

function paragraphsOf({ message, synthetic }: ContextMessage, options: TranscriptOptions): Paragraph[] {
  switch (message.role) {
    case "user":
      return speech(synthetic || isInjected(message) ? "Note" : "User", message.content);
    case "developer":
      return speech("Developer", message.content);
    case "custom":
      return speech(`Extension ${inline(message.customType)}`, message.content);
    case "assistant":
      return assistantParagraphs(message, options);
    case "toolResult": {
      const title = message.isError ? "Tool error" : "Tool result";
      return [[title, `${inline(message.toolName)} → ${contentText(message.content, RESULT_CHARS)}`]];
    }
    case "bashExecution":
      if (message.excludeFromContext) return [];
      return [["User command", execution(`$ ${quoted(message.command, BLOCK_CHARS)}`, message)]];
    case "pythonExecution":
      if (message.excludeFromContext) return [];
      return [["User Python", execution(quoted(message.code, BLOCK_CHARS), message)]];
    case "fileMention":
      return (Array.isArray(message.files) ? message.files : []).map((file) => {
        const image = isImage(file?.image) ? [imageText(file.image)] : [];
        return ["User file", [inline(file?.path), quoted(file?.content, BLOCK_CHARS), ...image].join("\n").trim()];
      });
    case "branchSummary":
      return [["Summary of another branch", quoted(message.summary, BLOCK_CHARS)]];
    case "compactionSummary":
      return [["Earlier summary", quoted(message.summary, BLOCK_CHARS)]];
    default:
      return [];
  }
}

function speech(title: string, content: unknown): Paragraph[] {
  const text = contentText(content, BLOCK_CHARS);
  return text === "" ? [] : [[title, text]];
}

function assistantParagraphs(message: AssistantMessage, options: TranscriptOptions): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const blocks: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  if (options.thinking) {
    const thoughts = blocks.flatMap((block) => thinkingOf(block)).join("\n");
    if (thoughts !== "") paragraphs.push(["Assistant thinking", quoted(thoughts, BLOCK_CHARS)]);
  }
  paragraphs.push(...speech("Assistant", message.content));
  const calls = toolCallsOf(message);
  if (calls.length > 0) paragraphs.push(["Assistant tool calls", calls.map(callText).join("; ")]);
  return paragraphs;
}

function thinkingOf(block: unknown): string[] {
  if (typeof block !== "object" || block === null || !("thinking" in block)) return [];
  return typeof block.thinking === "string" && block.thinking.trim() !== "" ? [block.thinking] : [];
}

function callText(call: ToolCallBlock): string {
  const args: unknown = call.arguments;
  const named = typeof args === "object" && args !== null && !Array.isArray(args) ? Object.keys(args) : null;
  const list = named
    ? named.map((key) => `${key}=${safeJson((args as Record<string, unknown>)[key])}`).join(", ")
    : safeJson(args);
  return `${inline(call.name)}(${quoted(list, BLOCK_CHARS)})`;
}

function execution(ran: string, message: { output?: unknown; exitCode?: number | null; cancelled?: boolean }): string {
  const failed = typeof message.exitCode === "number" && message.exitCode !== 0;
  const state = message.cancelled ? "\n(cancelled)" : failed ? `\n(exit code ${message.exitCode})` : "";
  const output = quoted(message.output, RESULT_CHARS);
  return `${ran}${output === "" ? "" : `\n${output}`}${state}`;
}

function contentText(content: unknown, maxChars: number): string {
  const parts = contentBlocks(content).map((block) =>
    block.type === "text" ? quoted(block.text, maxChars) : imageText(block),
  );
  return parts.filter((part) => part.trim() !== "").join("\n");
}

function imageText(image: ImageBlock): string {
  return `[image: ${inline(image.mimeType)}, ${Math.ceil((image.data.length * 3) / 4 / 1024)} kB]`;
}

function isImage(value: unknown): value is ImageBlock {
  return typeof value === "object" && value !== null && "data" in value && typeof value.data === "string";
}

/** Every piece of content passes here on its way into the transcript: what must not leave as it is changes here [M3]. */
function quoted(text: unknown, maxChars: number): string {
  if (typeof text !== "string") return "";
  return neutralise(wellFormed(elideMiddle(text, maxChars, (cut) => `\n[... ${cut} characters left out ...]\n`).text));
}

/** A name inside a header or before an arrow: one line, no brackets, and no `#`, which names entries only. */
function inline(name: unknown): string {
  return quoted(name, 200)
    .replace(/[\s[\]#]+/g, " ")
    .trim();
}
