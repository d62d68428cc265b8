import { chars4 } from "../../core/context/tokens.ts";
import type { MicroOptions } from "../../core/plan/micro.ts";
import { afterFailure, CLOSED, isOpen } from "../../core/trigger/breaker.ts";
import {
  type AutoCompactOptions,
  type AutoCompactOutcome,
  compressArray,
  DEFAULT_THRESHOLD,
  DEFAULT_WINDOW,
} from "./auto-compact.ts";
import { type CompactToolOutcome, type CompactTools, compactTool, handleCompactTool } from "./compact-tool.ts";
import { microCompact } from "./micro-compact.ts";
import { readArray, readTokens } from "./reading.ts";
import type { ArrayFormat } from "./view.ts";
import { viewOf } from "./views.ts";

export interface PipelineOptions<F extends ArrayFormat> extends AutoCompactOptions {
  readonly format: F;
  /** How old results are marked; false leaves them as they are. */
  readonly micro?: (MicroOptions & { readonly minFill?: number }) | false;
  /** False leaves the model's own `compact` as the only compaction. */
  readonly auto?: boolean;
}

/** What to keep and what to send. */
export interface BeforeRequest<M> {
  /** The array to go on with: the given one, or the compacted one. */
  readonly messages: M[];
  /** The same with marks for old results: what this request sends. */
  readonly request: M[];
  /** Tokens of `request`. */
  readonly tokens: number;
  readonly outcome: AutoCompactOutcome<M>;
}

/** The three layers under somebody's own loop. */
export interface Pipeline<F extends ArrayFormat> {
  /** To be offered to the model with the other tools. */
  readonly tool: CompactTools[F];
  beforeRequest<M extends object>(messages: readonly M[], signal?: AbortSignal): Promise<BeforeRequest<M>>;
  /** Serves the model's `compact` calls; to be given the array with the results of all other calls. */
  afterToolResults<M extends object>(messages: readonly M[], signal?: AbortSignal): Promise<CompactToolOutcome<M>>;
}

/** A compacted array has to land under this share of the threshold, or it counts as a failure [T8]. */
const TARGET_SHARE = 0.8;

/**
 * Micro-compaction, automatic compaction and the `compact` tool for arrays of one kind, in one [R6, R7, R8].
 *
 * What counts for the threshold is the array as it would be sent; what is summarised and backed up is the whole one.
 * After three failures in a row nothing is compacted by itself until the model's own call succeeds [T8].
 */
export function createPipeline<F extends ArrayFormat>(options: PipelineOptions<F>): Pipeline<F> {
  const { format, micro = {}, auto = true, threshold = DEFAULT_THRESHOLD, counter = chars4 } = options;
  const view = viewOf(format);
  let breaker = CLOSED;

  const sent = <M extends object>(messages: readonly M[]) =>
    micro
      ? microCompact(messages, { ...micro, format, contextWindow: options.contextWindow ?? DEFAULT_WINDOW })
      : [...messages];
  const sizeOf = (messages: readonly object[]) => readTokens(readArray(messages, view), counter);

  return {
    tool: compactTool(format),
    async beforeRequest(messages, signal = options.signal) {
      const request = sent(messages);
      const tokens = sizeOf(request);
      const skipped = (because: "under-threshold" | "breaker-open") => {
        const same = [...messages];
        const outcome = { status: "skipped" as const, because, tokens, messages: same };
        return { messages: same, request, tokens, outcome };
      };
      if (!auto || tokens <= threshold) return skipped("under-threshold");
      if (isOpen(breaker)) return skipped("breaker-open");
      const outcome = await compressArray(messages, readArray(messages, view), {
        ...options,
        ...(signal && { signal }),
      });
      const landed = outcome.status === "compacted" && outcome.tokensAfter <= threshold * TARGET_SHARE;
      if (outcome.status !== "cancelled") breaker = landed ? CLOSED : afterFailure(breaker);
      const next = outcome.status === "compacted" ? sent(outcome.messages) : request;
      return { messages: outcome.messages, request: next, tokens: sizeOf(next), outcome };
    },
    async afterToolResults(messages, signal = options.signal) {
      const outcome = await handleCompactTool(messages, { ...options, ...(signal && { signal }) });
      if (outcome.status === "compacted") breaker = CLOSED;
      return outcome;
    },
  };
}
