import type { ContextMessage } from "../core/context/projection.ts";
import { convertToLlm } from "../core/context/render.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../core/session/message.ts";
import { type CallIds, callName, createCallIds } from "./call-names.ts";
import { assistantContent, dataUrl, imagesOf, joinedText, NO_OUTPUT, sendableBlocks } from "./parts.ts";

type ChatPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ChatPart[] }
  | {
      role: "assistant";
      content: string | null;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };

/**
 * The context as OpenAI Chat Completions messages [X5].
 *
 * Each call is answered by one `tool` message before anything else; images of results follow their batch in a user
 * message, since tool messages hold text only. Thinking is not sent. Ids have at most 40 characters.
 */
export function toOpenAiChat(messages: readonly (ContextMessage | Message)[]): { messages: ChatMessage[] } {
  const ids = createCallIds(40);
  const chat: ChatMessage[] = [];
  let images: ImageBlock[] = [];

  function flushImages(): void {
    if (images.length > 0) chat.push({ role: "user", content: [resultImages, ...images.map(partOf)] });
    images = [];
  }

  for (const message of convertToLlm(messages)) {
    if (message.role !== "toolResult") flushImages();
    switch (message.role) {
      case "system":
        if (typeof message.content === "string" && message.content.trim() !== "") {
          chat.push({ role: "system", content: message.content });
        }
        break;
      case "user": {
        const blocks = sendableBlocks(message.content);
        if (blocks.length > 0) chat.push({ role: "user", content: userContent(blocks) });
        break;
      }
      case "assistant":
        chat.push(assistantMessage(message, ids));
        break;
      default: {
        const blocks = sendableBlocks(message.content);
        const here = imagesOf(blocks);
        const content = joinedText(blocks, here.length > 0 ? "(the image follows)" : NO_OUTPUT);
        chat.push({ role: "tool", tool_call_id: ids.forResult(message.toolCallId), content });
        for (const image of here) images.push(image);
      }
    }
  }
  flushImages();
  return { messages: chat };
}

const resultImages: ChatPart = { type: "text", text: "Images of the tool results above:" };

function userContent(blocks: readonly (TextBlock | ImageBlock)[]): string | ChatPart[] {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" ? only.text : blocks.map(partOf);
}

function partOf(block: TextBlock | ImageBlock): ChatPart {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image_url", image_url: { url: dataUrl(block) } };
}

function assistantMessage(message: AssistantMessage, ids: CallIds): ChatMessage {
  const content = assistantContent(message);
  const texts = content.filter((block) => block.type === "text").map((block) => block.text);
  const calls = content.filter((block) => block.type === "toolCall");
  const tool_calls = calls.map((call) => ({
    id: ids.forCall(call.id),
    type: "function" as const,
    function: { name: callName(call.name), arguments: JSON.stringify(call.arguments) },
  }));
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("\n") : null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}
