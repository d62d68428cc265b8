import { setTimeout } from "node:timers/promises";
import type { AssistantMessage } from "../core/session/message.ts";
import { classifyError } from "../core/trigger/overflow.ts";
import { failureFacts } from "../core/trigger/overflow-reply.ts";
import type { ReplyFailure } from "../ports/chat-model.ts";

/** How often and how long a failing provider is waited for [M7]. Times in milliseconds. */
export interface Patience {
  /** Of one request, the first one included. */
  readonly tries: number;
  /** Before the second try; doubled for each further one. A server's `retry-after` goes before it. */
  readonly firstWaitMs: number;
  /** A server that asks for more is given up on. */
  readonly longestWaitMs: number;
}

export const PATIENCE: Patience = { tries: 4, firstWaitMs: 1_000, longestWaitMs: 60_000 };

/**
 * Milliseconds to wait before `failed` is asked again, or undefined when it should not be [A3].
 *
 * Only what may pass is retried: rate limits, overload, broken connections. Never an overflow.
 */
export function retryWait(failed: AssistantMessage, attempt: number, patience: Patience): number | undefined {
  const kind = failureKind(failed);
  if (kind !== "transient" && kind !== "rate-limit") return undefined;
  const { retryAfterMs } = failed as ReplyFailure;
  const waitMs = retryAfterMs ?? patience.firstWaitMs * 2 ** (attempt - 1);
  return attempt < patience.tries && waitMs <= patience.longestWaitMs ? waitMs : undefined;
}

/** What made a reply fail [T4]. */
export const failureKind = (failed: AssistantMessage) => classifyError(failureFacts(failed)).kind;

/** Resolves when the time is over or the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
