import type { TokenCounter } from "../context/tokens.ts";
import type { CompactionPlan } from "../plan/plan.ts";
import { stripEngineParts } from "./merge.ts";
import type { SummaryRequest } from "./request.ts";

/** What the session, the user and hooks add to a request; it reaches history and split turn alike [M5]. */
export type Guidance = Pick<SummaryRequest, "focus" | "prompt" | "context" | "cwd">;

/**
 * The requests that a plan's summary takes [M1, M5].
 *
 * `history` is null when there is no new history: the previous summary then stands as it is [P3]. `turnPrefix` is null
 * unless a turn is split.
 */
export function summaryRequests(
  plan: CompactionPlan,
  guidance: Guidance = {},
): { history: SummaryRequest | null; turnPrefix: SummaryRequest | null } {
  const kept = plan.keptMessages;
  const previous = previousOf(plan);
  const { messagesToSummarize: before, turnPrefixMessages: early } = plan;
  const split = before.length > 0 && early.length > 0;
  const history: SummaryRequest = {
    kind: "history",
    messages: before,
    ...(previous && { previous }),
    ...guidance,
    maxTokens: plan.budget.history,
    kept,
    ...(split && { beside: early }),
  };
  const turnPrefix: SummaryRequest = {
    kind: "turn-prefix",
    messages: early,
    ...guidance,
    maxTokens: plan.budget.prefix,
    kept,
    ...(split && { beside: before }),
  };
  return {
    history: before.length > 0 ? history : null,
    turnPrefix: early.length > 0 ? turnPrefix : null,
  };
}

/** The history's request, to be asked after the split turn's: what `told` leaves of that one's tokens is added [M10]. */
export function withRestOf(
  history: SummaryRequest,
  turnPrefix: SummaryRequest,
  told: string,
  counter: TokenCounter,
): SummaryRequest {
  const rest = Math.max(0, turnPrefix.maxTokens - counter.count(told));
  return { ...history, maxTokens: history.maxTokens + rest };
}

/** The request for the line that a user interface shows: of the merged summary and what stays [M11]. */
export function shortRequest(plan: CompactionPlan, summary: string): SummaryRequest {
  return {
    kind: "short",
    messages: [],
    previous: { summary: stripEngineParts(summary) },
    maxTokens: plan.budget.short,
    kept: plan.keptMessages,
  };
}

function previousOf({ previous }: CompactionPlan): SummaryRequest["previous"] {
  const summary = typeof previous?.summary === "string" ? stripEngineParts(previous.summary) : "";
  if (!previous || summary === "") return undefined;
  return { summary, ...(previous.details && { details: previous.details }) };
}
