import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { Listeners } from "../engine/listeners.ts";
import type { SessionEvent } from "../ports/events.ts";

/** What a listener of an agent session hears: its loop, the session's maintenance, and what was typed meanwhile. */
export type AgentSessionEvent =
  | AgentEvent
  | SessionEvent
  /** A message of the loop is in the session, as these entries. */
  | { readonly type: "message_stored"; readonly entryIds: readonly string[] }
  /** Input waits, or was taken: texts in the order in which they will be delivered. */
  | { readonly type: "queue_change"; readonly steering: readonly string[]; readonly followUps: readonly string[] }
  /** A request failed for a reason that may pass, and is sent again after `waitMs` [M7]. */
  | { readonly type: "retry_start"; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: "retry_end"; readonly attempt: number; readonly aborted: boolean };

export type AgentListener = (event: AgentSessionEvent) => void;

export type AgentEvents = Listeners<AgentSessionEvent>;
