import type { ContextMessage, ModelRef } from "../core/context/projection.ts";
import { convertToLlm } from "../core/context/render.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../core/session/message.ts";
import { type CallIds, callName, createCallIds } from "./call-names.ts";
import { assistantContent, imagesOf, joinedText, NO_OUTPUT, sendableBlocks, signatureOf } from "./parts.ts";

type AnthropicText = { type: "text"; text: string };
type AnthropicImage = { type: "image"; source: { type: "base64"; media_type: string; data: string } };

export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content: (AnthropicText | AnthropicImage)[]; is_error?: true };

export interface AnthropicMessage {
  role: "user" | "assistant";
  content: AnthropicBlock[];
}

/** The parts of a Messages API request that hold the conversation. */
export interface AnthropicRequest {
  system?: string;
  messages: AnthropicMessage[];
}

/**
 * The context as an Anthropic Messages request [X5].
 *
 * Messages of the same role are merged; the results of a batch come first in the user message after their calls.
 * Thinking goes along where an Anthropic model signed it; with `target` only that model's own. Images of a failed
 * call stand after the results, since a result marked as error may not hold them.
 */
export function toAnthropic(
  messages: readonly (ContextMessage | Message)[],
  target: ModelRef | null = null,
): AnthropicRequest {
  const ids = createCallIds(64);
  const request: AnthropicRequest = { messages: [] };
  let afterResults: AnthropicBlock[] = [];

  function add(role: AnthropicMessage["role"], blocks: readonly AnthropicBlock[]): void {
    if (blocks.length === 0) return;
    const last = request.messages.at(-1);
    if (last?.role !== role) request.messages.push({ role, content: [...blocks] });
    else for (const block of blocks) last.content.push(block);
  }

  for (const message of convertToLlm(messages)) {
    if (message.role !== "toolResult") {
      add("user", afterResults);
      afterResults = [];
    }
    switch (message.role) {
      case "system":
        if (typeof message.content === "string" && message.content.trim() !== "") request.system = message.content;
        break;
      case "user":
        add("user", sendableBlocks(message.content).map(blockOf));
        break;
      case "assistant":
        add("assistant", assistantBlocks(message, ids, target));
        break;
      default: {
        const { result, images } = resultBlock(message, ids);
        add("user", [result]);
        for (const image of images) afterResults.push(image);
      }
    }
  }
  add("user", afterResults);
  return request;
}

function blockOf(block: TextBlock | ImageBlock): AnthropicText | AnthropicImage {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } };
}

function resultBlock(message: ToolResultMessage, ids: CallIds): { result: AnthropicBlock; images: AnthropicImage[] } {
  const blocks = sendableBlocks(message.content);
  const tool_use_id = ids.forResult(message.toolCallId);
  if (!message.isError) {
    const content = blocks.length > 0 ? blocks.map(blockOf) : [{ type: "text" as const, text: NO_OUTPUT }];
    return { result: { type: "tool_result", tool_use_id, content }, images: [] };
  }
  const images = imagesOf(blocks);
  const text = joinedText(blocks, images.length > 0 ? "(the image follows)" : NO_OUTPUT);
  const result: AnthropicBlock = {
    type: "tool_result",
    tool_use_id,
    content: [{ type: "text", text }],
    is_error: true,
  };
  return { result, images: images.map((image) => blockOf(image) as AnthropicImage) };
}

function assistantBlocks(message: AssistantMessage, ids: CallIds, target: ModelRef | null): AnthropicBlock[] {
  const withThinking = isOwnThinking(message, target);
  const blocks: AnthropicBlock[] = [];
  for (const block of assistantContent(message)) {
    switch (block.type) {
      case "text":
        blocks.push({ type: "text", text: block.text });
        break;
      case "thinking": {
        const signature = withThinking ? signatureOf(block) : null;
        if (signature === null) break;
        if (block.redacted) blocks.push({ type: "redacted_thinking", data: signature });
        else blocks.push({ type: "thinking", thinking: block.thinking, signature });
        break;
      }
      default:
        blocks.push({
          type: "tool_use",
          id: ids.forCall(block.id),
          name: callName(block.name),
          input: block.arguments,
        });
    }
  }
  while (blocks.at(-1)?.type === "thinking" || blocks.at(-1)?.type === "redacted_thinking") blocks.pop();
  return blocks;
}

function isOwnThinking({ api, provider, model }: AssistantMessage, target: ModelRef | null): boolean {
  if (target) return provider === target.provider && model === target.modelId;
  return api === undefined ? provider === undefined || provider === "anthropic" : api === "anthropic-messages";
}
