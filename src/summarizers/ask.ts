import { setTimeout } from "node:timers/promises";
import type { TokenCounter } from "../core/context/tokens.ts";
import { acceptReply } from "../core/summary/accept.ts";
import { summaryPrompt } from "../core/summary/prompt.ts";
import type { Spent, SummaryFailure, SummaryReply, SummaryRequest } from "../core/summary/request.ts";
import { classifyError } from "../core/trigger/overflow.ts";
import type { Model, ModelReply, ModelRequest, ThinkingLevel } from "../ports/model.ts";
import type { SummaryProgress } from "../ports/summarizer.ts";

/** How often and how long a failing server is waited for. Times in milliseconds. */
export interface Patience {
  /** Of one request, the first one included. */
  readonly tries: number;
  /** Before the second try; doubled for each further one. A server's `retry-after` goes before it. */
  readonly firstWaitMs: number;
  /** A server that asks for more is given up on. */
  readonly longestWaitMs: number;
  /** Resolves when the time is over or the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const PATIENCE: Patience = { tries: 4, firstWaitMs: 1_000, longestWaitMs: 60_000, wait };

/** Who is asked, and how. */
export interface Asking {
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly thinking: ThinkingLevel;
  readonly patience: Patience;
  /** Tokens of what the whole summary stands for. */
  readonly replaced: number;
  readonly report: (progress: SummaryProgress) => void;
}

type Failed = Extract<SummaryReply, { kind: "failed" }>;
type ModelFailure = Extract<ModelReply, { kind: "failed" }>;

/** Of what the first answer might have been, what a second one may be. */
const SHORTER = 0.7;

/**
 * The answer of one model to one request whose conversation fits its window.
 *
 * Transient errors and rate limits are waited for [M7]; an answer that can't be used is asked for once more, shorter
 * [M6]. Overflow, auth and whatever else comes back at once. `replyTokens` is what the model may write in all.
 */
export async function askModel(
  request: SummaryRequest,
  conversation: string,
  replyTokens: number,
  asking: Asking,
  signal: AbortSignal,
): Promise<SummaryReply> {
  const { model, counter, report } = asking;
  const spent: Spent[] = [];
  let current = request;
  for (;;) {
    const prompt = summaryPrompt(current, conversation);
    const sent: ModelRequest = { ...prompt, maxTokens: replyTokens, thinking: asking.thinking };
    const reply = await completed(sent, asking, spent, signal);
    if (reply.kind === "aborted") return reply;
    if (reply.kind === "failed") return { ...reply, spent };
    const accepted = acceptReply(reply, request, counter, asking.replaced);
    const { usage } = reply;
    if (accepted.ok) {
      return { kind: "text", text: accepted.text, method: "llm", model: model.id, ...(usage && { usage }), spent };
    }
    if (usage) spent.push({ model: model.id, usage });
    const reason = `The answer of ${model.id} could not be used: ${accepted.sentence}`;
    const again = current.retry === undefined && request.kind !== "short";
    report({ kind: "failed", model: model.id, reason, next: again ? "shorter" : "other" });
    if (!again) return { kind: "failed", reason, retryable: false, failure: "unaccepted", spent };
    const maxTokens = Math.floor(Math.min(request.maxTokens, asking.replaced) * SHORTER);
    current = { ...request, maxTokens: Math.max(1, maxTokens), retry: accepted.sentence };
  }
}

/** The model's reply, after as many tries as it takes and patience allows. */
async function completed(
  sent: ModelRequest,
  { model, patience, report }: Asking,
  spent: Spent[],
  signal: AbortSignal,
): Promise<Extract<ModelReply, { kind: "reply" | "aborted" }> | Failed> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) return { kind: "aborted" };
    const reply = await model.complete(sent, signal);
    report({ kind: "answered", model: model.id, ...(reply.usage && { usage: reply.usage }) });
    if (reply.kind !== "failed") return reply;
    if (reply.usage) spent.push({ model: model.id, usage: reply.usage });
    const failed = failedReply(model, reply);
    const waitMs = reply.retryAfterMs ?? patience.firstWaitMs * 2 ** (attempt - 1);
    const again = failed.retryable && attempt < patience.tries && waitMs <= patience.longestWaitMs;
    const next = again ? "retry" : "other";
    report({ kind: "failed", model: model.id, reason: failed.reason, next, ...(again && { waitMs }) });
    if (!again) return failed;
    await patience.wait(waitMs, signal);
  }
}

/** What never left, or the transport itself gives up on; sending the same again would take as long or end the same. */
const OWN_CODES: Readonly<Record<string, SummaryFailure>> = {
  TIMEOUT: "timeout",
  REPLY_TOO_LARGE: "other",
  REDIRECTED: "other",
  NOT_AN_ANSWER: "other",
  PACKAGE_MISSING: "other",
};

function failedReply(model: Model, reply: ModelFailure): Failed {
  const { status, code, message, retryAfterMs } = reply;
  const own = code === undefined ? undefined : OWN_CODES[code];
  const failure: SummaryFailure = own ?? classifyError({ status, code, message, provider: model.provider }).kind;
  return {
    kind: "failed",
    reason: message,
    retryable: failure === "transient" || failure === "rate-limit",
    failure,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
