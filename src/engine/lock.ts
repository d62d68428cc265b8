/** Runs one task after the other, in the order in which they were asked for [A5]. */
export interface MaintenanceLock {
  readonly busy: boolean;
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** A lock under which compaction, navigation, pruning and the like never overlap. A failed task frees it like any other. */
export function createLock(): MaintenanceLock {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    get busy() {
      return waiting > 0;
    },
    run(task) {
      waiting++;
      const result = last.then(task).finally(() => {
        waiting--;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}
