import type { LlmMessage, Message } from "../session/message.ts";
import { countByScript } from "./count-by-script.ts";
import type { ContextMessage } from "./projection.ts";
import { renderMessage } from "./render.ts";

/** Counts the tokens of a text. Pure, linear in the text's length, never throws. */
export interface TokenCounter {
  /** Shown beside figures: `script`, `chars4`, `o200k`. */
  readonly name: string;
  count(text: string): number;
}

/** What providers charge for an image of usual size. */
export const IMAGE_TOKENS = 1200;

/** Role marks and separators around each message. */
const MESSAGE_OVERHEAD = 4;

/** The default: Latin about four characters a token, other scripts by their own measured rates [T1]. */
export const scriptCounter: TokenCounter = { name: "script", count: countByScript };

/** Four characters a token, for comparison with other systems: half or a quarter of the truth in CJK [T1]. */
export const chars4: TokenCounter = {
  name: "chars4",
  count: (text) => Math.ceil(text.length / 4),
};

/**
 * Estimated tokens of one message as `convertToLlm` will send it [T1].
 *
 * Images count 1,200; a tool call its name and JSON arguments; thinking only where a signature lets it be sent again.
 * What is left out (excluded executions, unknown roles) counts 0.
 */
export function estimateMessage(message: Message, counter: TokenCounter): number {
  const rendered = renderMessage(message);
  return rendered ? MESSAGE_OVERHEAD + contentTokens(rendered, counter) : 0;
}

/** Estimated tokens of all messages together [T1]. */
export function estimateContext(messages: readonly (ContextMessage | Message)[], counter: TokenCounter): number {
  let total = 0;
  for (const item of messages) total += estimateMessage("role" in item ? item : item.message, counter);
  return total;
}

function contentTokens(message: LlmMessage, counter: TokenCounter): number {
  if (typeof message.content === "string") {
    const tools = message.role === "system" && message.toolsAdded ? counter.count(jsonOf(message.toolsAdded)) : 0;
    return counter.count(message.content) + tools;
  }
  let total = 0;
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        total += counter.count(block.text);
        break;
      case "image":
        total += IMAGE_TOKENS;
        break;
      case "thinking":
        total += thinkingTokens(block.thinking, block.thinkingSignature, counter);
        break;
      default:
        total += MESSAGE_OVERHEAD + counter.count(block.name) + counter.count(jsonOf(block.arguments));
    }
  }
  return total;
}

/** Redacted thinking has no text; its cipher is about as long as what it hides. */
function thinkingTokens(thinking: string, signature: unknown, counter: TokenCounter): number {
  if (typeof signature !== "string" || signature === "") return 0;
  return thinking === "" ? Math.ceil(signature.length / 4) : counter.count(thinking);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
