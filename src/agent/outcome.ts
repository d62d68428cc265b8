import type { AssistantMessage, ImageBlock, TextBlock, UserMessage } from "../core/session/message.ts";
import type { EspalierError } from "../errors.ts";

/** What a user says: a text, or blocks of text and images. */
export type Input = string | readonly (TextBlock | ImageBlock)[];

/** How a turn ended. It never rejects: whoever asked gets an answer or the reason why there is none. */
export type TurnOutcome =
  /** `reply` ends the turn; what it called was done. */
  | { readonly status: "answered"; readonly reply: AssistantMessage }
  /** Stopped by `abort`, or given back by it before it was delivered. */
  | { readonly status: "aborted" }
  /** `REQUEST_FAILED`, `CONTEXT_FULL`, or what the store says. What was stored stays. */
  | { readonly status: "failed"; readonly error: EspalierError }
  /** `continue` had nothing to go on with. */
  | { readonly status: "nothing"; readonly because: "answered" | "empty" };

/** The message that `input` is. Throws `TypeError` for what is no input, and for one without text and images. */
export function userMessage(input: Input, timestamp: number): UserMessage {
  const isInput = typeof input === "string" || (Array.isArray(input) && input.every(isBlock));
  if (!isInput) throw new TypeError("An agent is given a text, or blocks of text and images.");
  const isEmpty = typeof input === "string" ? input.trim() === "" : input.length === 0;
  if (isEmpty) throw new TypeError("An agent is given a text that is not empty.");
  const content = typeof input === "string" ? [{ type: "text" as const, text: input }] : [...input];
  return { role: "user", content, timestamp };
}

function isBlock(block: unknown): block is TextBlock | ImageBlock {
  const { type, text, data } = (block ?? {}) as Record<string, unknown>;
  return type === "text" ? typeof text === "string" : type === "image" && typeof data === "string";
}
