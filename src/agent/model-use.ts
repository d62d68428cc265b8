import type { Session } from "../engine/session.ts";
import type { ChatModel } from "../ports/chat-model.ts";
import type { ThinkingLevel } from "../ports/model.ts";

/** What the next request goes to, and how much it may hold. */
export interface ModelUse {
  model: ChatModel;
  thinkingLevel: ThinkingLevel;
  /** Tokens; less than the model's own where somebody wants it so. */
  readonly largestWindow: number;
  /** The model and the window that the session was told last; since then it may have learned a smaller one [T4]. */
  told?: string;
}

/**
 * Nothing; the session's settings and its path say what `use` says, which they do not after another model was chosen or
 * another branch was entered [X3].
 */
export async function declareUse(session: Session, use: ModelUse): Promise<void> {
  const { model, thinkingLevel } = use;
  const { provider, modelId } = model;
  const contextWindow = Math.min(model.contextWindow, use.largestWindow);
  const told = `${model.id} ${contextWindow}`;
  if (use.told !== told) session.configure({ contextWindow });
  use.told = told;
  const known = await session.pathSettings();
  if (known.model?.provider !== provider || known.model.modelId !== modelId) {
    await session.append({ type: "model_change", provider, modelId });
  }
  if (known.thinkingLevel !== thinkingLevel) await session.append({ type: "thinking_level_change", thinkingLevel });
}
