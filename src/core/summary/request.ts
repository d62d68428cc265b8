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
  /** What stays verbatim after the cut: for the short summary, and so that a summary need not repeat it. */
  readonly kept?: readonly ContextMessage[];
}

/** What a summariser answers. It never throws for what a model or network does. */
export type SummaryReply =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly method: SummaryMethod;
      readonly model?: string;
      readonly usage?: Usage;
      /** Merged into the entry's `details`, handed back as `previous.details` at the next compaction. */
      readonly details?: SummaryDetails;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly retryable: boolean; readonly cause?: unknown }
  | { readonly kind: "aborted" };
