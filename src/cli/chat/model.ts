import type { Session } from "../../engine/session.ts";
import { EspalierError } from "../../errors.ts";
import type { ModelApi } from "../../models/index.ts";
import type { ChatModel } from "../../ports/chat-model.ts";
import type { Call } from "../answer.ts";
import { tokensOf } from "../summarizer.ts";

const HOW = [
  "  espalier chat --model anthropic/claude-sonnet-4-5 -p 'hello'    with ANTHROPIC_API_KEY in the environment",
  "  espalier chat --model local/qwen3 --base-url http://127.0.0.1:11434/v1 --api openai-chat -p 'hello'",
];

/**
 * The name of the model to talk with: `--model`, the setting `chat.model`, or the one that the session used last.
 *
 * Throws `MODEL_MISSING`, in three lines that say how to give one.
 */
export function chatModelName({ flags, settings }: Call, last?: string): string {
  const name = flags.model?.split(",")[0]?.trim() || settings.settings["chat.model"] || last;
  if (name) return name;
  const message =
    "No model was given: name one with --model, in the setting chat.model or in ESPALIER_CHAT_MODEL, as in";
  throw new EspalierError("MODEL_MISSING", message, { how: HOW });
}

/** The name of the model that the session was last told to use; undefined where none was. */
export async function lastModelOf(session: Session): Promise<string | undefined> {
  const { model } = await session.pathSettings();
  return model ? `${model.provider}/${model.modelId}` : undefined;
}

/** The model of that name, open. Rejects what `openChatModel` rejects. */
export async function openModelOf({ flags, settings: { settings } }: Call, model: string): Promise<ChatModel> {
  for (const name of ["OPENAI_LOG", "ANTHROPIC_LOG"]) process.env[name] ??= "off";
  const { openChatModel } = await import("../../models/index.ts");
  return openChatModel({
    model,
    definitions: settings.models,
    ...(flags.baseUrl !== undefined && { baseUrl: flags.baseUrl }),
    ...(flags.api !== undefined && { api: flags.api as ModelApi }),
    ...(flags.apiKeyEnv !== undefined && { apiKeyEnv: flags.apiKeyEnv }),
    ...(flags.modelWindow !== undefined && { contextWindow: tokensOf(flags.modelWindow) }),
  });
}
