import { renderMessage } from "../context/render.ts";
import { elideMiddle } from "../context/text.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { Message } from "../session/message.ts";
import { safeJson } from "./json.ts";

/** How many characters of a tool's output a transcript shows, and of any other block [M2]. */
export const RESULT_CHARS = 2_000;
export const BLOCK_CHARS = 8_000;

/** The header of a paragraph, and the line that stands for an image. */
const HEADER = 4;
const IMAGE_LINE = 12;

/**
 * Estimated tokens of a message as a transcript for a summariser shows it: long blocks cut, images named, no thinking.
 *
 * What a model is never sent counts 0.
 */
export function transcriptTokens(message: Message, counter: TokenCounter): number {
  const rendered = renderMessage(withCutOutput(message));
  if (!rendered) return 0;
  const most = message.role === "toolResult" ? RESULT_CHARS : BLOCK_CHARS;
  const count = (text: string, chars = most) => counter.count(cut(text, chars));
  if (typeof rendered.content === "string") return HEADER + count(rendered.content);
  let total = HEADER;
  for (const block of rendered.content) {
    switch (block.type) {
      case "text":
        total += count(block.text);
        break;
      case "image":
        total += IMAGE_LINE;
        break;
      case "toolCall":
        total += HEADER + counter.count(block.name) + count(safeJson(block.arguments));
        break;
      default:
    }
  }
  return total;
}

function withCutOutput(message: Message): Message {
  if (message.role !== "bashExecution" && message.role !== "pythonExecution") return message;
  return typeof message.output === "string" ? { ...message, output: cut(message.output, RESULT_CHARS) } : message;
}

const cut = (text: string, chars: number) => elideMiddle(text, chars).text;
