import type { StopReason, Usage } from "../core/session/message.ts";

/** How much a model may think before it writes; what a model does not know is brought to its nearest. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high";

/** One request: text in, text out, no tools. */
export interface ModelRequest {
  readonly systemPrompt: string;
  readonly prompt: string;
  /** Of the whole reply, thinking included. */
  readonly maxTokens: number;
  /** Default `off`. */
  readonly thinking?: ThinkingLevel;
}

/** What came of a request. `usage.cost` is in US dollars where prices are known. */
export type ModelReply =
  | {
      readonly kind: "reply";
      readonly text: string;
      readonly stopReason: Exclude<StopReason, "error" | "aborted">;
      /** How many tools the model called; nothing was offered, so each is one too many. */
      readonly toolCalls: number;
      readonly usage?: Usage;
    }
  | {
      readonly kind: "failed";
      /** What happened, for people; without keys. */
      readonly message: string;
      /** Of HTTP, when there was an answer. */
      readonly status?: number;
      /** The provider's or the system's name for it: `context_length_exceeded`, `ECONNREFUSED`, `TIMEOUT`. */
      readonly code?: string;
      readonly retryAfterMs?: number;
      readonly usage?: Usage;
    }
  | { readonly kind: "aborted"; readonly usage?: Usage };

/**
 * A language model that writes text.
 *
 * `complete` always settles, an aborted signal at once and to the server's knowledge. It does not retry.
 */
export interface Model {
  /** `provider/model`, as it is stored with what it wrote. */
  readonly id: string;
  readonly provider: string;
  /** Tokens of request and reply together. */
  readonly contextWindow: number;
  /** The longest reply, in tokens. */
  readonly maxTokens: number;
  /** It may think though it was not asked to, at the reply's expense. */
  readonly reasoning?: boolean;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
