import type { StreamFn } from "@earendil-works/pi-agent-core";
import type { Api, Model as PiModel } from "@earendil-works/pi-ai";

/**
 * A language model that holds a conversation with tools, for an agent's loop.
 *
 * `stream` never throws: what goes wrong is the reply's `errorMessage`, without keys, and where HTTP said them its
 * `errorStatus`, `errorCode` and `retryAfterMs`. An aborted signal ends it at once. It does not retry.
 */
export interface ChatModel {
  /** `provider/model`. */
  readonly id: string;
  readonly provider: string;
  readonly modelId: string;
  /** Tokens of request and reply together. */
  readonly contextWindow: number;
  /** The longest reply, in tokens. */
  readonly maxTokens: number;
  /** How the package pi-ai describes it; the loop hands it back to `stream`. */
  readonly definition: PiModel<Api>;
  readonly stream: StreamFn;
}

/** What a failed reply says of its cause, beside `errorMessage`. */
export interface ReplyFailure {
  readonly errorStatus?: number;
  readonly errorCode?: string;
  readonly retryAfterMs?: number;
}
