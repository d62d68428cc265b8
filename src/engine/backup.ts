import type { CompactionPlan } from "../core/plan/plan.ts";
import type { SessionState } from "./state.ts";

/**
 * Writes the messages that `plan` replaces to a transcript of its own, if the setting asks for it [K5].
 *
 * A failure is a warning and stops nothing: the entries stay in the session as well.
 */
export async function backUp(state: SessionState, plan: CompactionPlan): Promise<void> {
  const { host, settings, events } = state;
  if (!settings.transcripts || !host.backup) return;
  const replaced = [...plan.messagesToSummarize, ...plan.turnPrefixMessages];
  try {
    await host.backup(`transcript_${host.clock.now()}_${plan.leafId}.jsonl`, linesOf(replaced));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The transcript of what a compaction replaces could not be written: ${why}`;
    events.emit({ type: "warning", warning: { code: "TRANSCRIPT_FAILED", message, entryId: plan.leafId } });
  }
}

function* linesOf(messages: CompactionPlan["messagesToSummarize"]): Generator<string> {
  for (const { entryId, message } of messages) yield JSON.stringify({ entryId, ...message });
}
