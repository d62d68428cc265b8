import type { EventOf, SessionEvent, SessionEventType } from "../ports/events.ts";
import { createListeners } from "./listeners.ts";

type Listener = (event: SessionEvent) => void;

export interface Events {
  emit(event: SessionEvent): void;
  /** Listens to one type of event, or with `*` to all; gives the function that ends it. */
  on<T extends SessionEventType>(type: T, listener: (event: EventOf<T>) => void): () => void;
  on(type: "*", listener: Listener): () => void;
}

/** The events of one session, and who listens to which. */
export function createEvents(): Events {
  const { emit, subscribe } = createListeners<SessionEvent>();
  return {
    emit,
    on(type: SessionEventType | "*", listener: (event: never) => void) {
      const call = listener as Listener;
      return subscribe(type === "*" ? call : (event) => (event.type === type ? call(event) : undefined));
    },
  };
}
