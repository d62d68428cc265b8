import type { SummaryKind, SummaryReply } from "../core/summary/request.ts";
import type { Summarizer } from "../ports/summarizer.ts";

/**
 * `summarizer`, perhaps somebody's own, held to what the port promises: it always settles [M6].
 *
 * An exception, a reply that is none and a text without words are `failed`; an abort is not waited for.
 */
export function settledSummarizer(summarizer: Summarizer): Summarizer {
  const { id } = summarizer;
  return {
    id,
    summarize: (request, signal, report) =>
      new Promise((resolve) => {
        const stop = () => resolve({ kind: "aborted" });
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        asked(summarizer, request, signal, report)
          .then((reply) => usable(reply, id, request.kind))
          .catch((cause: unknown) => failed(`${id} failed: ${cause instanceof Error ? cause.message : cause}.`, cause))
          .then(resolve)
          .finally(() => signal.removeEventListener("abort", stop));
      }),
  };
}

/** What it throws before there is a promise counts as a rejection. */
async function asked(summarizer: Summarizer, ...given: Parameters<Summarizer["summarize"]>): Promise<SummaryReply> {
  return summarizer.summarize(...given);
}

function usable(reply: SummaryReply | undefined, id: string, kind: SummaryKind): SummaryReply {
  switch (reply?.kind) {
    case "text":
      if (typeof reply.text !== "string") break;
      // The line for lists is best effort [M11].
      return reply.text.trim() === "" && kind !== "short" ? failed(`${id} gave a summary without words.`) : reply;
    case "failed":
    case "aborted":
      return reply;
  }
  return failed(`${id} gave no reply that can be read.`);
}

const failed = (reason: string, cause?: unknown): SummaryReply => ({
  kind: "failed",
  reason,
  retryable: false,
  ...(cause !== undefined && { cause }),
});
