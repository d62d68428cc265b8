import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Entry } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import type { Conversation } from "./conversation.ts";
import { storeResult } from "./tool-result.ts";

/** A prompt that the agent gives itself; its words are never taken for the user's [V6]. */
export interface SyntheticMessage {
  readonly role: "custom";
  readonly customType: string;
  readonly content: string;
  readonly display: false;
}

/**
 * The entries that a message of the loop was stored as, before anything else happens [A1].
 *
 * The whole text of a tool's output that was cut is kept in its result, and an edit in the same batch shows the model
 * the cut one: `recall` finds the rest [R9]. The result of a call that is still running is not stored; it comes later [A7].
 */
export async function record(conversation: Conversation, message: AgentMessage): Promise<readonly Entry[]> {
  const { session, compactCalls, lateResults } = conversation;
  const said = message as Message;
  switch (said.role) {
    case "toolResult": {
      if (lateResults.isRunning(said.toolCallId)) return [];
      const entries = await storeResult(session, said);
      compactCalls.answered(said, entries[0]?.id);
      return entries;
    }
    case "custom": {
      const { customType, content, display } = said;
      return session.append({ type: "custom_message", customType, content, display: display === true });
    }
    case "user":
      compactCalls.asked();
      return session.append(said);
    default:
      return session.append(said);
  }
}
