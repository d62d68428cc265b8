import { IMAGE_TOKENS, scriptCounter } from "../../core/context/tokens.ts";

/** The four ways of asking a model over HTTP. */
export type WireFormat = "anthropic" | "openai-chat" | "openai-responses" | "google";

export interface WireToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a fake model says. */
export interface FakeAnswer {
  readonly text: string;
  readonly thinking?: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly stop: "stop" | "length";
  /** Tokens, as the reply's usage tells them. */
  readonly input: number;
  readonly output: number;
}

/** One message of a request, whatever its format. Results of tools are a message of their own. */
export interface WireMessage {
  readonly role: "user" | "assistant" | "results";
  readonly text: string;
  /** What its content consists of, however many kinds; none is an empty message. */
  readonly blocks: number;
  readonly images: number;
  readonly toolCalls: readonly WireToolCall[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

/** A request as it was meant, whatever the format. */
export interface AskedFor {
  readonly model: string;
  readonly system: string;
  /** All text that is not the system's. */
  readonly prompt: string;
  readonly messages: readonly WireMessage[];
  /** The names of the tools that were offered. */
  readonly tools: readonly string[];
  readonly maxTokens: number;
  readonly streams: boolean;
  /** How large the request is: the text of it all by the default counter, 1,200 an image, 4 a message. */
  readonly tokens: number;
}

export type Json = Record<string, unknown>;

/** What one format looks like: how a request is read and how an answer is written. */
export interface Wire {
  /** The system prompt, the tools as they were declared, the longest answer allowed, the messages. */
  read(body: Json): { system: string; tools: readonly Json[]; maxTokens: number; messages: WireMessage[] };
  /** The answer as one document. */
  whole(model: string, answer: FakeAnswer): Json;
  /** The answer as server-sent events; `parts` is its text in pieces. */
  stream(model: string, answer: FakeAnswer, parts: readonly string[]): string[];
  error(status: number, message: string, code?: string): Json;
  /** What the provider says to a request of so many tokens where `window` is the most, and its name for it. */
  overflow(tokens: number, window: number): readonly [message: string, code?: string];
}

const MESSAGE_TOKENS = 4;

/** A request's size, as `AskedFor.tokens` tells it. */
export function requestTokens(system: string, tools: readonly Json[], messages: readonly WireMessage[]): number {
  let tokens = scriptCounter.count(system);
  for (const tool of tools) tokens += scriptCounter.count(JSON.stringify(tool));
  for (const { text, images, toolCalls, results } of messages) {
    tokens += MESSAGE_TOKENS + scriptCounter.count(text) + images * IMAGE_TOKENS;
    for (const { name, arguments: args } of toolCalls) {
      tokens += MESSAGE_TOKENS + scriptCounter.count(name) + scriptCounter.count(JSON.stringify(args));
    }
    for (const result of results) tokens += MESSAGE_TOKENS + scriptCounter.count(result.text);
  }
  return tokens;
}

/** An answer's size, counted like a request's. */
export function answerTokens({
  text,
  thinking = "",
  toolCalls,
}: Omit<FakeAnswer, "input" | "output" | "stop">): number {
  let tokens = scriptCounter.count(text) + scriptCounter.count(thinking);
  for (const call of toolCalls) tokens += scriptCounter.count(call.name + JSON.stringify(call.arguments));
  return Math.max(1, tokens);
}

/** One server-sent event. */
export const event = (data: unknown, name?: string) =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** A call's arguments in pieces, as models write them. */
export function argumentParts({ arguments: args }: WireToolCall): string[] {
  const text = JSON.stringify(args);
  return text.match(/[\s\S]{1,64}/gu) ?? [];
}

/** All text of a content, however it is nested. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join("\n");
  const { text, content, parts } = objectOf(value);
  return textIn(text ?? content ?? parts ?? "");
}

export const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** A call's arguments as they were sent: an object, or JSON of one; `{}` for what is neither. */
export function argumentsOf(value: unknown): Json {
  if (typeof value !== "string") return objectOf(value);
  try {
    return objectOf(JSON.parse(value));
  } catch {
    return {};
  }
}

/** A message with what it has; the rest is empty. */
export const message = (role: WireMessage["role"], more: Partial<WireMessage>): WireMessage => ({
  role,
  text: "",
  blocks: 0,
  images: 0,
  toolCalls: [],
  results: [],
  ...more,
});
