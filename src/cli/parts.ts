import type { ContextMessage } from "../core/context/projection.ts";
import { estimateMessage, scriptCounter } from "../core/context/tokens.ts";
import type { Message } from "../core/session/message.ts";
import type { Part } from "./render/bar.ts";

/** Kinds of content, in the order that bars and tables show them. */
export const KINDS = ["system", "summary", "user", "assistant", "tool results", "other"] as const;
export type Kind = (typeof KINDS)[number];

const KIND_OF: Readonly<Record<string, Kind>> = {
  system: "system",
  developer: "system",
  compactionSummary: "summary",
  branchSummary: "summary",
  user: "user",
  bashExecution: "user",
  pythonExecution: "user",
  fileMention: "user",
  assistant: "assistant",
  toolResult: "tool results",
};

export const kindOf = (message: Message): Kind => KIND_OF[message.role] ?? "other";

/** Tokens of one message as it will be sent [T1]. */
export const tokensOf = (message: Message): number => estimateMessage(message, scriptCounter);

/** Tokens of `messages` by kind, kinds that are absent left out. */
export function partsOf(messages: readonly ContextMessage[]): Part[] {
  const tokens = new Map<Kind, number>();
  for (const { message } of messages) {
    const kind = kindOf(message);
    tokens.set(kind, (tokens.get(kind) ?? 0) + tokensOf(message));
  }
  return KINDS.flatMap((kind) => (tokens.has(kind) ? [{ kind, tokens: tokens.get(kind) ?? 0 }] : []));
}
