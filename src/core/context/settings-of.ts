import type { CompactionEntry, Entry, ModelChangeEntry } from "../session/entry.ts";
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
 * (oh-my-pi) don't count. What no entry of the path says may stand in the newest compaction of ours [S10].
 */
export function settingsOf(path: readonly Entry[]): PathSettings {
  let model: ModelRef | null = null;
  let thinkingLevel: string | null = null;
  let snapshot: PathSettings | null = null;
  for (let at = path.length - 1; at >= 0 && (model === null || thinkingLevel === null); at--) {
    const entry = path[at] as Entry;
    model ??= modelOf(entry);
    if (entry.type === "compaction") snapshot ??= snapshotOf(entry);
    if (entry.type === "thinking_level_change" && typeof entry.thinkingLevel === "string") {
      thinkingLevel ??= entry.thinkingLevel;
    }
  }
  return { model: model ?? snapshot?.model ?? null, thinkingLevel: thinkingLevel ?? snapshot?.thinkingLevel ?? null };
}

/** What a compaction of ours keeps of the path in front of it, read without trust. */
function snapshotOf({ details }: CompactionEntry): PathSettings | null {
  const said = (details as { readonly espalier?: unknown } | null | undefined)?.espalier;
  if (typeof said !== "object" || said === null) return null;
  const { model, thinkingLevel } = said as { readonly model?: Partial<ModelRef> | null; thinkingLevel?: unknown };
  return {
    model: modelRef(model?.provider, model?.modelId),
    thinkingLevel: typeof thinkingLevel === "string" ? thinkingLevel : null,
  };
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
