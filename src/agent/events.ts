import type { AgentEvent } from "@earendil-works/pi-agent-core";
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

export interface AgentEvents {
  emit(event: AgentSessionEvent): void;
  subscribe(listener: AgentListener): () => void;
}

/** Listeners are called in the order of their registration; one that throws does not disturb the others or the work. */
export function createAgentEvents(): AgentEvents {
  const listeners = new Set<{ readonly call: AgentListener }>();
  return {
    emit(event) {
      for (const { call } of [...listeners]) {
        try {
          // One that is async would else end the program.
          const told: unknown = call(event);
          Promise.resolve(told).catch(() => {});
        } catch {
          // A listener only watches; what it does wrong is its own business.
        }
      }
    },
    subscribe(call) {
      const listener = { call };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
