import type { ModelRef } from "../context/projection.ts";
import type { Entry } from "../session/entry.ts";
import type { AssistantMessage } from "../session/message.ts";
import { type ClassifiedError, classifyError } from "./overflow.ts";

/** An overflow and how it was told: by an error, by a usage above the window, or by a reply that had no room. */
export interface Overflow {
  readonly entryId: string;
  readonly by: "error" | "silent" | "no-room";
  readonly error?: ClassifiedError;
}

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
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index];
    if (entry?.type === "compaction") return undefined;
    if (entry?.type !== "message" || entry.message?.role !== "assistant") continue;
    return isOf(entry.message, model) ? overflowOf(entry.id, entry.message, window) : undefined;
  }
  return undefined;
}

function overflowOf(entryId: string, message: AssistantMessage, window: number): Overflow | undefined {
  if (silentOverflow(message, window)) return { entryId, by: "silent" };
  if (emptyLengthStop(message, window)) return { entryId, by: "no-room" };
  if (message.stopReason !== "error" || typeof message.errorMessage !== "string") return undefined;
  const provider = typeof message.provider === "string" ? { provider: message.provider } : {};
  const error = classifyError({ message: message.errorMessage, ...provider });
  return error.kind === "overflow" ? { entryId, by: "error", error } : undefined;
}

function isOf(message: AssistantMessage, model: ModelRef | null): boolean {
  if (model === null) return true;
  if (typeof message.model === "string" && message.model !== model.modelId) return false;
  return typeof message.provider !== "string" || message.provider === model.provider;
}

function sentTokens({ usage }: AssistantMessage): number {
  return finite(usage?.input) + finite(usage?.cacheRead) + finite(usage?.cacheWrite);
}

const finite = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
