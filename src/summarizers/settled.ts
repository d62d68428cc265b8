import type { SummaryKind, SummaryReply } from "../core/summary/request.ts";
import { EspalierError } from "../errors.ts";
import type { Summarizer } from "../ports/summarizer.ts";

/**
 * `summarizer`, perhaps somebody's own, held to what the port promises: it always settles [M6].
 *
 * An exception, a reply that is none and a text without words are `failed`; an abort is not waited for. Coded errors are
 * left as they are.
 */
export function settledSummarizer(summarizer: Summarizer): Summarizer {
  const { id } = summarizer;
  return {
    id,
    summarize: (request, signal, report) =>
      new Promise((resolve, reject) => {
        const stop = () => resolve({ kind: "aborted" });
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        asked(summarizer, request, signal, report)
          .then((reply) => usable(reply, id, request.kind))
          .catch((cause: unknown) => thrown(id, cause))
          .then(resolve, reject)
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
      // It is read as a sentence among others.
      return { ...reply, reason: `${reply.reason}`.trim().replace(/[^.!?]$/, "$&.") };
    case "aborted":
      return reply;
  }
  return failed(`${id} gave no reply that can be read.`);
}

/** A coded error says itself what to do about it, such as a model that nobody knows. */
function thrown(id: string, cause: unknown): SummaryReply {
  if (EspalierError.is(cause)) throw cause;
  return failed(`${id} failed: ${cause instanceof Error ? cause.message : cause}.`, cause);
}

const failed = (reason: string, cause?: unknown): SummaryReply => ({
  kind: "failed",
  reason,
  retryable: false,
  ...(cause !== undefined && { cause }),
});
