import type { ContextMessage } from "../core/context/projection.ts";
import { convertToLlm } from "../core/context/render.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../core/session/message.ts";
import { type CallIds, callName, createCallIds } from "./call-names.ts";
import { assistantContent, imagesOf, joinedText, NO_OUTPUT, sendableBlocks, signatureOf } from "./parts.ts";

type TextPart = { type: "text"; text: string };
type ImagePart = { type: "image"; image: string; mediaType: string };
type AssistantPart =
  | TextPart
  | { type: "reasoning"; text: string; providerOptions: { anthropic: { signature: string } } }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: Record<string, unknown> };
type ToolPart = {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
};

export type AiSdkMessage =
  | { role: "user"; content: (TextPart | ImagePart)[] }
  | { role: "assistant"; content: AssistantPart[] }
  | { role: "tool"; content: ToolPart[] };

/** What `generateText` takes: newer versions refuse system messages in the list and call `system` `instructions`. */
export interface AiSdkRequest {
  system?: string;
  messages: AiSdkMessage[];
}

/**
 * The context as ModelMessages of the AI SDK, version 5 and newer [X5].
 *
 * The results of one assistant message make one `tool` message; their images follow in a user message. Reasoning goes
 * along where an Anthropic model signed it.
 */
export function toAiSdk(messages: readonly (ContextMessage | Message)[]): AiSdkRequest {
  const ids = createCallIds(64);
  const request: AiSdkRequest = { messages: [] };
  let images: ImageBlock[] = [];

  function flushImages(): void {
    if (images.length > 0) request.messages.push({ role: "user", content: [resultImages, ...images.map(partOf)] });
    images = [];
  }

  for (const message of convertToLlm(messages)) {
    if (message.role !== "toolResult") flushImages();
    switch (message.role) {
      case "system":
        if (typeof message.content === "string" && message.content.trim() !== "") request.system = message.content;
        break;
      case "user": {
        const content = sendableBlocks(message.content).map(partOf);
        if (content.length > 0) request.messages.push({ role: "user", content });
        break;
      }
      case "assistant":
        request.messages.push({ role: "assistant", content: assistantParts(message, ids) });
        break;
      default: {
        const blocks = sendableBlocks(message.content);
        for (const image of imagesOf(blocks)) images.push(image);
        const last = request.messages.at(-1);
        const part = resultPart(message, blocks, ids);
        if (last?.role === "tool") last.content.push(part);
        else request.messages.push({ role: "tool", content: [part] });
      }
    }
  }
  flushImages();
  return request;
}

const resultImages: TextPart = { type: "text", text: "Images of the tool results above:" };

function partOf(block: TextBlock | ImageBlock): TextPart | ImagePart {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image", image: block.data, mediaType: block.mimeType };
}

function resultPart(message: ToolResultMessage, blocks: readonly (TextBlock | ImageBlock)[], ids: CallIds): ToolPart {
  const value = joinedText(blocks, imagesOf(blocks).length > 0 ? "(the image follows)" : NO_OUTPUT);
  return {
    type: "tool-result",
    toolCallId: ids.forResult(message.toolCallId),
    toolName: callName(typeof message.toolName === "string" && message.toolName !== "" ? message.toolName : "tool"),
    output: { type: message.isError ? "error-text" : "text", value },
  };
}

function assistantParts(message: AssistantMessage, ids: CallIds): AssistantPart[] {
  const fromAnthropic = message.api === "anthropic-messages" || message.provider === "anthropic";
  const parts: AssistantPart[] = [];
  for (const block of assistantContent(message)) {
    switch (block.type) {
      case "text":
        parts.push({ type: "text", text: block.text });
        break;
      case "thinking": {
        const signature = fromAnthropic && !block.redacted ? signatureOf(block) : null;
        if (signature === null) break;
        parts.push({ type: "reasoning", text: block.thinking, providerOptions: { anthropic: { signature } } });
        break;
      }
      default:
        parts.push({
          type: "tool-call",
          toolCallId: ids.forCall(block.id),
          toolName: callName(block.name),
          input: block.arguments,
        });
    }
  }
  while (parts.at(-1)?.type === "reasoning") parts.pop();
  return parts;
}
