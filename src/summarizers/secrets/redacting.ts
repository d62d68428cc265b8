import type { Model } from "../../ports/model.ts";
import { maskSecrets } from "./mask.ts";
import type { FindSecrets } from "./secret.ts";

/**
 * `model` behind a mask: secrets are taken out of what it is sent and put back into what it answers [M3].
 *
 * The stored summary holds the value, as the session does: an agent that was told to use a token can go on, and the next
 * request masks it again. `find` is `await secretFinder()`.
 */
export function redactingModel(model: Model, find: FindSecrets): Model {
  return {
    ...model,
    async complete(request, signal) {
      const masked = await maskSecrets([request.systemPrompt, request.prompt], find);
      if (signal.aborted) return { kind: "aborted" };
      const [systemPrompt = "", prompt = ""] = masked.texts;
      const reply = await model.complete({ ...request, systemPrompt, prompt }, signal);
      return reply.kind === "reply" ? { ...reply, text: masked.restore(reply.text) } : reply;
    },
  };
}
