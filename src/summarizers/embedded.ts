import { scriptCounter, type TokenCounter } from "../core/context/tokens.ts";
import { extractSummary } from "../core/extract/extract.ts";
import type { Summarizer } from "../ports/summarizer.ts";

export interface EmbeddedOptions {
  /** Counts the reply against `maxTokens`: the one that the session is measured with, by script when absent. */
  readonly counter?: TokenCounter;
}

/**
 * The summariser that needs no model: `method` is `extractive`, the reply is made of the conversation's own words [M9].
 *
 * Same request, same bytes. It fails only when not one line fits in `maxTokens`, and not retryably.
 */
export function embeddedSummarizer(options: EmbeddedOptions = {}): Summarizer {
  const counter = options.counter ?? scriptCounter;
  return {
    id: "embedded",
    async summarize(request, signal) {
      if (signal.aborted) return { kind: "aborted" };
      const { text, details } = extractSummary(request, { counter });
      if (text === "")
        return {
          kind: "failed",
          reason: `Nothing fits in ${request.maxTokens} tokens.`,
          retryable: false,
          failure: "too-small",
        };
      return { kind: "text", text, method: "extractive", details };
    },
  };
}
