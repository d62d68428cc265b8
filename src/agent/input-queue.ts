import { textOf } from "../core/context/blocks.ts";
import type { UserMessage } from "../core/session/message.ts";
import type { AgentEvents } from "./events.ts";
import type { TurnOutcome } from "./outcome.ts";

/** Input that waits. `steer` goes into the running turn, `followUp` begins the next one. */
export interface QueuedInput {
  readonly kind: "steer" | "followUp";
  readonly message: UserMessage;
  /** Says how the turn ended that it was delivered to, or that it was given back. */
  settle(outcome: TurnOutcome): void;
}

/** What was typed while it could not be sent; each input leaves it exactly once [A4, I6]. */
export interface InputQueue {
  readonly size: number;
  add(kind: QueuedInput["kind"], message: UserMessage): Promise<TurnOutcome>;
  /** All steering input, in order. */
  takeSteering(): QueuedInput[];
  /** The oldest input of any kind. */
  takeNext(): QueuedInput | undefined;
  /** Everything, in order; nothing of it was delivered. */
  takeAll(): QueuedInput[];
  /** Input that was taken and could not be delivered; it goes first again. */
  putBack(inputs: readonly QueuedInput[]): void;
}

export function createInputQueue(events: AgentEvents): InputQueue {
  let waiting: QueuedInput[] = [];
  const texts = (kind: QueuedInput["kind"]) =>
    waiting.filter((input) => input.kind === kind).map(({ message }) => textOf(message.content));
  const changed = () => events.emit({ type: "queue_change", steering: texts("steer"), followUps: texts("followUp") });
  const take = (isTaken: (input: QueuedInput, index: number) => boolean) => {
    const taken = waiting.filter(isTaken);
    if (taken.length === 0) return taken;
    waiting = waiting.filter((input) => !taken.includes(input));
    changed();
    return taken;
  };
  return {
    get size() {
      return waiting.length;
    },
    add(kind, message) {
      return new Promise((settle) => {
        waiting.push({ kind, message, settle });
        changed();
      });
    },
    takeSteering: () => take(({ kind }) => kind === "steer"),
    takeNext: () => take((_, index) => index === 0)[0],
    takeAll: () => take(() => true),
    putBack(inputs) {
      if (inputs.length === 0) return;
      waiting = [...inputs, ...waiting];
      changed();
    },
  };
}
