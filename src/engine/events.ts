import type { EventOf, SessionEvent, SessionEventType } from "../ports/events.ts";

type Listener = (event: SessionEvent) => void;

export interface Events {
  emit(event: SessionEvent): void;
  /** Listens to one type of event, or with `*` to all; gives the function that ends it. */
  on<T extends SessionEventType>(type: T, listener: (event: EventOf<T>) => void): () => void;
  on(type: "*", listener: Listener): () => void;
}

/** Listeners are called in the order of their registration; one that throws does not disturb the others or the work. */
export function createEvents(): Events {
  const listeners = new Set<{ readonly type: SessionEventType | "*"; readonly call: Listener }>();
  return {
    emit(event) {
      for (const { type, call } of [...listeners]) {
        if (type !== "*" && type !== event.type) continue;
        try {
          // One that is async would else end the program.
          const told: unknown = call(event);
          Promise.resolve(told).catch(() => {});
        } catch {
          // A listener only watches; what it does wrong is its own business.
        }
      }
    },
    on(type: SessionEventType | "*", listener: (event: never) => void) {
      const entry = { type, call: listener as Listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
