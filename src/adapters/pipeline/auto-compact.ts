import { projectContext } from "../../core/context/project.ts";
import { chars4, estimateMessage, type TokenCounter } from "../../core/context/tokens.ts";
import { prepareCompaction } from "../../core/plan/compaction.ts";
import type { NothingToCompact } from "../../core/plan/plan.ts";
import type { SummaryMethod } from "../../core/session/entry.ts";
import type { Usage } from "../../core/session/message.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../core/settings.ts";
import { summaryRequests } from "../../core/summary/requests.ts";
import { measureContext } from "../../core/trigger/measure.ts";
import { systemClock } from "../../engine/clock.ts";
import { pinnedTokens, verifierOf } from "../../engine/verify.ts";
import { EspalierError, type Warning } from "../../errors.ts";
import type { TranscriptBackup } from "../../ports/backup.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Summarizer } from "../../ports/summarizer.ts";
import { embeddedSummarizer } from "../../summarizers/embedded.ts";
import { fallbackSummarizer } from "../../summarizers/fallback.ts";
import { compressedText } from "./compressed.ts";
import { pathOf, pinsOf } from "./path.ts";
import { type Reading, readArray, readTokens } from "./reading.ts";
import type { ArrayFormat } from "./view.ts";
import { viewOf } from "./views.ts";

export interface AutoCompactOptions {
  readonly format: ArrayFormat;
  /** Tokens by `counter`: 50,000. Compaction is due above it. */
  readonly threshold?: number;
  /** Of the model that is asked, in tokens: 200,000. */
  readonly contextWindow?: number;
  /** `chars4` by default, as the threshold is meant. */
  readonly counter?: TokenCounter;
  /** Asked first; when it fails, and without one, the embedded summariser writes [M6]. */
  readonly summarizer?: Summarizer;
  /** The newest batch stays behind the message while it takes at most half the threshold: its results are not read yet. */
  readonly keepLastRound?: boolean;
  /** What the summary has to keep. */
  readonly focus?: string;
  /** Keeps the whole array before it is replaced [K5]. In a file: `transcriptsIn(folder)`. */
  readonly transcripts?: TranscriptBackup;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** How it ended; `messages` is the array to go on with, unchanged unless it is `compacted`. */
export type AutoCompactOutcome<M> = { readonly messages: M[] } & (
  | {
      readonly status: "compacted";
      readonly summary: string;
      readonly method: SummaryMethod;
      readonly model?: string;
      readonly usage?: Usage;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** Where the backup stands, if one was asked for. */
      readonly transcript?: string;
      readonly warnings: readonly Warning[];
    }
  | {
      readonly status: "skipped";
      readonly because: "under-threshold" | "breaker-open" | NothingToCompact["because"];
      readonly tokens: number;
    }
  | { readonly status: "failed"; readonly error: EspalierError }
  | { readonly status: "cancelled" }
);

/**
 * The array with all but its system messages replaced by one `[compressed]` message, once it is over the threshold [R7].
 *
 * The whole array is backed up first [K5]. The message holds the summary, the last user request and open calls word for
 * word [P5], pins and lists of files. Call it between the results of a batch and the next request. Whatever goes wrong
 * with backup or summary is `failed` and leaves the array as it was.
 */
export async function autoCompact<M extends object>(
  messages: readonly M[],
  options: AutoCompactOptions,
): Promise<AutoCompactOutcome<M>> {
  const { threshold = DEFAULT_THRESHOLD, counter = chars4 } = options;
  const reading = readArray(messages, viewOf(options.format));
  const tokens = readTokens(reading, counter);
  if (tokens <= threshold) return { status: "skipped", because: "under-threshold", tokens, messages: [...messages] };
  return compressArray(messages, reading, options);
}

export const DEFAULT_THRESHOLD = 50_000;
export const DEFAULT_WINDOW = 200_000;

/** The same whatever the size; elements from `keepFrom` on stay. */
export async function compressArray<M extends object>(
  messages: readonly M[],
  reading: Reading,
  options: AutoCompactOptions,
  keepFrom = lastRoundToKeep(messages, reading, options),
): Promise<AutoCompactOutcome<M>> {
  const { counter = chars4, clock = systemClock, signal = new AbortController().signal } = options;
  const unchanged = [...messages];
  const view = viewOf(options.format);
  const tokensBefore = readTokens(reading, counter);
  const [now, id] = [clock.now(), clock.newId()];
  const stem = id.slice(-6);

  const path = pathOf(
    reading.messages.filter(({ at }) => at < keepFrom),
    stem,
    new Date(now).toISOString(),
  );
  const stays = reading.messages.filter(({ at, message }) => at >= keepFrom || message.role === "system");
  const extraTokens = stays.reduce((sum, { message }) => sum + estimateMessage(message, counter), 0);
  const settings = settingsOf(options);
  const projection = projectContext(path);
  const board = pinsOf(path);
  const plan = prepareCompaction(path, settings, measureContext(projection, path, { counter, extraTokens }), {
    counter,
    mode: "retain-none",
    projection,
    pinned: pinnedTokens(board, settings, counter),
  });
  const skipped = (because: NothingToCompact["because"]) =>
    ({ status: "skipped", because, tokens: tokensBefore, messages: unchanged }) as const;
  if (plan.kind === "nothing") return skipped(plan.because);
  const request = summaryRequests(plan, options.focus ? { focus: options.focus } : {}).history;
  if (!request) return skipped("already-compacted");

  let transcript: string | undefined;
  try {
    transcript = await options.transcripts?.(`transcript_${now}_${id}.jsonl`, linesOf(messages));
  } catch (error) {
    const message = `The transcript could not be written, so nothing was compacted: ${reasonOf(error)}`;
    return { status: "failed", error: new EspalierError("STORE_IO", message, {}, error), messages: unchanged };
  }

  const embedded = embeddedSummarizer({ counter });
  const { summarizer } = options;
  const author = summarizer ? fallbackSummarizer([summarizer], { last: embedded }) : embedded;
  const reply = await author.summarize(request, signal);
  if (reply.kind === "aborted" || signal.aborted) return { status: "cancelled", messages: unchanged };
  if (reply.kind === "failed") {
    const message = `The summary could not be made: ${reply.reason} Nothing was changed.`;
    const error = new EspalierError("SUMMARY_FAILED", message, { reason: reply.reason }, reply.cause);
    return { status: "failed", error, messages: unchanged };
  }
  const verified = verifierOf(plan, board, settings, counter).merge({ history: reply.text });

  const system = new Set(reading.messages.flatMap(({ at, message }) => (message.role === "system" ? [at] : [])));
  const compressed = view.userMessage(compressedText(verified.text, stem, transcript)) as M;
  const after = [
    ...messages.filter((_, at) => at < keepFrom && system.has(at)),
    compressed,
    ...messages.slice(keepFrom),
  ];
  const tokensAfter = readTokens(readArray(after, view), counter);
  if (tokensAfter >= tokensBefore) return skipped("too-small");
  return {
    status: "compacted",
    messages: after,
    summary: verified.text,
    method: reply.method,
    ...(reply.model && { model: reply.model }),
    ...(reply.usage && { usage: reply.usage }),
    tokensBefore,
    tokensAfter,
    ...(transcript !== undefined && { transcript }),
    warnings: [...(reply.warnings ?? []), ...verified.warnings],
  };
}

function lastRoundToKeep(
  messages: readonly object[],
  { messages: read, rounds }: Reading,
  options: AutoCompactOptions,
) {
  const { keepLastRound = false, threshold = DEFAULT_THRESHOLD, counter = chars4 } = options;
  const last = rounds.at(-1);
  if (!keepLastRound || last?.end !== messages.length - 1) return messages.length;
  const round = read.filter(({ at }) => at >= last.start);
  const tokens = round.reduce((sum, { message }) => sum + estimateMessage(message, counter), 0);
  return tokens <= threshold / 2 ? last.start : messages.length;
}

function settingsOf({ threshold = DEFAULT_THRESHOLD, contextWindow = DEFAULT_WINDOW }: AutoCompactOptions): Settings {
  return {
    ...DEFAULT_SETTINGS,
    contextWindow: Math.max(contextWindow, threshold + 1),
    "compaction.thresholdTokens": threshold,
  };
}

function* linesOf(messages: readonly object[]): Generator<string> {
  for (const message of messages) yield JSON.stringify(message);
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
