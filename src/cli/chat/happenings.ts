import type { AgentSession, AgentSessionEvent, TurnOutcome } from "../../agent/index.ts";

/** What happens in a turn, and at last what came of it. */
export type Happening = AgentSessionEvent | { readonly type: "outcome"; readonly outcome: TurnOutcome };

/** The events of `run` as they come, its outcome last. A signal stops the turn; what was stored stays. */
export async function* happenings(
  agent: AgentSession,
  run: () => Promise<TurnOutcome>,
  signal: AbortSignal,
): AsyncGenerator<Happening> {
  let waiting: Happening[] = [];
  let wake = () => {};
  const push = (happening: Happening) => {
    waiting.push(happening);
    wake();
  };
  const unsubscribe = agent.subscribe(push);
  const stop = () => void agent.abort();
  signal.addEventListener("abort", stop, { once: true });
  run().then(
    (outcome) => push({ type: "outcome", outcome }),
    (error: unknown) => push({ type: "outcome", outcome: { status: "failed", error: error as never } }),
  );
  if (signal.aborted) stop();
  try {
    for (;;) {
      const taken = waiting;
      waiting = [];
      for (const happening of taken) {
        yield happening;
        if (happening.type === "outcome") return;
      }
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", stop);
  }
}
