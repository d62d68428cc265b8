import { setTimeout } from "node:timers/promises";
import type { Api, AssistantMessage, AssistantMessageEventStream, Message, Model } from "@earendil-works/pi-ai";
import { estimateContext, scriptCounter } from "../core/context/tokens.ts";
import type { Message as SessionMessage } from "../core/session/message.ts";
import type { ChatModel, ReplyFailure } from "../ports/chat-model.ts";
import { answerTokens } from "./wire/format.ts";

/** Tokens are counted from request and reply unless given; `delayMs` passes before each part of the reply. */
export interface ScriptedChatAnswer {
  readonly text?: string;
  readonly thinking?: string;
  /** Without an `id` each gets one that no other has. */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments?: object }[];
  readonly stopReason?: "stop" | "length" | "toolUse";
  readonly usage?: { readonly input?: number; readonly output?: number };
  readonly delayMs?: number;
  /** The reply fails after what it has said. */
  readonly error?: {
    readonly message: string;
    readonly status?: number;
    readonly code?: string;
    readonly retryAfterMs?: number;
  };
  /** No end comes until the request is aborted. */
  readonly hang?: true;
}

export type ScriptedChatReply = string | ScriptedChatAnswer;

/** Replies in the order of the requests, the last one for all that follow; or what each request gets. */
export type ChatScript =
  | readonly ScriptedChatReply[]
  | ((
      messages: readonly Message[],
      number: number,
      signal: AbortSignal,
    ) => ScriptedChatReply | Promise<ScriptedChatReply>);

export interface ScriptedChatModel extends ChatModel {
  /** The messages of all requests so far. */
  readonly requests: readonly (readonly Message[])[];
}

const PIECE = 40;
let models = 0;

/**
 * A chat model that answers from a script, in this process and without a network, as streams of the package pi-ai, which
 * is loaded with the first request.
 *
 * Windows are in tokens, 200,000 by default. It keeps every request and obeys the abort signal.
 */
export function scriptedChatModel(
  script: ChatScript,
  facts: Partial<Pick<ChatModel, "provider" | "modelId" | "contextWindow" | "maxTokens">> = {},
): ScriptedChatModel {
  const { provider = "scripted", modelId = "model", contextWindow = 200_000, maxTokens = 32_000 } = facts;
  const requests: (readonly Message[])[] = [];
  const instance = models++;
  const definition: Model<Api> = {
    id: modelId,
    name: modelId,
    api: "scripted",
    provider,
    baseUrl: "",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow,
    maxTokens,
  };
  return {
    id: `${provider}/${modelId}`,
    provider,
    modelId,
    contextWindow,
    maxTokens,
    definition,
    requests,
    async stream(_, { messages }, { signal = new AbortController().signal } = {}) {
      const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai/utils/event-stream");
      const stream = createAssistantMessageEventStream();
      const number = requests.length;
      // The loop writes on in its own array.
      requests.push([...messages]);
      const reply = blank(definition, estimateContext(messages as readonly SessionMessage[], scriptCounter));
      void (async () => {
        const scripted =
          typeof script === "function"
            ? await script(messages, number, signal)
            : (script[number] ?? script.at(-1) ?? "");
        const answer = typeof scripted === "string" ? { text: scripted } : scripted;
        await say(stream, reply, answer, signal, `call_${instance}_${number}`);
      })().catch((error: unknown) => end(stream, reply, "error", { errorMessage: String(error) }));
      return stream;
    },
  };
}

async function say(
  stream: AssistantMessageEventStream,
  partial: AssistantMessage,
  answer: ScriptedChatAnswer,
  signal: AbortSignal,
  callId: string,
): Promise<void> {
  const { text = "", thinking = "", error, delayMs = 0 } = answer;
  const calls = (answer.toolCalls ?? []).map((call, n) => {
    return {
      type: "toolCall" as const,
      id: call.id ?? `${callId}_${n}`,
      name: call.name,
      arguments: { ...call.arguments },
    };
  });
  const { content, usage } = partial;
  const waited = async () => {
    if (delayMs > 0) await pause(delayMs, signal);
    return !signal.aborted;
  };
  stream.push({ type: "start", partial });
  if (thinking !== "" && (await waited())) {
    const block = { type: "thinking" as const, thinking: "" };
    const contentIndex = content.push(block) - 1;
    stream.push({ type: "thinking_start", contentIndex, partial });
    for (const delta of pieces(thinking)) {
      if (!(await waited())) break;
      block.thinking += delta;
      stream.push({ type: "thinking_delta", contentIndex, delta, partial });
    }
    stream.push({ type: "thinking_end", contentIndex, content: block.thinking, partial });
  }
  if (text !== "" && (await waited())) {
    const block = { type: "text" as const, text: "" };
    const contentIndex = content.push(block) - 1;
    stream.push({ type: "text_start", contentIndex, partial });
    for (const delta of pieces(text)) {
      if (!(await waited())) break;
      block.text += delta;
      stream.push({ type: "text_delta", contentIndex, delta, partial });
    }
    stream.push({ type: "text_end", contentIndex, content: block.text, partial });
  }
  for (const toolCall of calls) {
    if (!(await waited())) break;
    const contentIndex = content.push(toolCall) - 1;
    stream.push({ type: "toolcall_start", contentIndex, partial });
    for (const delta of pieces(JSON.stringify(toolCall.arguments))) {
      stream.push({ type: "toolcall_delta", contentIndex, delta, partial });
    }
    stream.push({ type: "toolcall_end", contentIndex, toolCall, partial });
  }
  if (answer.hang && !signal.aborted) await pause(2 ** 31 - 1, signal);
  if (signal.aborted) return end(stream, partial, "aborted", { errorMessage: "The request was aborted." });
  usage.input = answer.usage?.input ?? usage.input;
  usage.output = answer.usage?.output ?? answerTokens({ text, thinking, toolCalls: calls });
  usage.totalTokens = usage.input + usage.output;
  if (error) {
    const { message, status, code, retryAfterMs } = error;
    const cause: ReplyFailure = {
      ...(status !== undefined && { errorStatus: status }),
      ...(code !== undefined && { errorCode: code }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
    return end(stream, partial, "error", { errorMessage: message, ...cause });
  }
  const reason = answer.stopReason ?? (calls.length > 0 ? "toolUse" : "stop");
  stream.push({ type: "done", reason, message: { ...partial, stopReason: reason } });
}

function end(
  stream: AssistantMessageEventStream,
  partial: AssistantMessage,
  reason: "aborted" | "error",
  failure: ReplyFailure & { readonly errorMessage: string },
): void {
  stream.push({ type: "error", reason, error: { ...partial, ...failure, stopReason: reason } });
}

function blank({ api, provider, id }: Model<Api>, input: number): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content: [],
    api,
    provider,
    model: id,
    usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: input, cost },
    stopReason: "stop",
    timestamp: Date.now(),
  };
}

const pieces = (text: string) => text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];

/** Ends with the time or at the abort. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
