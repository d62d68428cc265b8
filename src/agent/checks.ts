import type { MaintainOptions, MaintainOutcome } from "../engine/maintain.ts";
import { EspalierError } from "../errors.ts";
import { resultText, tellCalls } from "./compact-calls.ts";
import type { Conversation } from "./conversation.ts";

/**
 * What maintenance came to; `abortCompaction` stops it without stopping the turn [A5].
 *
 * What it could not do is told as a warning [A6].
 */
export async function maintained(
  conversation: Conversation,
  options: Omit<MaintainOptions, "signal">,
  signal: AbortSignal,
): Promise<MaintainOutcome> {
  const { session, events, compactCalls } = conversation;
  const outcome = await abortable(conversation, signal, (either) => session.maintain({ ...options, signal: either }));
  if (outcome.compaction?.status === "compacted") compactCalls.compacted();
  if (outcome.message !== undefined && !signal.aborted) {
    const warning = { code: "MAINTENANCE_FAILED", message: outcome.message };
    events.emit({ type: "warning", warning });
  }
  return outcome;
}

/** What `task` gives; its signal aborts with `signal` and by `abortCompaction`. */
export async function abortable<T>(
  { maintaining }: Conversation,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  maintaining.add(controller);
  try {
    return await task(signal ? AbortSignal.any([signal, controller.signal]) : controller.signal);
  } finally {
    maintaining.delete(controller);
  }
}

/**
 * Nothing; serves the `compact` calls of the batch that is complete now, and says in their results what came of it [R8].
 *
 * The turn goes on whatever the outcome.
 */
export async function serveCompactCalls(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { compactCalls, session } = conversation;
  if (!compactCalls.isWaiting) return;
  const batch = compactCalls.take();
  const { focus } = batch;
  if (signal.aborted) return tellCalls(session, batch, "Not compacted: it was cancelled.");
  const outcome = await maintained(conversation, { reason: "tool", ...(focus !== "" && { focus }) }, signal);
  await tellCalls(session, batch, resultText(outcome));
}

/**
 * Nothing; brings the context under its limits before a request [T5].
 *
 * Rejects `CONTEXT_FULL` when nothing helps and the request would be over the window [T8]; with `compaction.enabled` off
 * the provider decides [T7].
 */
export async function checkContext(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { session } = conversation;
  const outcome = await maintained(conversation, {}, signal);
  const { contextWindow } = session.settings;
  const { tokens } = session.measure();
  if (tokens <= contextWindow || !session.settings["compaction.enabled"]) return;
  const { decision } = outcome;
  const because = decision.kind === "none" ? ` (${decision.because})` : "";
  const why = outcome.message ?? `Nothing was compacted${because}.`;
  const message = `The request was not sent: it has about ${tokens} tokens and the window ${contextWindow}. ${why}`;
  throw new EspalierError("CONTEXT_FULL", message, { tokens, contextWindow });
}
