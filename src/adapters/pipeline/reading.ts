import type { TokenCounter } from "../../core/context/tokens.ts";
import { estimateMessage } from "../../core/context/tokens.ts";
import type { RoundResult } from "../../core/plan/micro.ts";
import type { AssistantMessage, Message, ToolCallBlock } from "../../core/session/message.ts";
import { type ArrayView, type Block, type Part, plainBlocks } from "./view.ts";

/** One of our messages, and the element of the array in which it begins. */
export interface ReadMessage {
  readonly at: number;
  readonly message: Message;
}

/** A result where it stands: part `index` of the element `at`. */
export interface ReadResult extends RoundResult {
  readonly at: number;
  readonly index: number;
  readonly callId: string;
  readonly text: string;
}

/** An assistant message that calls tools, with their results: the elements from `start` to `end`. */
export interface Round {
  readonly start: number;
  readonly end: number;
  readonly calls: readonly ToolCallBlock[];
}

/** A provider's array in our words; nothing of it is copied back. */
export interface Reading {
  readonly messages: readonly ReadMessage[];
  readonly results: readonly ReadResult[];
  readonly rounds: readonly Round[];
}

type Open = { start: number; end: number; calls: ToolCallBlock[] };
type ResultPart = Extract<Part, { kind: "result" }>;

/** What an array holds: messages, rounds, and the results with the names of their calls. Linear; never throws. */
export function readArray(elements: readonly unknown[], view: ArrayView): Reading {
  const messages: ReadMessage[] = [];
  const results: ReadResult[] = [];
  const rounds: Open[] = [];
  const asked = new Map<string, { call: ToolCallBlock; round: number }>();
  let speaking = null as { start: number; message: AssistantMessage } | null;
  let asking = null as { at: number; content: Block[] } | null;

  function say(at: number, block: AssistantMessage["content"][number]): void {
    if (!speaking) {
      speaking = { start: at, message: { role: "assistant", content: [] } };
      messages.push({ at, message: speaking.message });
    }
    speaking.message.content.push(block);
    if (block.type !== "toolCall") return;
    const current = rounds.at(-1);
    if (current?.start === speaking.start) {
      current.calls.push(block);
      current.end = at;
    } else rounds.push({ start: speaking.start, end: at, calls: [block] });
    asked.set(block.id, { call: block, round: rounds.length - 1 });
  }

  function answer(at: number, part: ResultPart): void {
    const question = asked.get(part.callId);
    const name = part.toolName ?? question?.call.name ?? "tool";
    const content = plainBlocks(part.blocks);
    messages.push({
      at,
      message: { role: "toolResult", toolCallId: part.callId, toolName: name, content, isError: part.isError },
    });
    const round = question?.round ?? rounds.length - 1;
    const owner = rounds[round];
    if (owner) owner.end = Math.max(owner.end, at);
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    const length = content.reduce((sum, block) => sum + (block.type === "text" ? block.text : block.data).length, 0);
    const call = question && { call: question.call };
    results.push({ at, index: part.index, callId: part.callId, name, ...call, text, length, round });
  }

  for (const [at, element] of elements.entries()) {
    for (const part of view.parts(element)) {
      if (part.kind !== "assistant") speaking = null;
      if (part.kind !== "user") asking = null;
      switch (part.kind) {
        case "assistant":
          say(at, part.block);
          break;
        case "result":
          answer(at, part);
          break;
        case "system":
          messages.push({ at, message: { role: "system", content: part.text } });
          break;
        default:
          if (asking?.at !== at) {
            asking = { at, content: [] };
            messages.push({ at, message: { role: "user", content: asking.content } });
          }
          asking.content.push(part.block);
      }
    }
  }
  return { messages, results, rounds };
}

/** Estimated tokens of an array by `counter`. */
export function readTokens({ messages }: Reading, counter: TokenCounter): number {
  return messages.reduce((sum, { message }) => sum + estimateMessage(message, counter), 0);
}
