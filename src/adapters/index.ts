import type { ContextMessage, ModelRef } from "../core/context/projection.ts";
import type { Message } from "../core/session/message.ts";
import { toAiSdk } from "./ai-sdk.ts";
import { toAnthropic } from "./anthropic.ts";
import { toOpenAiChat } from "./openai-chat.ts";
import { toOpenAiResponses } from "./openai-responses.ts";

export type { AiSdkMessage, AiSdkRequest } from "./ai-sdk.ts";
export type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./anthropic.ts";
export type { ChatMessage } from "./openai-chat.ts";
export type { ResponsesItem } from "./openai-responses.ts";
export { type AutoCompactOptions, type AutoCompactOutcome, autoCompact } from "./pipeline/auto-compact.ts";
export {
  type CompactToolOutcome,
  type CompactTools,
  compactTool,
  handleCompactTool,
} from "./pipeline/compact-tool.ts";
export { type MicroCompactOptions, microCompact } from "./pipeline/micro-compact.ts";
export { type BeforeRequest, createPipeline, type Pipeline, type PipelineOptions } from "./pipeline/pipeline.ts";
export type { ArrayFormat } from "./pipeline/view.ts";
export { toAiSdk, toAnthropic, toOpenAiChat, toOpenAiResponses };

/** Formats a context can be rendered in; `pi` gives the messages as they are stored. */
export const PROVIDER_FORMATS = ["pi", "anthropic", "openai-chat", "openai-responses", "ai-sdk"] as const;

export type ProviderFormat = (typeof PROVIDER_FORMATS)[number];

/** `system` is set where the provider takes the prompt apart from the messages. */
export interface RenderedContext {
  readonly system?: string;
  readonly messages: readonly object[];
}

/**
 * The context in a provider's own form: its array under `messages`, and `system` where that stands apart [X5].
 *
 * `messages` are what `projectContext` gives. `target` is the model that will be asked; signed thinking of other models
 * is then left out. A TypeError names an unknown format.
 */
export function renderFor(
  format: ProviderFormat,
  messages: readonly (ContextMessage | Message)[],
  target: ModelRef | null = null,
): RenderedContext {
  switch (format) {
    case "pi":
      return { messages: messages.map((item) => ("role" in item ? item : item.message)) };
    case "anthropic":
      return toAnthropic(messages, target);
    case "openai-chat":
      return toOpenAiChat(messages);
    case "openai-responses":
      return toOpenAiResponses(messages, target);
    case "ai-sdk":
      return toAiSdk(messages);
    default:
      throw new TypeError(`Unknown format "${format}"; use one of ${PROVIDER_FORMATS.join(", ")}.`);
  }
}
