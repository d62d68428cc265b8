import type {
  AssistantMessage,
  ImageBlock,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
} from "../../core/session/message.ts";
import type { Raw } from "./lines.ts";
import { blocksOf, isSynthetic, objectOf, objectsOf, textOf } from "./lines.ts";
import type { Result, Unit } from "./units.ts";

/** One API message from all its lines; usage and stop reason are the last line's, which has the final count. */
export function assistantMessage(unit: Unit, modelInForce: string): AssistantMessage {
  const last = unit.lines.at(-1)!;
  const message = objectOf(last.raw.message);
  const content = unit.lines.flatMap((line) => blocksOf(line.raw).map(assistantBlock));
  const spoken = { role: "assistant", content, api: "anthropic-messages", provider: "anthropic" } as const;
  const timestamp = milliseconds(unit.lines[0]!.timestamp);
  if (isSynthetic(last.raw)) {
    const errorMessage = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    return { ...spoken, model: modelInForce, usage: usageOf({}), stopReason: "error", errorMessage, timestamp };
  }
  const model = textOf(message.model) || modelInForce;
  return {
    ...spoken,
    model,
    usage: usageOf(objectOf(message.usage)),
    stopReason: stopReason(message, content),
    timestamp,
  };
}

/** `name` is that of the call, which Claude Code does not repeat beside the result. */
export function toolResult(result: Result, name: string): ToolResultMessage {
  const { block, line } = result;
  return {
    role: "toolResult",
    toolCallId: textOf(block.tool_use_id),
    toolName: name,
    content: userBlocks(
      typeof block.content === "string" ? [{ type: "text", text: block.content }] : objectsOf(block.content),
    ),
    isError: block.is_error === true,
    timestamp: milliseconds(line.timestamp),
  };
}

/** Text and images stay; what has no place in a message becomes a text that says what stood there. */
export function userBlocks(blocks: readonly Raw[]): (TextBlock | ImageBlock)[] {
  return blocks.filter((block) => block.type !== "text" || textOf(block.text) !== "").map(userBlock);
}

/** Milliseconds since the epoch; 0 for what is no date. */
export function milliseconds(timestamp: string): number {
  const ms = Date.parse(timestamp);
  return Number.isFinite(ms) ? ms : 0;
}

function userBlock(block: Raw): TextBlock | ImageBlock {
  const source = objectOf(block.source);
  switch (block.type) {
    case "text":
      return { type: "text", text: textOf(block.text) };
    case "image":
      if (typeof source.data === "string") {
        return { type: "image", data: source.data, mimeType: textOf(source.media_type) || "image/png" };
      }
      return { type: "text", text: `[image: ${textOf(source.url) || "not stored"}]` };
    case "document":
      if (source.type === "text") return { type: "text", text: textOf(source.data) };
      return { type: "text", text: `[document: ${documentName(block, source)}]` };
    default:
      return otherBlock(block);
  }
}

function documentName(block: Raw, source: Raw): string {
  const size =
    typeof source.data === "string" ? `${Math.floor((source.data.length * 3) / 4)} bytes` : textOf(source.url);
  return [textOf(block.title), textOf(source.media_type), size].filter((part) => part !== "").join(", ");
}

function assistantBlock(block: Raw): TextBlock | ThinkingBlock | ToolCallBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: textOf(block.text) };
    case "thinking":
      return signed({ type: "thinking", thinking: textOf(block.thinking) }, block.signature);
    case "redacted_thinking":
      return {
        type: "thinking",
        thinking: "[Reasoning redacted]",
        thinkingSignature: textOf(block.data),
        redacted: true,
      };
    case "tool_use":
      return { type: "toolCall", id: textOf(block.id), name: textOf(block.name), arguments: objectOf(block.input) };
    default:
      return otherBlock(block);
  }
}

/** The signature stays as it is: the provider checks it. */
function signed(block: ThinkingBlock, signature: unknown): ThinkingBlock {
  return typeof signature === "string" && signature !== "" ? { ...block, thinkingSignature: signature } : block;
}

function otherBlock(block: Raw): TextBlock {
  return { type: "text", text: `[${textOf(block.type) || "block"}] ${JSON.stringify(block)}` };
}

function stopReason(message: Raw, content: AssistantMessage["content"]): StopReason {
  if (message.stop_reason === "max_tokens" || message.stop_reason === "model_context_window_exceeded") return "length";
  return content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
}

/** Costs are not in the file; pi needs the field. */
function usageOf(usage: Raw): Usage {
  const input = tokens(usage.input_tokens);
  const output = tokens(usage.output_tokens);
  const cacheRead = tokens(usage.cache_read_input_tokens);
  const cacheWrite = tokens(usage.cache_creation_input_tokens);
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost };
}

function tokens(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
