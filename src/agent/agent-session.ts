import type { AgentTool } from "@earendil-works/pi-agent-core";
import { createListeners } from "../engine/listeners.ts";
import type { MaintainOutcome } from "../engine/maintain.ts";
import type { NavigateOptions, NavigateOutcome } from "../engine/navigate.ts";
import type { CompactionOutcome } from "../engine/outcome.ts";
import type { Session } from "../engine/session.ts";
import { EspalierError } from "../errors.ts";
import type { ChatModel } from "../ports/chat-model.ts";
import type { ThinkingLevel } from "../ports/model.ts";
import { abortable, maintained } from "./checks.ts";
import { createCompactCalls } from "./compact-calls.ts";
import type { Conversation } from "./conversation.ts";
import type { AgentListener, AgentSessionEvent } from "./events.ts";
import { createInputQueue, type QueuedInput } from "./input-queue.ts";
import { createLane } from "./lane.ts";
import { createLateResults } from "./late-results.ts";
import { declareUse, type ModelUse } from "./model-use.ts";
import { type Input, type TurnOutcome, userMessage } from "./outcome.ts";
import { loadLoop } from "./pi-loop.ts";
import { PATIENCE, type Patience } from "./retry.ts";
import { declareSystem } from "./system-message.ts";
import { createCompactTool } from "./tools/compact.ts";
import { isUnanswered } from "./turn.ts";
import { type ContextUsage, contextUsage, type Spending, spending } from "./usage.ts";

export interface AgentSessionOptions {
  /** Open for writing; the agent session owns it from now on. */
  readonly session: Session;
  readonly model: ChatModel;
  /** What the model may call, beside `compact`; `createTools` makes the usual ones. */
  readonly tools?: readonly AgentTool[];
  readonly systemPrompt?: string;
  /** Tokens; the smaller of it and the model's own window rules. */
  readonly contextWindow?: number;
  /** Default: the path's. */
  readonly thinkingLevel?: ThinkingLevel;
  /** How long a failing provider is waited for. */
  readonly patience?: Partial<Patience>;
  readonly now?: () => number;
}

/** An agent over a session: everything is stored as it happens, and the context is kept under the window [A1]. */
export interface AgentSession {
  readonly session: Session;
  readonly model: ChatModel;
  /** A turn or maintenance is running. */
  readonly isBusy: boolean;
  /**
   * How the turn ended that answers `input`. While something is running the input waits and is delivered once, in
   * order [A4].
   */
  prompt(input: Input): Promise<TurnOutcome>;
  /** The same, but a running turn takes the input up before its next request. */
  steer(input: Input): Promise<TurnOutcome>;
  /** The same as `prompt`: input that begins the next turn. */
  followUp(input: Input): Promise<TurnOutcome>;
  /** Goes on where the path was left without an answer, as after a crash or a failed request; nothing is asked twice. */
  continue(): Promise<TurnOutcome>;
  /** Stops the turn; gives back the input that waited, which is not delivered then. */
  abort(): Promise<readonly Input[]>;
  /** Compacts now; a running turn is broken off for it and then goes on [A2]. */
  compact(instructions?: string): Promise<CompactionOutcome>;
  /** Stops compactions, by hand and automatic ones; the turn goes on [A5]. */
  abortCompaction(): void;
  /** Moves to another entry; a running turn is stopped first [B1]. */
  navigateTree(targetId: string | null, options?: Omit<NavigateOptions, "signal">): Promise<NavigateOutcome>;
  /** The same with a summary of what is left [B4]. */
  branchWithSummary(targetId: string | null, options?: Omit<NavigateOptions, "signal">): Promise<NavigateOutcome>;
  abortBranchSummary(): void;
  /** The model of the next request; its window rules from now on. */
  setModel(model: ChatModel): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  /** Uses idle time: compacts from 85 % of the threshold on. */
  maintainIdle(): Promise<MaintainOutcome>;
  subscribe(listener: AgentListener): () => void;
  contextUsage(): ContextUsage;
  /** Tokens and dollars of all requests of the session, on every branch, summaries included. Reads the whole session. */
  spending(): Promise<Spending>;
  /** Resolves when nothing runs and nothing waits. */
  whenIdle(): Promise<void>;
  /** Stops everything and closes the session. */
  dispose(): Promise<void>;
}

/**
 * An agent session over an open session, on pi's agent loop.
 *
 * The session's path is the only state: a session that was closed or killed in the middle of a turn goes on where it
 * was. Calls without a result are answered with an error by the projection [X5]. Rejects `PACKAGE_MISSING`,
 * `SESSION_READ_ONLY`.
 */
export async function createAgentSession(options: AgentSessionOptions): Promise<AgentSession> {
  const { session, now = Date.now } = options;
  if (session.readOnly) {
    throw new EspalierError("SESSION_READ_ONLY", `${session.location} is open for reading only; an agent writes.`);
  }
  const loop = await loadLoop();
  const events = createListeners<AgentSessionEvent>();
  const queue = createInputQueue(events);
  const compactCalls = createCompactCalls();
  const lateResults = createLateResults(session, now, (error) => warn("LATE_RESULT_LOST", error));
  const tools = [...(options.tools ?? []), createCompactTool(compactCalls.request)].map(lateResults.guard);
  const use: ModelUse = {
    model: options.model,
    thinkingLevel: options.thinkingLevel ?? ((await session.pathSettings()).thinkingLevel as ThinkingLevel),
    largestWindow: options.contextWindow ?? Number.POSITIVE_INFINITY,
  };
  const conversation: Conversation = {
    session,
    loop,
    events,
    queue,
    compactCalls,
    lateResults,
    patience: { ...PATIENCE, ...options.patience },
    tools,
    now,
    maintaining: new Set(),
    use,
  };
  const navigating = new Set<AbortController>();
  const lane = createLane(conversation);
  let isDisposed = false;

  function warn(code: string, error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    events.emit({ type: "warning", warning: { code, message } });
  }
  const unsubscribe = session.on("*", events.emit);

  const submit = async (kind: QueuedInput["kind"], input: Input): Promise<TurnOutcome> => {
    if (isDisposed) return { status: "failed", error: closed(session) };
    const message = userMessage(input, now());
    // Nobody takes steering up but a turn; for everything else the order of typing counts.
    if (lane.isBusy) return queue.add(kind === "steer" && lane.turn ? "steer" : "followUp", message);
    return new Promise((settle) => {
      void lane.take({ kind: "followUp", message, settle });
    });
  };

  const stopTurn = async () => {
    const given = [...lane.callOff(), ...queue.takeAll()];
    for (const { settle } of given) settle({ status: "aborted" });
    const { turn } = lane;
    turn?.stop();
    await turn?.ended;
    return given.map(({ message }) => message.content);
  };

  const navigate = async (targetId: string | null, navigation: Omit<NavigateOptions, "signal"> = {}) => {
    await stopTurn();
    return lane.run(async () => {
      const controller = new AbortController();
      navigating.add(controller);
      try {
        return await session.navigate(targetId, { ...navigation, signal: controller.signal });
      } finally {
        navigating.delete(controller);
      }
    });
  };

  await declareUse(session, use);
  await declareSystem(session, options.systemPrompt, tools, now());

  return {
    session,
    get model() {
      return use.model;
    },
    get isBusy() {
      return lane.isBusy;
    },
    prompt: (input) => submit("followUp", input),
    steer: (input) => submit("steer", input),
    followUp: (input) => submit("followUp", input),

    continue: () =>
      lane.take(undefined, async () => {
        if (isDisposed) return { status: "failed", error: closed(session) };
        const { messages } = await session.context();
        if (messages.every(({ message }) => message.role === "system")) return { status: "nothing", because: "empty" };
        return (await isUnanswered(conversation)) ? undefined : { status: "nothing", because: "answered" };
      }),

    abort: async () => {
      for (const controller of conversation.maintaining) controller.abort();
      return stopTurn();
    },

    compact(instructions) {
      const task = async () => {
        const focus = instructions?.trim() ? { focus: instructions.trim() } : {};
        const outcome = await abortable(conversation, undefined, (signal) => session.compact({ ...focus, signal }));
        if (outcome.status === "compacted") compactCalls.compacted();
        return outcome;
      };
      return lane.turn ? lane.turn.interrupt(task) : lane.run(task);
    },
    abortCompaction() {
      for (const controller of conversation.maintaining) controller.abort();
    },

    navigateTree: navigate,
    branchWithSummary: (targetId, navigation) => navigate(targetId, { ...navigation, summarize: true }),
    abortBranchSummary() {
      for (const controller of navigating) controller.abort();
    },

    setModel(model) {
      use.model = model;
      return declareUse(session, use);
    },
    setThinkingLevel(level) {
      use.thinkingLevel = level;
      return declareUse(session, use);
    },
    maintainIdle: () => lane.run(() => maintained(conversation, { reason: "idle" }, new AbortController().signal)),

    subscribe: events.subscribe,
    contextUsage: () => contextUsage(session),
    spending: () => spending(session),

    async whenIdle() {
      while (lane.isBusy) await lane.run(async () => undefined);
    },

    async dispose() {
      if (isDisposed) return;
      isDisposed = true;
      for (const controller of [...conversation.maintaining, ...navigating]) controller.abort();
      await stopTurn();
      await lane.run(() => session.close());
      unsubscribe();
    },
  };
}

function closed(session: Session): EspalierError {
  return new EspalierError("SESSION_CLOSED", `${session.location} was closed; open it again to go on.`);
}
