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

/** The message that `input` is. */
export function userMessage(input: Input, timestamp: number): UserMessage {
  const content = typeof input === "string" ? [{ type: "text" as const, text: input }] : [...input];
  return { role: "user", content, timestamp };
}
