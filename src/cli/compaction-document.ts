import type { CompactionOutcome } from "../engine/outcome.ts";

type Settled = Exclude<CompactionOutcome, { status: "failed" }>;

/** The JSON document of a compaction; `plan` counts entries. `out` is the file that was written instead of the session. */
export function compactionDocument(outcome: Settled, out?: string): object {
  switch (outcome.status) {
    case "skipped":
      return { status: outcome.status, because: outcome.because };
    case "cancelled":
      return { status: outcome.status, by: outcome.by };
    default: {
      const { status, entry, result } = outcome;
      const { plan } = result;
      return {
        status,
        entryId: entry.id,
        firstKeptEntryId: entry.firstKeptEntryId,
        tokensBefore: result.tokensBefore,
        tokensAfter: result.tokensAfter,
        method: entry.method,
        model: entry.model,
        usage: entry.usage,
        summary: entry.summary,
        shortSummary: entry.shortSummary,
        readFiles: entry.details?.readFiles ?? [],
        modifiedFiles: entry.details?.modifiedFiles ?? [],
        plan: {
          summarised: plan.summarizedIds.length,
          turnPrefix: plan.turnPrefixIds.length,
          kept: plan.keptIds.length,
          isSplitTurn: plan.isSplitTurn,
        },
        loss: result.loss,
        pins: result.pins,
        citations: result.citations,
        out,
      };
    }
  }
}

const SKIPPED: Readonly<Record<Extract<Settled, { status: "skipped" }>["because"], string>> = {
  "already-compacted": "nothing new has come since the last compaction",
  "too-small":
    "what could be summarised is no larger than its summary would be; a smaller --keep-recent-tokens gives it more",
  "nothing-before-cut": "everything fits into what is kept verbatim; a smaller --keep-recent-tokens compacts earlier",
};

/** One sentence on why nothing was done [P4]. */
export const skippedSentence = (because: keyof typeof SKIPPED): string => `Nothing to compact: ${SKIPPED[because]}.`;
