/** Runs `work` once all earlier work of the same key has settled. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Queues by key, for what must not overlap: two edits of a file, two questions to the user. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
