import type { TokenCounter } from "../core/context/tokens.ts";
import type { CompactionPlan } from "../core/plan/plan.ts";
import type { SummaryDetails, SummaryMethod } from "../core/session/entry.ts";
import type { Usage } from "../core/session/message.ts";
import type { Spent, SummaryKind, SummaryReply, SummaryRequest } from "../core/summary/request.ts";
import { type Guidance, shortRequest, summaryRequests, withRestOf } from "../core/summary/requests.ts";
import { addUsage } from "../core/summary/usage.ts";
import type { Warning } from "../errors.ts";
import type { Summarizer, SummaryProgress } from "../ports/summarizer.ts";
import type { Verified, Verifier } from "./verify.ts";

/** The summary of a whole plan, ready to be stored. */
export interface PlanSummary {
  readonly kind: "summary";
  readonly shortText?: string;
  readonly method: SummaryMethod;
  readonly model?: string;
  /** Of all requests that the stored text is made from [M12]. */
  readonly usage?: Usage;
  /** Of the requests that came to nothing. */
  readonly spent: readonly Spent[];
  readonly details: SummaryDetails;
  readonly verified: Verified;
  readonly warnings: readonly Warning[];
}

/** Who writes the summary, and what else it takes. */
export interface SummaryTools {
  readonly summarizer: Summarizer;
  readonly verifier: Verifier;
  readonly counter: TokenCounter;
  readonly signal: AbortSignal;
  /** Told before each part, and of what its summariser does meanwhile [M12]. */
  readonly onPart?: (part: SummaryKind, progress?: SummaryProgress) => void;
}

type TextReply = Extract<SummaryReply, { kind: "text" }>;

/**
 * The summary of `plan`: split turn and history asked one after the other, then verified and merged [M5], then the short line [M11].
 *
 * Any part that fails or is aborted ends it with that reply; a failing short line changes nothing.
 */
export async function summarizePlan(
  plan: CompactionPlan,
  guidance: Guidance,
  tools: SummaryTools,
): Promise<PlanSummary | Exclude<SummaryReply, TextReply>> {
  const { history, turnPrefix } = summaryRequests(plan, guidance);
  const replies: { history?: TextReply; turnPrefix?: TextReply } = {};
  if (turnPrefix) {
    const reply = await ask(tools, turnPrefix);
    if (reply.kind !== "text") return reply;
    replies.turnPrefix = reply;
  }
  if (history) {
    const told = replies.turnPrefix?.text ?? "";
    const reply = await ask(tools, turnPrefix ? withRestOf(history, turnPrefix, told, tools.counter) : history);
    if (reply.kind !== "text") return reply;
    replies.history = reply;
  }
  const verified = tools.verifier.merge({ history: replies.history?.text, turnPrefix: replies.turnPrefix?.text });
  const short = await ask(tools, shortRequest(plan, verified.text));
  if (short.kind === "aborted") return short;
  const main = replies.history ?? replies.turnPrefix;
  const all = [replies.history, replies.turnPrefix, short];
  const told = all.filter((reply) => reply?.kind === "text");
  const usage = told.reduce<Usage | undefined>((sum, reply) => addUsage(sum, reply.usage), undefined);
  return {
    kind: "summary",
    ...(short.kind === "text" && short.text.trim() !== "" && { shortText: short.text.trim() }),
    method: main?.method ?? "extractive",
    ...(main?.model && { model: main.model }),
    ...(usage && { usage }),
    spent: all.flatMap((reply) => reply?.spent ?? []),
    verified,
    warnings: [...told.flatMap((reply) => reply.warnings ?? []), ...verified.warnings],
    details: { ...plan.previous?.details, ...replies.turnPrefix?.details, ...replies.history?.details },
  };
}

async function ask({ summarizer, signal, onPart }: SummaryTools, request: SummaryRequest): Promise<SummaryReply> {
  if (signal.aborted) return { kind: "aborted" };
  onPart?.(request.kind);
  return summarizer.summarize(request, signal, (progress) => onPart?.(request.kind, progress));
}
