import { chars4 } from "../../core/context/tokens.ts";
import { agedResults, type MicroOptions, usedMark } from "../../core/plan/micro.ts";
import { type ReadResult, readArray, readTokens } from "./reading.ts";
import type { ArrayFormat, ArrayView } from "./view.ts";
import { viewOf } from "./views.ts";

export interface MicroCompactOptions extends MicroOptions {
  readonly format: ArrayFormat;
  /** Nothing is done below this share of `contextWindow`: 0. */
  readonly minFill?: number;
  /** Tokens; needed with `minFill`. */
  readonly contextWindow?: number;
}

/**
 * The array to send: older tool results read `[Previous: used NAME]`, everything else is the same object [R6].
 *
 * The input is not touched and nothing is stored: give it the whole array before each request. Doing it twice changes
 * nothing. A TypeError names an unknown format, or `minFill` without `contextWindow`.
 */
export function microCompact<M extends object>(messages: readonly M[], options: MicroCompactOptions): M[] {
  const view = viewOf(options.format);
  const { minFill = 0, contextWindow } = options;
  const reading = readArray(messages, view);
  if (minFill > 0) {
    if (contextWindow === undefined) throw new TypeError("minFill needs contextWindow.");
    if (readTokens(reading, chars4) < minFill * contextWindow) return [...messages];
  }
  const aged = agedResults(reading.results, options).flatMap((place) => reading.results[place] ?? []);
  const marks = aged.map((result) => ({ result, text: usedMark(result.name) }));
  return withTexts(messages, view, marks);
}

/** The array with other texts in some results; elements without a change are the same objects. */
export function withTexts<M extends object>(
  messages: readonly M[],
  view: ArrayView,
  changes: readonly { readonly result: ReadResult; readonly text: string }[],
): M[] {
  const byElement = new Map<number, Map<number, string>>();
  for (const { result, text } of changes) {
    if (result.text === text) continue;
    const texts = byElement.get(result.at) ?? new Map<number, string>();
    byElement.set(result.at, texts.set(result.index, text));
  }
  return messages.map((message, at) => {
    const texts = byElement.get(at);
    return texts ? (view.replace(message, texts) as M) : message;
  });
}
