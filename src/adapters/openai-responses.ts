import type { ContextMessage, ModelRef } from "../core/context/projection.ts";
import { convertToLlm } from "../core/context/render.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock, ThinkingBlock } from "../core/session/message.ts";
import { type CallIds, callName, createCallIds } from "./call-names.ts";
import { assistantContent, dataUrl, imagesOf, joinedText, NO_OUTPUT, sendableBlocks, signatureOf } from "./parts.ts";

type InputPart = { type: "input_text"; text: string } | { type: "input_image"; detail: "auto"; image_url: string };

export type ResponsesItem =
  | { role: "system"; content: string }
  | { role: "user"; content: InputPart[] }
  | { role: "assistant"; content: string }
  | { type: "reasoning"; summary: unknown[]; encrypted_content: string }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | InputPart[] };

/**
 * The context as input items of the OpenAI Responses API, without ids of stored items [X5].
 *
 * Encrypted reasoning of that API goes along with the item it belongs to; with `target` only that model's own.
 */
export function toOpenAiResponses(
  messages: readonly (ContextMessage | Message)[],
  target: ModelRef | null = null,
): { messages: ResponsesItem[] } {
  const ids = createCallIds(64);
  const items: ResponsesItem[] = [];
  for (const message of convertToLlm(messages)) {
    switch (message.role) {
      case "system":
        if (typeof message.content === "string" && message.content.trim() !== "") {
          items.push({ role: "system", content: message.content });
        }
        break;
      case "user": {
        const blocks = sendableBlocks(message.content);
        if (blocks.length > 0) items.push({ role: "user", content: blocks.map(partOf) });
        break;
      }
      case "assistant":
        for (const item of assistantItems(message, ids, target)) items.push(item);
        break;
      default: {
        const blocks = sendableBlocks(message.content);
        const output = imagesOf(blocks).length > 0 ? blocks.map(partOf) : joinedText(blocks, NO_OUTPUT);
        items.push({ type: "function_call_output", call_id: ids.forResult(message.toolCallId), output });
      }
    }
  }
  return { messages: items };
}

function partOf(block: TextBlock | ImageBlock): InputPart {
  if (block.type === "text") return { type: "input_text", text: block.text };
  return { type: "input_image", detail: "auto", image_url: dataUrl(block) };
}

function assistantItems(message: AssistantMessage, ids: CallIds, target: ModelRef | null): ResponsesItem[] {
  const items: ResponsesItem[] = [];
  for (const block of assistantContent(message)) {
    switch (block.type) {
      case "text":
        items.push({ role: "assistant", content: block.text });
        break;
      case "thinking": {
        const reasoning = isOwnReasoning(message, target) ? reasoningOf(block) : null;
        if (reasoning) items.push(reasoning);
        break;
      }
      default:
        items.push({
          type: "function_call",
          call_id: ids.forCall(block.id),
          name: callName(block.name),
          arguments: JSON.stringify(block.arguments),
        });
    }
  }
  while (isReasoning(items.at(-1))) items.pop();
  return items;
}

const isReasoning = (item: ResponsesItem | undefined) =>
  item !== undefined && "type" in item && item.type === "reasoning";

function isOwnReasoning({ api, provider, model }: AssistantMessage, target: ModelRef | null): boolean {
  if (target && (provider !== target.provider || model !== target.modelId)) return false;
  return typeof api === "string" && api.endsWith("responses");
}

/** pi keeps the whole reasoning item as JSON in the signature. */
function reasoningOf(block: ThinkingBlock): ResponsesItem | null {
  try {
    const item = JSON.parse(signatureOf(block) ?? "null") as { encrypted_content?: unknown; summary?: unknown } | null;
    if (typeof item?.encrypted_content !== "string") return null;
    const summary = Array.isArray(item.summary) ? item.summary : [];
    return { type: "reasoning", summary, encrypted_content: item.encrypted_content };
  } catch {
    return null;
  }
}
