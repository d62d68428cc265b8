import { aiSdkView } from "./ai-sdk.ts";
import { anthropicView } from "./anthropic.ts";
import { openAiChatView } from "./openai-chat.ts";
import { openAiResponsesView } from "./openai-responses.ts";
import type { ArrayFormat, ArrayView } from "./view.ts";

const VIEWS: Readonly<Record<ArrayFormat, ArrayView>> = {
  anthropic: anthropicView,
  "openai-chat": openAiChatView,
  "openai-responses": openAiResponsesView,
  "ai-sdk": aiSdkView,
};

/** The view of one kind of array. A TypeError names an unknown kind. */
export function viewOf(format: ArrayFormat): ArrayView {
  if (Object.hasOwn(VIEWS, format)) return VIEWS[format];
  throw new TypeError(`Unknown format "${format}"; use one of ${Object.keys(VIEWS).join(", ")}.`);
}
