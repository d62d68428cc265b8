import { assistantBlocks, contentBlocks } from "../context/blocks.ts";
import { fitted } from "../context/fit.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolCallBlock } from "../session/message.ts";
import { safeJson } from "./json.ts";
import { BLOCK_CHARS, RESULT_CHARS, transcriptTokens } from "./transcript-size.ts";

/** Of a text, what there is room for. */
type Take = (text: string, chars?: number) => string;

/** What the sign of a cut takes, so that nobody cuts the cut text again. */
const MARK = 64;

/**
 * `message` with its texts cut so that a transcript shows it in at most `maxTokens`: head and tail of each stay.
 *
 * Earlier blocks go before later ones; a block that is left no room is left out. The roles and names stay.
 */
export function truncateMessage(message: Message, maxTokens: number, counter: TokenCounter): Message {
  const bare = rebuilt(message, () => "");
  let room = maxTokens - transcriptTokens(bare, counter);
  while (room > 0) {
    const short = withRoom(message, room, counter);
    const over = transcriptTokens(short, counter) - maxTokens;
    if (over <= 0) return short;
    // Names of arguments and what JSON escapes are counted only when they are written.
    room -= Math.max(over, Math.ceil(room / 10));
  }
  return bare;
}

function withRoom(message: Message, room: number, counter: TokenCounter): Message {
  let left = room;
  return rebuilt(message, (text, chars = BLOCK_CHARS) => {
    const taken = fitted(text, left, counter, text.length <= chars ? chars : chars - MARK);
    left -= counter.count(taken);
    return taken;
  });
}

function rebuilt(message: Message, take: Take): Message {
  switch (message.role) {
    case "user":
    case "developer":
    case "custom":
      return { ...message, content: blocks(contentBlocks(message.content), take, BLOCK_CHARS) };
    case "toolResult":
      return { ...message, content: blocks(contentBlocks(message.content), take, RESULT_CHARS) };
    case "assistant":
      return { ...message, content: spoken(assistantBlocks(message.content), take) };
    case "branchSummary":
    case "compactionSummary":
      return { ...message, summary: take(String(message.summary)) };
    case "bashExecution":
      return { ...message, command: take(String(message.command)), output: take(String(message.output), RESULT_CHARS) };
    case "pythonExecution":
      return { ...message, code: take(String(message.code)), output: take(String(message.output), RESULT_CHARS) };
    case "fileMention": {
      const files = Array.isArray(message.files) ? message.files : [];
      return { ...message, files: files.map(({ path, content }) => ({ path, content: take(String(content ?? "")) })) };
    }
    default:
      return message;
  }
}

function blocks(content: readonly (TextBlock | ImageBlock)[], take: Take, chars: number): TextBlock[] {
  return content.flatMap((block) => {
    const text = block.type === "text" ? take(block.text, chars) : "";
    return text === "" ? [] : [{ type: "text" as const, text }];
  });
}

function spoken(content: AssistantMessage["content"], take: Take): AssistantMessage["content"] {
  return content.flatMap((block): AssistantMessage["content"] => {
    if (block.type === "toolCall") return [{ ...block, arguments: shortened(block, take) }];
    const text = block.type === "text" ? take(block.text) : "";
    return text === "" ? [] : [{ type: "text", text }];
  });
}

function shortened({ arguments: args }: ToolCallBlock, take: Take): Record<string, unknown> {
  const short = Object.entries(args ?? {}).map(([name, value]) => {
    return [name, take(typeof value === "string" ? value : safeJson(value))] as const;
  });
  return Object.fromEntries(short.filter(([, text]) => text !== ""));
}
