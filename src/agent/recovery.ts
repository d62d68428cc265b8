import type { AssistantMessage } from "../core/session/message.ts";
import { emptyLengthStop, silentOverflow } from "../core/trigger/overflow-reply.ts";
import type { MaintainOutcome } from "../engine/maintain.ts";
import { EspalierError } from "../errors.ts";
import { maintained } from "./checks.ts";
import type { Conversation } from "./conversation.ts";
import type { LoopEnd, Prompt } from "./loop.ts";
import type { TurnOutcome } from "./outcome.ts";
import { failureKind, pause, retryWait } from "./retry.ts";
import { AGENT_CONTINUE } from "./templates.ts";

/** What a turn does after its loop has ended: it is over, or it goes on. */
export type NextStep =
  | { readonly kind: "done"; readonly outcome: TurnOutcome }
  | { readonly kind: "again"; readonly prompts: readonly Prompt[] };

/** What a turn has tried already. */
export interface Progress {
  /** An overflow is recovered from once for each prompt [A3]. */
  recovered: boolean;
  /** Requests of the same context that failed for what may pass. */
  attempts: number;
}

const AGAIN: NextStep = { kind: "again", prompts: [] };

/** Sent when a run was cut and its context compacted, so that the work goes on [A3]. */
const CONTINUE: Prompt = {
  role: "custom",
  customType: "espalier.continue",
  content: AGENT_CONTINUE,
  display: false,
};

/**
 * The next step after the loop's end: the check after a reply [T5], recovery from overflow, another try, or going on [A3].
 *
 * An overflow is never retried without having made room, and only once. A finished answer is never followed by a prompt
 * of our own.
 */
export async function nextStep(
  conversation: Conversation,
  end: LoopEnd,
  progress: Progress,
  signal: AbortSignal,
): Promise<NextStep> {
  const { reply, error } = end;
  if (signal.aborted && isFinished(end)) return done({ status: "answered", reply: end.reply });
  if (signal.aborted || reply?.stopReason === "aborted") return done({ status: "aborted" });
  if (error !== undefined) return done({ status: "failed", error: coded(error) });
  if (!reply) return done({ status: "failed", error: new EspalierError("REQUEST_FAILED", "The model gave no reply.") });

  const overflowed = hasOverflowed(reply, conversation.session.settings.contextWindow);
  const check = await maintained(conversation, { willRetry: overflowed && !progress.recovered }, signal);
  if (signal.aborted && !isFinished(end)) return done({ status: "aborted" });
  if (overflowed) return afterOverflow(check, reply, progress);
  // Refused for its bytes, and smaller now by its oldest images: as long as there are any this comes to an end.
  if (reply.stopReason === "error" && check.images) return AGAIN;
  if (end.replies > 1) progress.attempts = 0;
  if (reply.stopReason === "error") return afterFailure(conversation, reply, progress, signal);
  progress.attempts = 0;
  const { settings } = conversation.session;
  const isCut = reply.stopReason === "length" && check.compaction?.status === "compacted";
  if (isCut && settings["compaction.autoContinue"] && !signal.aborted) return { kind: "again", prompts: [CONTINUE] };
  return done({ status: "answered", reply });
}

function afterOverflow(check: MaintainOutcome, reply: AssistantMessage, progress: Progress): NextStep {
  const made = check.message === undefined && check.compaction?.status !== "cancelled";
  if (made && !progress.recovered) {
    progress.recovered = true;
    return AGAIN;
  }
  const said = reply.errorMessage ? ` The provider said: ${reply.errorMessage}` : "";
  const why =
    check.message ??
    (made
      ? "Context overflow recovery failed: the request was still too large after it had been compacted."
      : "Context overflow recovery was cancelled.");
  return failed(`${why}${said}`);
}

async function afterFailure(
  { events, patience }: Conversation,
  reply: AssistantMessage,
  progress: Progress,
  signal: AbortSignal,
): Promise<NextStep> {
  const attempt = progress.attempts + 1;
  const reason = reply.errorMessage ?? "The model's reply failed.";
  const waitMs = retryWait(reply, attempt, patience);
  if (waitMs === undefined) return failed(reason);
  progress.attempts = attempt;
  events.emit({ type: "retry_start", attempt, waitMs, reason });
  await pause(waitMs, signal);
  events.emit({ type: "retry_end", attempt, aborted: signal.aborted });
  return signal.aborted ? done({ status: "aborted" }) : AGAIN;
}

const done = (outcome: TurnOutcome): NextStep => ({ kind: "done", outcome });

const failed = (message: string) => done({ status: "failed", error: new EspalierError("REQUEST_FAILED", message) });

/** True when the loop came to its own end; what is called off after that is only the check. */
function isFinished(end: LoopEnd): end is LoopEnd & { readonly reply: AssistantMessage } {
  return end.error === undefined && (end.reply?.stopReason === "stop" || end.reply?.stopReason === "length");
}

/** True when there is no answer because the request was too large; one that was cut silently but answered is answered. */
function hasOverflowed(reply: AssistantMessage, window: number): boolean {
  if (reply.stopReason === "error") return failureKind(reply) === "overflow";
  return emptyLengthStop(reply, window) || (silentOverflow(reply, window) && reply.content.length === 0);
}

export function coded(error: unknown): EspalierError {
  if (EspalierError.is(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new EspalierError("REQUEST_FAILED", `The turn broke off: ${message}`, {}, error);
}
