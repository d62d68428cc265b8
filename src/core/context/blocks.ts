import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../session/message.ts";
import { isRecord } from "./record.ts";

/** The text and image blocks of any stored content; a string is one text block, everything else is passed over. */
export function contentBlocks(content: unknown): (TextBlock | ImageBlock)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter((block) => isTextBlock(block) || isImageBlock(block));
}

/** The blocks of an assistant that can be sent: texts, thinking, and calls with an id and a name. */
export function assistantBlocks(content: unknown): AssistantMessage["content"] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter((block) => isTextBlock(block) || isThinkingBlock(block) || isToolCall(block));
}

/** The tool calls of a message, in call order; none unless it is an assistant's. */
export function toolCallsOf(message: Message): ToolCallBlock[] {
  if (message.role !== "assistant" || !Array.isArray(message.content)) return [];
  return message.content.filter(isToolCall);
}

/** The texts of any stored content, joined by newlines. */
export function textOf(content: unknown): string {
  const texts = contentBlocks(content).filter((block) => block.type === "text");
  return texts.map((block) => block.text).join("\n");
}

/** True when `content` has no image and no text but white space. */
export function isBlank(content: unknown): boolean {
  return contentBlocks(content).every((block) => block.type === "text" && isBlankText(block.text));
}

/** True when an assistant says nothing and calls nothing; thinking alone can't be sent. */
export function isBlankAssistant(message: AssistantMessage): boolean {
  return isBlank(message.content) && toolCallsOf(message).length === 0;
}

/** True when a text holds nothing but white space. */
export const isBlankText = (text: string) => !/\S/.test(text);

function isTextBlock(block: unknown): block is TextBlock {
  return isRecord(block) && block.type === "text" && typeof block.text === "string";
}

function isImageBlock(block: unknown): block is ImageBlock {
  return (
    isRecord(block) && block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string"
  );
}

function isThinkingBlock(block: unknown): block is ThinkingBlock {
  return isRecord(block) && block.type === "thinking" && typeof block.thinking === "string";
}

function isToolCall(block: unknown): block is ToolCallBlock {
  if (!isRecord(block) || block.type !== "toolCall") return false;
  return typeof block.id === "string" && block.id !== "" && typeof block.name === "string" && block.name !== "";
}
