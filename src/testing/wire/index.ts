import { anthropic } from "./anthropic.ts";
import { type AskedFor, type FakeAnswer, type Json, requestTokens, type Wire, type WireFormat } from "./format.ts";
import { google } from "./google.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

export const WIRES: Readonly<Record<WireFormat, Wire>> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  google,
};

/** The format that a path belongs to, or undefined. */
export function formatOfPath(path: string): WireFormat | undefined {
  if (/\/chat\/completions(\?|$)/.test(path)) return "openai-chat";
  if (/\/responses(\?|$)/.test(path)) return "openai-responses";
  if (/\/messages(\?|$)/.test(path)) return "anthropic";
  return /:(stream)?generateContent/i.test(path) ? "google" : undefined;
}

/** What was asked for, read from a request's path and body. */
export function askedFor(format: WireFormat, path: string, body: Json): AskedFor {
  const { system, tools, maxTokens, messages } = WIRES[format].read(body);
  return {
    model: String(body.model ?? /models\/([^:]+):/.exec(path)?.[1] ?? ""),
    system,
    prompt: messages.map(textOf).filter(Boolean).join("\n"),
    messages,
    tools: tools.map((tool) => String(tool.name)),
    maxTokens,
    streams: body.stream === true || /:streamGenerateContent/i.test(path),
    tokens: requestTokens(system, tools, messages),
  };
}

const textOf = ({ text, results }: AskedFor["messages"][number]) =>
  [text, ...results.map((result) => result.text)].filter(Boolean).join("\n");

/** An answer as the server-sent events of a stream; `piece` is the size of the parts that its text comes in. */
export function streamOf(format: WireFormat, model: string, answer: FakeAnswer, piece = 40): string[] {
  const parts = answer.text.match(new RegExp(`[\\s\\S]{1,${piece}}`, "gu")) ?? [];
  return WIRES[format].stream(model, answer, parts);
}
