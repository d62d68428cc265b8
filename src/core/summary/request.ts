import type { Warning } from "../../errors.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { SummaryDetails, SummaryMethod } from "../session/entry.ts";
import type { Usage } from "../session/message.ts";

/** Which prompt is used and which part of the stored text comes back [M1]. */
export type SummaryKind = "history" | "turn-prefix" | "branch" | "short";

/**
 * One request for a summary, as data: any summariser can serve it, with a model or without.
 *
 * `messages` are what is replaced, oldest first. `maxTokens` caps the reply [M10]. `previous` is the summary in force,
 * stripped of what the engine added to it [M10], with the details stored beside it.
 */
export interface SummaryRequest {
  readonly kind: SummaryKind;
  readonly messages: readonly ContextMessage[];
  readonly previous?: { readonly summary: string; readonly details?: SummaryDetails };
  /** The user's words about what to keep. */
  readonly focus?: string;
  /** Replaces the base prompt. */
  readonly prompt?: string;
  /** Lines of `<additional-context>` given by hooks. */
  readonly context?: readonly string[];
  readonly maxTokens: number;
  /** The session's working folder: paths below it may be told from there. */
  readonly cwd?: string;
  /** What stays verbatim after the cut: for the short summary, and so that a summary need not repeat it. */
  readonly kept?: readonly ContextMessage[];
  /** When a turn is split, the messages of the other request: its early part for the history, and the other way round. */
  readonly beside?: readonly ContextMessage[];
  /** Why the last answer to this request was not used, as a sentence; a shorter one is asked for [M6]. */
  readonly retry?: string;
}

/** Why no summary came: the classes of errors [T4], a reply that was not accepted [M6], or one that took too long. */
export type SummaryFailure =
  | "overflow"
  | "rate-limit"
  | "auth"
  | "transient"
  | "payload"
  | "timeout"
  | "unaccepted"
  | "other"
  | "too-small";

/** What one request to a model cost; `model` is `provider/id` [M12]. */
export interface Spent {
  readonly model: string;
  readonly usage: Usage;
}

/** What a summariser answers. It never throws for what a model or network does. */
export type SummaryReply =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly method: SummaryMethod;
      readonly model?: string;
      /** Of all requests that this text is made from [M12]. */
      readonly usage?: Usage;
      /** Requests that came to nothing on the way here. */
      readonly spent?: readonly Spent[];
      readonly warnings?: readonly Warning[];
      /** Merged into the entry's `details`, handed back as `previous.details` at the next compaction. */
      readonly details?: SummaryDetails;
    }
  | {
      readonly kind: "failed";
      /** A sentence that says what happened, without secrets. */
      readonly reason: string;
      /** The same request may succeed when it is sent again. */
      readonly retryable: boolean;
      /** `other` when absent. */
      readonly failure?: SummaryFailure;
      /** How long the server asks to wait. */
      readonly retryAfterMs?: number;
      readonly spent?: readonly Spent[];
      readonly cause?: unknown;
    }
  | { readonly kind: "aborted" };
