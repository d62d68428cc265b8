import type { Usage } from "../core/session/message.ts";
import type { SummaryReply, SummaryRequest } from "../core/summary/request.ts";

/** What a summariser tells while it works [M12]. `model` is the id of whoever is asked. */
export type SummaryProgress =
  /** A request goes out; `chunk` counts from 1 where the conversation takes several. */
  | { readonly kind: "asking"; readonly model: string; readonly chunk?: number; readonly chunks?: number }
  /** An answer is here, usable or not. */
  | { readonly kind: "answered"; readonly model: string; readonly usage?: Usage }
  /** It did not work; what comes next. `waitMs` goes with a retry. */
  | {
      readonly kind: "failed";
      readonly model: string;
      readonly reason: string;
      readonly next: "retry" | "shorter" | "other";
      readonly waitMs?: number;
    };

/**
 * Writes a summary: by a model, over the network, or by the embedded extractor.
 *
 * `summarize` always settles: what goes wrong is a `failed` reply, an aborted signal an `aborted` one. What it
 * throws all the same is taken as a failure [M6]. `fallback` composes several behind this same port [M7].
 */
export interface Summarizer {
  /** Shown to the user and stored with the entry: `embedded`, `anthropic/claude-sonnet-4-5`. */
  readonly id: string;
  summarize(
    request: SummaryRequest,
    signal: AbortSignal,
    report?: (progress: SummaryProgress) => void,
  ): Promise<SummaryReply>;
}
