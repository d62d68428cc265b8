import type { Api, Model as PiModel, ProviderStreams } from "@earendil-works/pi-ai";
import type { createModels, createProvider } from "@earendil-works/pi-ai/models";
import type { builtinModels } from "@earendil-works/pi-ai/providers/all";
import type { createAssistantMessageEventStream } from "@earendil-works/pi-ai/utils/event-stream";
import { EspalierError } from "../errors.ts";

export type { Api, PiModel, ProviderStreams };

/** The wire formats that can be chosen for a server of one's own. */
export const MODEL_APIS = ["openai-chat", "openai-responses", "anthropic", "google"] as const;
export type ModelApi = (typeof MODEL_APIS)[number];

/** pi-ai's names for them. */
export const PI_API: Readonly<Record<ModelApi, Api>> = {
  "openai-chat": "openai-completions",
  "openai-responses": "openai-responses",
  anthropic: "anthropic-messages",
  google: "google-generative-ai",
};

/** The part of pi-ai that sends requests. Rejects `PACKAGE_MISSING`. */
export function loadModels(): Promise<{ createModels: typeof createModels; createProvider: typeof createProvider }> {
  return load(() => import("@earendil-works/pi-ai/models"));
}

/** pi-ai's catalogue of providers and models. Rejects `PACKAGE_MISSING`. */
export function loadCatalogue(): Promise<{ builtinModels: typeof builtinModels }> {
  return load(() => import("@earendil-works/pi-ai/providers/all"));
}

/** pi-ai's streams of replies. Rejects `PACKAGE_MISSING`. */
export function loadStreams(): Promise<{
  createAssistantMessageEventStream: typeof createAssistantMessageEventStream;
}> {
  return load(() => import("@earendil-works/pi-ai/utils/event-stream"));
}

/** How one wire format is spoken; its client is loaded, so that no request waits for it. Rejects `PACKAGE_MISSING`. */
export async function loadApi(api: ModelApi): Promise<ProviderStreams> {
  switch (api) {
    case "openai-chat":
      await load(() => import("@earendil-works/pi-ai/api/openai-completions"));
      return (await import("@earendil-works/pi-ai/api/openai-completions.lazy")).openAICompletionsApi();
    case "openai-responses":
      await load(() => import("@earendil-works/pi-ai/api/openai-responses"));
      return (await import("@earendil-works/pi-ai/api/openai-responses.lazy")).openAIResponsesApi();
    case "anthropic":
      await load(() => import("@earendil-works/pi-ai/api/anthropic-messages"));
      return (await import("@earendil-works/pi-ai/api/anthropic-messages.lazy")).anthropicMessagesApi();
    case "google":
      await load(() => import("@earendil-works/pi-ai/api/google-generative-ai"));
      return (await import("@earendil-works/pi-ai/api/google-generative-ai.lazy")).googleGenerativeAIApi();
  }
}

async function load<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const name = "@earendil-works/pi-ai";
    const message = `Models are asked by the package ${name}, which is not here: run "npm install ${name}" (Node 22.19 or newer).`;
    throw new EspalierError("PACKAGE_MISSING", message, { package: name }, cause);
  }
}
