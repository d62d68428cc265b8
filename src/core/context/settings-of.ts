import type { Entry, ModelChangeEntry } from "../session/entry.ts";
import type { ModelRef } from "./projection.ts";

/** Model and thinking level in force. */
export interface PathSettings {
  readonly model: ModelRef | null;
  readonly thinkingLevel: string | null;
}

/**
 * Model and thinking level at the end of `path`, each null where its entries do not tell [X3].
 *
 * The model is that of the newest assistant message or model change; changes for another role than the main one
 * (oh-my-pi) don't count.
 */
export function settingsOf(path: readonly Entry[]): PathSettings {
  let model: ModelRef | null = null;
  let thinkingLevel: string | null = null;
  for (let at = path.length - 1; at >= 0 && (model === null || thinkingLevel === null); at--) {
    const entry = path[at] as Entry;
    model ??= modelOf(entry);
    if (entry.type === "thinking_level_change" && typeof entry.thinkingLevel === "string") {
      thinkingLevel ??= entry.thinkingLevel;
    }
  }
  return { model, thinkingLevel };
}

/** The model that an entry puts in force; null when it puts none. */
export function modelOf(entry: Entry): ModelRef | null {
  if (entry.type === "model_change") return changedModel(entry);
  if (entry.type !== "message" || entry.message?.role !== "assistant") return null;
  return modelRef(entry.message.provider, entry.message.model);
}

function changedModel({ provider, modelId, model, role }: ModelChangeEntry): ModelRef | null {
  if (role !== undefined && role !== "default") return null;
  if (modelId !== undefined || typeof model !== "string") return modelRef(provider, modelId);
  const slash = model.indexOf("/");
  return slash < 0 ? modelRef(provider, model) : modelRef(model.slice(0, slash), model.slice(slash + 1));
}

function modelRef(provider: unknown, modelId: unknown): ModelRef | null {
  return typeof provider === "string" && typeof modelId === "string" ? { provider, modelId } : null;
}
