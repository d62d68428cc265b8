import type { ContextMessage } from "../core/context/projection.ts";
import { microView } from "../core/plan/micro-view.ts";
import type { SessionContext } from "./outcome.ts";
import type { SessionState } from "./state.ts";

/** What is to be sent now: the projection, with marks for older tool results where `micro.enabled` says so [X1, R6]. */
export function contextOf(state: SessionState): SessionContext {
  const { model, thinkingLevel, warnings } = state.projection();
  const messages = messagesToSend(state);
  let tokens = 0;
  for (const { message } of messages) tokens += state.sizeOf(message);
  return { messages, tokens, model, thinkingLevel, warnings };
}

function messagesToSend(state: SessionState): readonly ContextMessage[] {
  const { settings } = state;
  const projection = state.projection();
  if (!settings["micro.enabled"]) return projection.messages;
  // What a provider has counted is smaller for the marks: by it alone they would come and go.
  const { tokens, estimated } = state.measure();
  if (Math.max(tokens, estimated) < settings["micro.minFill"] * settings.contextWindow) return projection.messages;
  return microView(projection, {
    keepRounds: settings["micro.keepRounds"],
    preserveTools: settings["micro.preserveTools"],
  });
}
