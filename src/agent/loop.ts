import type { AgentContext, AgentEvent, AgentLoopConfig, AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import type { Message as PiMessage } from "@earendil-works/pi-ai";
import { convertToLlm } from "../core/context/render.ts";
import type { AssistantMessage, UserMessage } from "../core/session/message.ts";
import type { ChatModel } from "../ports/chat-model.ts";
import { checkContext, serveCompactCalls } from "./checks.ts";
import type { Conversation } from "./conversation.ts";
import type { QueuedInput } from "./input-queue.ts";
import { declareUse } from "./model-use.ts";
import { record, type SyntheticMessage } from "./recorder.ts";

export type Prompt = UserMessage | SyntheticMessage;

/** How one run of the loop ended. */
export interface LoopEnd {
  /** Its newest reply, as it was stored. */
  readonly reply?: AssistantMessage;
  /** How many there were; all but the newest were whole. */
  readonly replies: number;
  /** What broke it off; an abort is no error of its own. */
  readonly error?: unknown;
  /** The steering input that it took up. */
  readonly steered: readonly QueuedInput[];
}

/** Providers check the sum of prompt and reply; our count of the prompt may be a little short. */
const SLACK = 0.02;
/** The longest reply that is asked for, whatever the model could write. */
const LONGEST_REPLY = 32_000;
const SHORTEST_REPLY = 256;

/**
 * How one run of the loop ended that begins with `prompts`, or without any goes on from the path.
 *
 * Every message is stored when it is complete. Each request is made of what the session says the model sees [X1]; before
 * each one the context is checked [T5]. Never rejects. Events come in pairs also when the run breaks off.
 */
export async function runLoop(
  conversation: Conversation,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<LoopEnd> {
  const { loop, events, queue } = conversation;
  const stored = new Set<unknown>();
  const open = { agent: false, turn: false };
  let taken: QueuedInput[] = [];
  let reply: AssistantMessage | undefined;
  let replies = 0;
  let error: unknown;

  const emit = async (event: AgentEvent) => {
    if (event.type === "agent_start") open.agent = true;
    if (event.type === "agent_end") open.agent = false;
    if (event.type === "turn_start") open.turn = true;
    if (event.type === "turn_end") open.turn = false;
    if (event.type !== "message_end") return events.emit(event);
    const entries = await record(conversation, event.message);
    stored.add(event.message);
    if (event.message.role === "assistant") {
      reply = event.message as AssistantMessage;
      replies++;
    }
    events.emit(event);
    if (entries.length > 0) events.emit({ type: "message_stored", entryIds: entries.map(({ id }) => id) });
  };
  const steering = () => {
    const inputs = queue.takeSteering();
    taken = [...taken, ...inputs];
    return inputs.map(({ message }) => message as AgentMessage);
  };

  try {
    await declareUse(conversation.session, conversation.use);
    const context = await contextOf(conversation);
    const asked: Asked = { model: conversation.use.model };
    const config = configOf(conversation, steering, asked, signal);
    const stream = streamOf(conversation, asked);
    if (prompts.length > 0) {
      await loop.runAgentLoop([...prompts] as AgentMessage[], context, config, emit, signal, stream);
    } else {
      await loop.runAgentLoopContinue(context, config, emit, signal, stream);
    }
  } catch (thrown) {
    error = thrown;
    if (open.turn) events.emit({ type: "turn_end", message: failureOf(conversation, thrown, signal), toolResults: [] });
    if (open.agent) events.emit({ type: "agent_end", messages: [] });
  }
  await serveCompactCalls(conversation, AbortSignal.abort()).catch((thrown: unknown) => {
    error ??= thrown;
  });
  conversation.lateResults.placeAt(conversation.session.leafId);
  queue.putBack(taken.filter(({ message }) => !stored.has(message)));
  const steered = taken.filter(({ message }) => stored.has(message));
  return { ...(reply && { reply }), replies, ...(error !== undefined && { error }), steered };
}

/** What the model sees, as the loop takes it; a fresh array, since the loop writes into it. */
async function contextOf({ session, tools }: Conversation): Promise<AgentContext> {
  const { messages } = await session.context();
  return { messages: convertToLlm(messages) as AgentMessage[], tools: [...tools] };
}

/** Whom the request goes to that was prepared last; another model may be chosen before it is sent. */
interface Asked {
  model: ChatModel;
}

function configOf(
  conversation: Conversation,
  steering: () => AgentMessage[],
  asked: Asked,
  signal: AbortSignal,
): AgentLoopConfig {
  const { session, use } = conversation;
  const { model, thinkingLevel } = use;
  let checked = "";
  const state = () => `${session.leafId} ${use.model.id} ${session.settings.contextWindow}`;
  // Once for each state: what did not help a moment ago does not help now. Again for a model taken meanwhile.
  const check = async () => {
    signal.throwIfAborted();
    while (checked !== state()) {
      const { model } = use;
      await checkContext(conversation, signal);
      if (use.model === model) checked = state();
      signal.throwIfAborted();
    }
  };
  return {
    model: model.definition,
    ...(thinkingLevel !== "off" && { reasoning: thinkingLevel }),
    sessionId: session.header.id,
    identity: { attribution: null },
    convertToLlm: (messages) => messages as PiMessage[],
    getSteeringMessages: async () => (signal.aborted ? [] : steering()),
    async prepareNextTurn() {
      signal.throwIfAborted();
      await serveCompactCalls(conversation, signal);
      await check();
      return undefined;
    },
    async prepareRequest() {
      for (;;) {
        await check();
        const { model, thinkingLevel } = use;
        const context = await contextOf(conversation);
        if (use.model !== model) continue;
        asked.model = model;
        return { context, model: model.definition, thinkingLevel };
      }
    },
  };
}

function streamOf({ session }: Conversation, asked: Asked): StreamFn {
  return (definition, context, options) => {
    const { model } = asked;
    const { contextWindow } = session.settings;
    const room = Math.floor(contextWindow * (1 - SLACK)) - session.measure().tokens;
    const maxTokens = Math.max(SHORTEST_REPLY, Math.min(model.maxTokens, LONGEST_REPLY, room));
    return model.stream(definition, context, { ...options, maxTokens });
  };
}

/** What the loop would have told of a reply that never was. */
function failureOf({ use: { model } }: Conversation, error: unknown, signal: AbortSignal): AgentMessage {
  const { provider, modelId } = model;
  return {
    role: "assistant",
    content: [],
    api: model.definition.api,
    provider,
    model: modelId,
    usage: NO_USAGE,
    stopReason: signal.aborted ? "aborted" : "error",
    errorMessage: error instanceof Error ? error.message : String(error),
    timestamp: 0,
  };
}

const NO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
