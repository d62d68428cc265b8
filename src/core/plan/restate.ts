import { toolCallsOf } from "../context/blocks.ts";
import { saidByUser } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { CompactionEntry } from "../session/entry.ts";
import { safeJson } from "./json.ts";
import type { LastRequest, OpenCall } from "./plan.ts";

/**
 * The newest request among `messages` that the user made and no program in the user's name, word for word [P5, V6].
 *
 * Without one it is the request that the summary in force had restated, or undefined. Images and what programs put into
 * the message are left out.
 */
export function lastRequestOf(
  messages: readonly ContextMessage[],
  previous: CompactionEntry | null,
): LastRequest | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const source = messages[at];
    const text = source && !source.synthetic ? saidByUser(source.message) : "";
    if (source && text !== "") return { entryId: source.entryId, text };
  }
  return restatedBefore(previous);
}

/** The calls at the end of `messages` that still wait for their result [P5]. */
export function openCallsOf(messages: readonly ContextMessage[]): OpenCall[] {
  const waiting = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at--) {
    const source = messages[at];
    if (source?.message.role === "toolResult") {
      if (source.synthetic) waiting.add(source.message.toolCallId);
      continue;
    }
    if (source?.message.role !== "assistant") break;
    const { entryId, message } = source;
    const calls = toolCallsOf(message).filter((call) => waiting.has(call.id));
    return calls.map((call) => ({ entryId, name: call.name, arguments: call.arguments }));
  }
  return [];
}

/** One open call as it is restated and counted: its name and its arguments in JSON. Never throws. */
export function openCallText(call: OpenCall): string {
  return `${call.name}(${safeJson(call.arguments)})`;
}

/** A turn that is compacted again while it goes on is still about it, and nothing else tells its words. */
function restatedBefore(previous: CompactionEntry | null): LastRequest | undefined {
  const own = previous?.details?.espalier;
  const request = typeof own === "object" && own !== null && "lastRequest" in own ? own.lastRequest : undefined;
  if (typeof request !== "object" || request === null || !("entryId" in request) || !("text" in request)) return;
  const { entryId, text } = request;
  return typeof entryId === "string" && typeof text === "string" ? { entryId, text } : undefined;
}
