import type { StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, AssistantMessageEvent, AssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { ChatModel, ReplyFailure } from "../ports/chat-model.ts";
import { failureSentence, nameOf, textOf } from "./failure.ts";
import { type FoundModel, findModel, IDENTITY } from "./find.ts";
import { withoutKeys } from "./keys.ts";
import type { OpenModelOptions } from "./open.ts";
import { type Api, loadStreams, type PiModel } from "./pi-ai.ts";
import { createTransport, replyBytes, type Seen } from "./transport.ts";

const SILENCE = 300_000;
/** An aborted client has so long to hand back what it counted. */
const GRACE = 50;

/**
 * A model that holds a conversation with tools, found as by `openModel`.
 *
 * Here `timeoutMs` is how long the server may send nothing, not how long a reply may take. Keys go to the model's own
 * host and appear in no message. Rejects `MODEL_UNKNOWN`, `KEY_MISSING`, `PACKAGE_MISSING`, `USAGE`.
 */
export async function openChatModel(options: OpenModelOptions): Promise<ChatModel> {
  const found = await findModel({ ...options, env: options.env ?? process.env });
  const { createAssistantMessageEventStream } = await loadStreams();
  const { model } = found;
  return {
    id: `${model.provider}/${model.id}`,
    provider: model.provider,
    modelId: model.id,
    contextWindow: model.contextWindow,
    maxTokens: model.maxTokens,
    definition: model,
    stream(_, context, asked = {}) {
      const stream = createAssistantMessageEventStream();
      void answer(found, context, asked, options.timeoutMs ?? SILENCE, stream);
      return stream;
    },
  };
}

/** Asks once and hands every event to `stream`, whose last one is the reply, whatever happens. */
async function answer(
  { model, models, apiKey, secrets }: FoundModel,
  context: Parameters<StreamFn>[1],
  asked: NonNullable<Parameters<StreamFn>[2]>,
  silenceMs: number,
  stream: AssistantMessageEventStream,
): Promise<void> {
  const over = new AbortController();
  const abort = () => over.abort();
  let silent = false;
  const timer = setTimeout(() => {
    silent = true;
    abort();
  }, silenceMs);
  asked.signal?.addEventListener("abort", abort, { once: true });
  if (asked.signal?.aborted) abort();
  const { fetch, seen } = createTransport(replyBytes(asked.maxTokens ?? model.maxTokens), over.signal, () => {
    timer.refresh();
  });

  let begun = nothingFrom(model);
  let end: Extract<AssistantMessageEvent, { type: "done" | "error" }> | undefined;
  let thrown: unknown;
  let settled = false;
  async function forward(): Promise<void> {
    try {
      const events = models.streamSimple(model, context, {
        ...asked,
        signal: over.signal,
        fetch,
        transport: "sse",
        identity: IDENTITY,
        maxRetries: 0,
        // The client's own limit counts from the start; ours must come first.
        timeoutMs: silenceMs * 2,
        ...(apiKey && { apiKey }),
      });
      for await (const event of events) {
        if (settled) return;
        if (event.type === "done" || event.type === "error") end = event;
        else {
          begun = event.partial;
          stream.push(event);
        }
      }
    } catch (error) {
      thrown = error;
    }
  }
  if (!over.signal.aborted) await Promise.race([forward(), soonAfter(over.signal)]);
  settled = true;
  clearTimeout(timer);
  asked.signal?.removeEventListener("abort", abort);

  if (end?.type === "done") return void stream.push(end);
  const reason = asked.signal?.aborted ? "aborted" : "error";
  // The client may still write into what it began.
  const reply = end?.error ?? { ...begun, content: begun.content.map((block) => ({ ...block })) };
  const said = () => failureSentence(model, seen, reply.errorMessage ?? textOf(thrown));
  const message =
    reason === "aborted"
      ? "The request was aborted."
      : silent
        ? `${nameOf(model)} sent nothing for ${silenceMs / 1000} s.`
        : said();
  Object.assign(reply, { stopReason: reason, errorMessage: withoutKeys(message, secrets) });
  if (reason === "error") Object.assign(reply, causeOf(silent ? { ...seen, code: "TIMEOUT" } : seen));
  stream.push({ type: "error", reason, error: reply });
}

function causeOf({ status = 0, code, retryAfterMs }: Seen): ReplyFailure {
  return {
    ...(status >= 400 && { errorStatus: status }),
    ...(code !== undefined && { errorCode: code }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const soonAfter = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => setTimeout(resolve, GRACE), { once: true });
  });

function nothingFrom(model: PiModel<Api>): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: "error",
    timestamp: Date.now(),
  };
}
