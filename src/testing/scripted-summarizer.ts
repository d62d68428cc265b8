import type { SummaryReply, SummaryRequest } from "../core/summary/request.ts";
import type { Summarizer } from "../ports/summarizer.ts";

/** A text, a reply in full, or what follows from the request. */
export type ScriptedReply = string | SummaryReply | ((request: SummaryRequest) => string | SummaryReply);

export interface ScriptedSummarizer extends Summarizer {
  /** All requests so far. */
  readonly requests: readonly SummaryRequest[];
}

/**
 * A summariser that answers from a script, one reply a request, the last one for all that follow.
 *
 * A text comes as a model's (`method` is `llm`, `model` is `scripted/summarizer`).
 */
export function scriptedSummarizer(replies: readonly ScriptedReply[]): ScriptedSummarizer {
  const requests: SummaryRequest[] = [];
  return {
    id: "scripted",
    requests,
    async summarize(request, signal) {
      if (signal.aborted) return { kind: "aborted" };
      const scripted = replies[requests.length] ?? replies.at(-1) ?? "";
      requests.push(request);
      const reply = typeof scripted === "function" ? scripted(request) : scripted;
      return typeof reply === "string"
        ? { kind: "text", text: reply, method: "llm", model: "scripted/summarizer" }
        : reply;
    },
  };
}
