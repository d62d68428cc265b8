/** Those who watch and have no say. */
export interface Listeners<E> {
  emit(event: E): void;
  /** Gives the function that ends it; what subscribes twice hears twice. */
  subscribe(listener: (event: E) => void): () => void;
}

/** Listeners are called in the order of their registration; one that throws does not disturb the others or the work. */
export function createListeners<E>(): Listeners<E> {
  const listeners = new Set<{ readonly call: (event: E) => void }>();
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
      return () => void listeners.delete(listener);
    },
  };
}
