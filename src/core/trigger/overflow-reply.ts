import type { ModelRef } from "../context/projection.ts";
import type { Entry } from "../session/entry.ts";
import type { AssistantMessage } from "../session/message.ts";
import { type ClassifiedError, classifyError, type ErrorFacts } from "./overflow.ts";

/**
 * An overflow and how it was told: by an error, by a usage above the window, by a reply that had no room, or by a usage
 * that no longer grows. `refused`: the request was too large in bytes, not in tokens.
 */
export interface Overflow {
  readonly entryId: string;
  readonly by: "error" | "silent" | "no-room" | "plateau" | "refused";
  readonly error?: ClassifiedError;
}

type Loose = { readonly [field: string]: unknown };

/** Below this share of the window a reply without output has another cause. */
const FULL = 0.99;

/**
 * True when a reply came although more was sent than fits into `window` tokens [T4].
 *
 * Such servers cut the input without a word. Errors and aborted replies prove nothing.
 */
export function silentOverflow(message: AssistantMessage, window: number): boolean {
  if (message.stopReason === "error" || message.stopReason === "aborted") return false;
  return sentTokens(message) > window;
}

/**
 * True when a reply stopped at its length without any output, since the input had filled the window [T4].
 *
 * A reply that used its own output limit up in a window with room is no overflow.
 */
export function emptyLengthStop(message: AssistantMessage, window: number): boolean {
  if (message.stopReason !== "length") return false;
  const blocks = Array.isArray(message.content) ? message.content : [];
  const empty = blocks.length === 0 || finite(message.usage?.output) === 0;
  return empty && sentTokens(message) >= window * FULL;
}

/**
 * The overflow that the newest reply of a path tells of, or undefined [T4].
 *
 * It counts only if it is of the current model and no compaction stands after it. `model` null: any model.
 */
export function newestOverflow(path: readonly Entry[], model: ModelRef | null, window: number): Overflow | undefined {
  const reply = newestReply(path, model, "compaction");
  return reply && overflowOf(reply.entryId, reply.message, window);
}

/**
 * The refusal of a request that was too large in bytes, when the newest reply tells of one, or undefined [T4].
 *
 * It counts only if it is of the current model and neither a compaction nor an edit stands after it.
 */
export function newestRefusal(path: readonly Entry[], model: ModelRef | null): Overflow | undefined {
  const reply = newestReply(path, model, "compaction", "context_edit");
  if (reply?.message.stopReason !== "error") return undefined;
  const error = classifyError(failureFacts(reply.message));
  return error.kind === "payload" ? { entryId: reply.entryId, by: "refused", error } : undefined;
}

/** The newest reply of a path, if it is of `model` and no entry of the types `outdated` stands after it. */
function newestReply(
  path: readonly Entry[],
  model: ModelRef | null,
  ...outdated: readonly Entry["type"][]
): { readonly entryId: string; readonly message: AssistantMessage } | undefined {
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index];
    if (!entry || outdated.includes(entry.type)) return undefined;
    if (entry.type !== "message" || entry.message?.role !== "assistant") continue;
    return isOf(entry.message, model) ? { entryId: entry.id, message: entry.message } : undefined;
  }
  return undefined;
}

function overflowOf(entryId: string, message: AssistantMessage, window: number): Overflow | undefined {
  if (silentOverflow(message, window)) return { entryId, by: "silent" };
  if (emptyLengthStop(message, window)) return { entryId, by: "no-room" };
  if (message.stopReason !== "error") return undefined;
  const error = classifyError(failureFacts(message));
  return error.kind === "overflow" ? { entryId, by: "error", error } : undefined;
}

/** What a failed reply says of its cause, read without trust: text, and the status and code that HTTP said [T4]. */
export function failureFacts(message: AssistantMessage): ErrorFacts {
  const { errorMessage, errorStatus, errorCode, provider }: Loose = { ...message };
  return {
    message: typeof errorMessage === "string" ? errorMessage : "",
    ...(typeof errorStatus === "number" && { status: errorStatus }),
    ...(typeof errorCode === "string" && { code: errorCode }),
    ...(typeof provider === "string" && { provider }),
  };
}

function isOf(message: AssistantMessage, model: ModelRef | null): boolean {
  if (model === null) return true;
  if (typeof message.model === "string" && message.model !== model.modelId) return false;
  return typeof message.provider !== "string" || message.provider === model.provider;
}

/** Tokens of the request that a reply answered, as the provider counts them; 0 where it does not say. */
export function sentTokens({ usage }: AssistantMessage): number {
  return finite(usage?.input) + finite(usage?.cacheRead) + finite(usage?.cacheWrite);
}

const finite = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
