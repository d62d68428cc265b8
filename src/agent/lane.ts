import { createLock } from "../engine/lock.ts";
import type { Conversation } from "./conversation.ts";
import type { QueuedInput } from "./input-queue.ts";
import type { TurnOutcome } from "./outcome.ts";
import { startTurn, type Turn } from "./turn.ts";

/** Where turns, compactions by hand and navigations run, one after the other [A5]. */
export interface Lane {
  readonly isBusy: boolean;
  /** The turn that is running, as long as it can be interrupted. */
  readonly turn: Turn | undefined;
  /** How a turn with `input` ended, or one without any, unless `unless` gives an outcome when its time has come. */
  take(input?: QueuedInput, unless?: () => Promise<TurnOutcome | undefined>): Promise<TurnOutcome>;
  /** Calls off the turns that were asked for and have not begun; gives their input back, which is not delivered then. */
  callOff(): QueuedInput[];
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** A lane that begins a turn with the oldest waiting input whenever it gets free, however what ran has ended [A4]. */
export function createLane(conversation: Conversation): Lane {
  const lock = createLock();
  const asked = new Set<{ readonly input: QueuedInput | undefined; isOff: boolean }>();
  let turn: Turn | undefined;

  const pump = () => {
    if (lock.busy) return;
    const next = conversation.queue.takeNext();
    if (next) void take(next);
  };

  async function take(input?: QueuedInput, unless?: () => Promise<TurnOutcome | undefined>): Promise<TurnOutcome> {
    let running: Turn | undefined;
    const request = { input, isOff: false };
    asked.add(request);
    try {
      const outcome = await lock.run(async (): Promise<TurnOutcome> => {
        const reason = request.isOff ? undefined : await unless?.();
        asked.delete(request);
        if (request.isOff) return { status: "aborted" };
        if (reason) return reason;
        running = startTurn(conversation, input);
        turn = running;
        return running.ended;
      });
      if (turn === running) turn = undefined;
      // Whoever waited for this turn finds the lane free, but what was typed before goes first.
      running?.settle(outcome);
      return outcome;
    } finally {
      asked.delete(request);
      pump();
    }
  }

  return {
    get isBusy() {
      return lock.busy;
    },
    get turn() {
      return turn?.isOver ? undefined : turn;
    },
    take,
    callOff() {
      const open = [...asked].filter(({ isOff }) => !isOff);
      for (const request of open) request.isOff = true;
      return open.flatMap(({ input }) => (input ? [input] : []));
    },
    run: (task) => lock.run(task).finally(pump),
  };
}
