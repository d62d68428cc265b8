import { scriptCounter, type TokenCounter } from "../core/context/tokens.ts";
import { replacedTokens } from "../core/summary/accept.ts";
import type { Model, ThinkingLevel } from "../ports/model.ts";
import type { Summarizer } from "../ports/summarizer.ts";
import { type Asking, askModel, PATIENCE, type Patience } from "./ask.ts";
import { foldSummary } from "./fold.ts";
import { redactingModel } from "./secrets/redacting.ts";

export interface LlmOptions {
  /** Counts what is sent against the model's window; by script when absent. */
  readonly counter?: TokenCounter;
  /** Default `off`. */
  readonly thinking?: ThinkingLevel;
  readonly patience?: Partial<Patience>;
  /** What the model is sent has its secrets masked unless this is false [M3]. */
  readonly redactSecrets?: boolean;
}

/** Room for a reply that counts longer than ours, and for thinking that a model can't be kept from. */
const REPLY_SLACK = 1.25;
const THINKING_ROOM = 8_192;
/** Of a reply's limit: how much exactly is replaced does not matter beyond it. */
const FAR_MORE = 16;

/**
 * The summariser that asks one model: prompts of M1, within the model's window [M4], every answer checked [M6].
 *
 * Secrets are masked on the way [M3]. A failed reply says what happened; `fallbackSummarizer` tries the next.
 */
export function llmSummarizer(model: Model, options: LlmOptions = {}): Summarizer {
  const { counter = scriptCounter, thinking = "off", redactSecrets = true } = options;
  const asked = redactSecrets ? redactingModel(model) : model;
  const patience = { ...PATIENCE, ...options.patience };
  const thinks = model.reasoning === true || thinking !== "off";
  const replyRoom = (maxTokens: number) => {
    const extra = thinks ? Math.min(THINKING_ROOM, Math.floor(model.contextWindow / 8)) : 0;
    return Math.max(1, Math.min(model.maxTokens, Math.ceil(maxTokens * REPLY_SLACK) + extra));
  };
  return {
    id: model.id,
    summarize(request, signal, report = () => {}) {
      const replaced = replacedTokens(request, counter, request.maxTokens * FAR_MORE);
      const asking: Asking = { model: asked, counter, thinking, patience, replaced, report };
      let place = {};
      return foldSummary(request, {
        window: model.contextWindow,
        replyRoom,
        counter,
        onChunk(chunk, chunks) {
          place = { chunk, chunks };
        },
        ask(step, conversation) {
          report({ kind: "asking", model: model.id, ...place });
          return askModel(step, conversation, replyRoom(step.maxTokens), asking, signal);
        },
      });
    },
  };
}
