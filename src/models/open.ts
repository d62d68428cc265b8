import type { Usage } from "../core/session/message.ts";
import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";
import { failureSentence, nameOf, textOf } from "./failure.ts";
import { type FoundModel, findModel, type ModelChoice } from "./find.ts";
import { withoutKeys } from "./keys.ts";
import { createTransport, replyBytes, type Seen } from "./transport.ts";

export interface OpenModelOptions extends Omit<ModelChoice, "env"> {
  /** Where keys are; the process's own by default. */
  readonly env?: ModelChoice["env"];
  /** Of a whole request, in milliseconds; 5 minutes by default. */
  readonly timeoutMs?: number;
}

type Answer = Awaited<ReturnType<FoundModel["models"]["completeSimple"]>>;
type Ended = "timeout" | "aborted" | "answered";

const TIMEOUT = 300_000;
/** No tokenizer puts more into one token on average. */
const CHARS_PER_TOKEN = 16;

/**
 * A model behind the port: one of pi-ai's catalogue, one defined in the settings, or any server that speaks one of the
 * four wire formats.
 *
 * Keys come from the environment, go to the model's own host and appear in no message. A request ends after
 * `timeoutMs`, whatever the server does. Rejects `MODEL_UNKNOWN`, `KEY_MISSING`, `PACKAGE_MISSING`, `USAGE`.
 */
export async function openModel(options: OpenModelOptions): Promise<Model> {
  const found = await findModel({ ...options, env: options.env ?? process.env });
  const { model } = found;
  const timeoutMs = options.timeoutMs ?? TIMEOUT;
  return {
    id: `${model.provider}/${model.id}`,
    provider: model.provider,
    contextWindow: model.contextWindow,
    maxTokens: model.maxTokens,
    reasoning: model.reasoning,
    complete: (request, signal) => complete(found, request, timeoutMs, signal),
  };
}

async function complete(
  found: FoundModel,
  request: ModelRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { model, models, apiKey } = found;
  const { systemPrompt, prompt, maxTokens, thinking = "off" } = request;
  if (signal.aborted) return { kind: "aborted" };
  const time = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, time]);
  const transport = createTransport(replyBytes(maxTokens), either);
  let answer: Answer | undefined;
  let thrown: unknown;
  try {
    answer = await orAborted(
      models.completeSimple(
        model,
        { systemPrompt, messages: [{ role: "user", content: prompt, timestamp: 0 }] },
        {
          maxTokens,
          signal: either,
          fetch: transport.fetch,
          maxRetries: 0,
          timeoutMs,
          cacheRetention: "none",
          ...(apiKey && { apiKey }),
          ...(thinking !== "off" && { reasoning: thinking }),
        },
      ),
      either,
    );
  } catch (error) {
    thrown = error;
  }
  const usage = usageOf(answer, found.priced);
  const ended: Ended = signal.aborted ? "aborted" : time.aborted ? "timeout" : "answered";
  if (ended === "aborted") return { kind: "aborted", ...(usage && { usage }) };
  const said = answer && ended === "answered" ? replyOf(answer, maxTokens, transport.seen) : undefined;
  if (said) return { ...said, ...(usage && { usage }) };
  const { status, code, retryAfterMs } = transport.seen;
  const message =
    ended === "timeout"
      ? `${nameOf(model)} did not finish within ${timeoutMs / 1000} s.`
      : failureSentence(model, transport.seen, answer?.errorMessage ?? textOf(thrown));
  return {
    kind: "failed",
    message: withoutKeys(message, found.secrets),
    ...(status !== undefined && { status }),
    ...(ended === "timeout" ? { code: "TIMEOUT" } : code !== undefined && { code }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(usage && { usage }),
  };
}

/** Undefined when the answer is none; `seen` then says more. */
function replyOf(answer: Answer, maxTokens: number, seen: Seen): Extract<ModelReply, { kind: "reply" }> | undefined {
  const { stopReason } = answer;
  if (stopReason !== "stop" && stopReason !== "length" && stopReason !== "toolUse") return undefined;
  let text = "";
  let toolCalls = 0;
  for (const block of answer.content) {
    if (block.type === "text") text += block.text;
    if (block.type === "toolCall") toolCalls++;
  }
  if (text.length > maxTokens * CHARS_PER_TOKEN) {
    seen.code = "REPLY_TOO_LARGE";
    seen.message = "its reply is far longer than what was asked for";
    return undefined;
  }
  return { kind: "reply", text, stopReason, toolCalls };
}

function usageOf(answer: Answer | undefined, priced: boolean): Usage | undefined {
  if (!answer) return undefined;
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = answer.usage;
  if (input + output + cacheRead + cacheWrite + totalTokens === 0) return undefined;
  const { total } = cost;
  const known = {
    input: cost.input,
    output: cost.output,
    cacheRead: cost.cacheRead,
    cacheWrite: cost.cacheWrite,
    total,
  };
  return { input, output, cacheRead, cacheWrite, totalTokens, ...(priced && { cost: known }) };
}

/** Settles when the signal aborts, also while a library still waits for something. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => setTimeout(resolve, GRACE, undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** An aborted library has so long to hand back what it counted. */
const GRACE = 50;
