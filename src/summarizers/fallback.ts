import type { Spent, SummaryReply, SummaryRequest } from "../core/summary/request.ts";
import type { Summarizer } from "../ports/summarizer.ts";
import { settledSummarizer } from "./settled.ts";

export interface FallbackOptions {
  /** Asked when every candidate has failed: the embedded summariser. Without it the last failure is the answer. */
  readonly last?: Summarizer;
}

type Failed = Extract<SummaryReply, { kind: "failed" }>;

/**
 * The candidates `given`, asked in order until one answers, then `last` with a warning [M6, M7].
 *
 * A candidate that has failed is not asked again for the other parts of the same summary, which come with the same
 * signal. What failed requests cost comes back in `spent`. Aborted is aborted: nobody else is asked.
 */
export function fallbackSummarizer(given: readonly Summarizer[], options: FallbackOptions = {}): Summarizer {
  const candidates = given.map(settledSummarizer);
  const { last } = options;
  let resting: { readonly signal?: AbortSignal; readonly who: Set<Summarizer> } = { who: new Set() };
  return {
    id: candidates[0]?.id ?? last?.id ?? "none",
    async summarize(request, signal, report) {
      const short = request.kind === "short";
      if (begins(request) || resting.signal !== signal) resting = { signal, who: new Set() };
      const { who } = resting;
      const spent: Spent[] = [];
      const failures: Failed[] = [];
      for (const candidate of candidates) {
        if (signal.aborted) return { kind: "aborted" };
        if (who.has(candidate)) continue;
        const reply = await candidate.summarize(request, signal, report);
        if (reply.kind === "aborted") return reply;
        spent.push(...(reply.spent ?? []));
        if (reply.kind === "text") {
          return { ...reply, spent, warnings: [...(reply.warnings ?? []), ...failures.map(passedOver)] };
        }
        failures.push(reply);
        who.add(candidate);
      }
      const failure = failures.at(-1);
      if (!last) return failure ? { ...failure, reason: reasons(failures), spent } : NOBODY;
      const reply = await last.summarize(request, signal, report);
      if (reply.kind === "aborted") return reply;
      if (reply.kind === "failed") return { ...reply, reason: reasons([...failures, reply]), spent };
      const warnings = failure && !short ? [withoutModel(failures)] : [];
      return { ...reply, spent, warnings: [...(reply.warnings ?? []), ...warnings] };
    },
  };
}

/** True for the first part of a summary: where a turn is split its part comes before the history. */
const begins = ({ kind, beside }: SummaryRequest) => kind !== "short" && (kind !== "history" || beside === undefined);

const NOBODY: SummaryReply = { kind: "failed", reason: "There is no summariser to ask.", retryable: false };

const reasons = (failures: readonly Failed[]) => [...new Set(failures.map((failure) => failure.reason))].join(" ");

const passedOver = (failure: Failed) => ({
  code: "SUMMARIZER_FAILED",
  message: `Another summariser was asked: ${failure.reason}`,
});

const withoutModel = (failures: readonly Failed[]) => ({
  code: "SUMMARY_FALLBACK",
  message: `The summary was made without a model: ${reasons(failures)}`,
});
