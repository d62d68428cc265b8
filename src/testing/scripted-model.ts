import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";

/** A text that stopped normally, a reply in full, or what follows from the request. */
export type ScriptedModelReply = string | ModelReply | ((request: ModelRequest) => string | ModelReply);

export interface ScriptedModel extends Model {
  /** All requests so far. */
  readonly requests: readonly ModelRequest[];
}

/** A model that answers from a script, one reply a request, the last one for all that follow. Windows in tokens. */
export function scriptedModel(
  replies: readonly ScriptedModelReply[],
  facts: Partial<Pick<Model, "id" | "contextWindow" | "maxTokens" | "reasoning">> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted/model",
    provider: "scripted",
    contextWindow: 200_000,
    maxTokens: 32_000,
    ...facts,
    requests,
    async complete(request, signal) {
      if (signal.aborted) return { kind: "aborted" };
      const scripted = replies[requests.length] ?? replies.at(-1) ?? "";
      requests.push(request);
      const reply = typeof scripted === "function" ? scripted(request) : scripted;
      return typeof reply === "string" ? { kind: "reply", text: reply, stopReason: "stop", toolCalls: 0 } : reply;
    },
  };
}
