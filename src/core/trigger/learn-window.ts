import type { ClassifiedError } from "./overflow.ts";

/** What the caller knows when a request did not fit. All in tokens. */
export interface OverflowAt {
  /** The window that the settings or the model table declare. */
  readonly declared: number;
  /** Our own measure of what was sent. */
  readonly estimate: number;
  readonly error: Pick<ClassifiedError, "limitTokens" | "sentTokens" | "outputTokens">;
  /** A window was learned earlier and nothing has fitted since. */
  readonly learnedBefore?: boolean;
}

/** What an overflow teaches about the window. `window` is in tokens of our own measure, so that it can be planned with. */
export type WindowLesson =
  | { readonly kind: "as-declared" }
  | { readonly kind: "learned"; readonly window: number; readonly from: "text" | "size" }
  | { readonly kind: "stop"; readonly because: "again" | "reply-too-large"; readonly sentence: string };

/** Under this share of the declared window an overflow is a surprise. */
const SURPRISING = 0.5;
/** A limit that a text states is another one than the declared below this share. */
const ANOTHER = 0.95;
const SMALLEST = 1024;

/**
 * What to make of an overflow [T4].
 *
 * From half of the declared window on it is an ordinary one, unless its text states a smaller window and that more was
 * sent. Below, the limit is learned once: from the text, brought to our measure where the text also says how much was
 * sent, else from the size that did not fit. It is not compacted away when the reply that was asked for fills the window,
 * or when it comes again: the sentence says what to correct.
 */
export function learnWindow({ declared, estimate, error, learnedBefore }: OverflowAt): WindowLesson {
  const { limitTokens: limit, sentTokens: sent, outputTokens: output } = error;
  if (estimate >= declared * SURPRISING) {
    const isStated = limit !== undefined && sent !== undefined && sent > limit && limit < declared * ANOTHER;
    return isStated && !learnedBefore ? learned(limit, sent, estimate, declared) : { kind: "as-declared" };
  }
  if (limit !== undefined && sent !== undefined && output !== undefined && sent < limit * SURPRISING) {
    return {
      kind: "stop",
      because: "reply-too-large",
      sentence: `The request holds ${sent} tokens and asks for a reply of ${output}, which together exceed the window of ${limit}; lower the model's maximum output.`,
    };
  }
  if (learnedBefore) {
    return {
      kind: "stop",
      because: "again",
      sentence: `The provider refuses about ${estimate} tokens as too many though ${declared} are declared, and a compaction did not help; correct contextWindow or the model's maximum output.`,
    };
  }
  if (limit === undefined) return { kind: "learned", window: Math.max(SMALLEST, estimate), from: "size" };
  return learned(limit, sent, estimate, declared);
}

/** The stated limit, brought to our measure where it is known how much was sent. */
function learned(limit: number, sent: number | undefined, estimate: number, declared: number): WindowLesson {
  const ours = sent !== undefined && sent > limit ? Math.floor((limit * estimate) / sent) : limit;
  return { kind: "learned", window: Math.max(SMALLEST, Math.min(declared, ours)), from: "text" };
}
