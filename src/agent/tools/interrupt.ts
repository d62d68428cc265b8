/** The outcome of `work`; rejects as soon as `signal` aborts, whatever the work then still does. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(interrupted());
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Throws once `signal` has aborted. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interrupted();
}

function interrupted(): Error {
  return new Error("Interrupted: the user stopped this call, so it was not completed.");
}
