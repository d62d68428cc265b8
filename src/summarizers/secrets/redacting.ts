import { EspalierError } from "../../errors.ts";
import type { Model } from "../../ports/model.ts";
import { findSecrets } from "./find.ts";
import { type Masked, maskSecrets } from "./mask.ts";
import type { FindSecrets } from "./secret.ts";

/**
 * `model` behind a mask: secrets are taken out of what it is sent and put back into what it answers [M3].
 *
 * The stored summary holds the value, as the session does: an agent that was told to use a token can go on, and the next
 * request masks it again. Without the packages that find secrets nothing is sent, and the reply says what to install.
 */
export function redactingModel(model: Model, find: FindSecrets = findSecrets): Model {
  const { id, provider, contextWindow, maxTokens, reasoning } = model;
  return {
    id,
    provider,
    contextWindow,
    maxTokens,
    ...(reasoning !== undefined && { reasoning }),
    async complete(request, signal) {
      let masked: Masked;
      try {
        masked = await maskSecrets([request.systemPrompt, request.prompt], find);
      } catch (error) {
        if (!EspalierError.is(error)) throw error;
        return { kind: "failed", message: error.message, code: error.code };
      }
      if (signal.aborted) return { kind: "aborted" };
      const [systemPrompt = "", prompt = ""] = masked.texts;
      const reply = await model.complete({ ...request, systemPrompt, prompt }, signal);
      return reply.kind === "reply" ? { ...reply, text: masked.restore(reply.text) } : reply;
    },
  };
}
