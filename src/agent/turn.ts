import type { Conversation } from "./conversation.ts";
import type { QueuedInput } from "./input-queue.ts";
import { type Prompt, runLoop } from "./loop.ts";
import type { TurnOutcome } from "./outcome.ts";
import { coded, nextStep, type Progress } from "./recovery.ts";

/** A turn that is running. */
export interface Turn {
  /** Stops it for good. */
  stop(): void;
  /**
   * What `task` gives; breaks the turn off, runs `task`, and lets the turn go on where it was cut, if it had no answer
   * yet and `compaction.autoContinue` is on [A2].
   */
  interrupt<T>(task: () => Promise<T>): Promise<T>;
  /** It cannot be interrupted any more. */
  readonly isOver: boolean;
  /** Resolves when it is over. */
  readonly ended: Promise<TurnOutcome>;
  /** Tells its outcome to whoever gave it input. */
  settle(outcome: TurnOutcome): void;
}

/**
 * Runs one turn: the user's input, or what the path was left with, until there is an answer or a reason why not.
 */
export function startTurn(conversation: Conversation, input?: QueuedInput): Turn {
  let controller = new AbortController();
  let isStopped = false;
  let isOver = false;
  const interruptions: (() => Promise<void>)[] = [];
  const steered: QueuedInput[] = [];
  const progress: Progress = { recovered: false, attempts: 0 };

  const interrupted = async () => {
    for (let task = interruptions.shift(); task; task = interruptions.shift()) await task();
  };

  const run = async (): Promise<TurnOutcome> => {
    let prompts: readonly Prompt[] = input ? [input.message] : [];
    for (;;) {
      const { signal } = controller;
      const end = await runLoop(conversation, prompts, signal);
      steered.push(...end.steered);
      const step = await nextStep(conversation, end, progress, signal);
      if (step.kind === "done" && step.outcome.status === "answered") return step.outcome;
      prompts = step.kind === "again" ? step.prompts : [];
      if (interruptions.length > 0) {
        await interrupted();
        controller = new AbortController();
        const goesOn = conversation.session.settings["compaction.autoContinue"] && (await isUnanswered(conversation));
        if (!isStopped && goesOn) continue;
        return { status: "aborted" };
      }
      if (isStopped) return { status: "aborted" };
      if (step.kind === "done") return step.outcome;
    }
  };

  const ended = run()
    .catch((error: unknown): TurnOutcome => ({ status: "failed", error: coded(error) }))
    .then(async (outcome) => {
      await conversation.session.endTurn().catch(() => undefined);
      // Nothing comes between the last one and the end: it would wait for ever.
      while (interruptions.length > 0) await interrupted();
      isOver = true;
      return outcome;
    });

  return {
    get isOver() {
      return isOver;
    },
    ended,
    settle(outcome) {
      input?.settle(outcome);
      for (const each of steered) each.settle(outcome);
    },
    stop() {
      isStopped = true;
      controller.abort();
    },
    interrupt<T>(task: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        interruptions.push(() => task().then(resolve, reject));
        controller.abort();
      });
    },
  };
}

/** True when the model owes an answer: what it sees ends in the user's words or in results of tools. */
export async function isUnanswered({ session }: Conversation): Promise<boolean> {
  const { messages } = await session.context();
  const last = messages.at(-1)?.message.role;
  return last !== undefined && last !== "system" && last !== "assistant";
}
