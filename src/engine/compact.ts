import { prepareCompaction } from "../core/plan/compaction.ts";
import type { CompactionPlan, Preparation } from "../core/plan/plan.ts";
import type { Settings } from "../core/settings.ts";
import { EspalierError } from "../errors.ts";
import type { CompactionReason, EventOf } from "../ports/events.ts";
import { backUp } from "./backup.ts";
import { type CompactionPreview, fromPreview } from "./commit-preview.ts";
import { type Built, buildCompaction, summaryOfHook } from "./compaction-build.ts";
import { askCompacting, beforeCompact } from "./compaction-hooks.ts";
import type { CompactionOutcome, CompactOptions } from "./outcome.ts";
import { type BoardAt, readBoard } from "./pin-board.ts";
import type { SessionState } from "./state.ts";
import { type SummaryTools, summarizePlan } from "./summarize.ts";
import type { Ahead } from "./upkeep.ts";
import { pinnedTokens, verifierOf } from "./verify.ts";

/** What one compaction is asked to do; every cause uses the same pipeline. */
export interface CompactionCause extends CompactOptions {
  readonly reason: CompactionReason;
  /** Nothing is asked: this is stored, with another text where one is given [V5]. */
  readonly commit?: { readonly preview: CompactionPreview; readonly summary?: string };
  /** The run goes on with the same request afterwards [A3]. */
  readonly willRetry?: boolean;
  /** Over the session's settings, for this compaction only. */
  readonly settings?: Partial<Settings>;
}

/**
 * How a compaction of the session's path ends: plan, summarise, commit, project, for every cause alike.
 *
 * Tells listeners its start and its end, once each [I6]. Nothing is stored unless the outcome is `compacted`.
 * Coded errors come back as `failed`; errors of programming are thrown.
 */
export async function runCompaction(state: SessionState, cause: CompactionCause): Promise<CompactionOutcome> {
  const { reason, willRetry = false } = cause;
  const automatic = reason !== "manual";
  state.events.emit({ type: "compaction_start", reason, willRetry });
  if (automatic) state.events.emit({ type: "auto_compaction_start", reason, willRetry });
  let end: EventOf<"compaction_end"> = { type: "compaction_end", reason, willRetry, aborted: false };
  try {
    const outcome = (await takenUp(state, cause)) ?? (await stored(state, await prepare(state, cause), automatic));
    end = { ...end, ...told(outcome) };
    await notify(state, outcome, reason);
    return outcome;
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error);
    end = { ...end, errorMessage };
    await state.hooks.tell("session_compact_failed", { reason, errorMessage, aborted: false });
    if (EspalierError.is(error)) return { status: "failed", error };
    throw error;
  } finally {
    state.events.emit(end);
    if (automatic) state.events.emit({ ...end, type: "auto_compaction_end" });
  }
}

/** The same compaction up to the entry that it would store; stores nothing [V5]. */
export async function previewCompaction(state: SessionState, cause: CompactionCause): Promise<CompactionOutcome> {
  try {
    const prepared = await prepare(state, cause);
    return prepared.status === "ready" ? prepared.build() : prepared;
  } catch (error) {
    if (EspalierError.is(error)) return { status: "failed", error };
    throw error;
  }
}

type Ended = Exclude<CompactionOutcome, { status: "preview" | "compacted" }>;
/** A summary in hand; `build` makes the entry for the path as it is at that moment [K2]. */
type Prepared = { readonly status: "ready"; readonly plan: CompactionPlan; readonly build: () => Built } | Ended;

async function stored(state: SessionState, prepared: Prepared, automatic = true): Promise<CompactionOutcome> {
  if (prepared.status !== "ready") return prepared;
  if (automatic) await backUp(state, prepared.plan);
  let built: Built | undefined;
  await state.append(() => {
    built = prepared.build();
    return built.status === "preview" ? [built.entry, ...built.result.spent] : [];
  });
  return built?.status === "preview" ? { ...built, status: "compacted" } : (built as Ended);
}

/** What a compaction of the path as it is now would do, and the pins that it would carry. */
export async function planCompaction(state: SessionState, cause: CompactionCause): Promise<Planned> {
  const { counter } = state.host;
  const settings = { ...state.settings, ...cause.settings };
  const board = await readBoard(state);
  const projection = state.projection();
  const pinned = pinnedTokens(board, settings, counter);
  const options = { counter, mode: cause.mode, projection, pinned };
  return { plan: prepareCompaction(state.path(), settings, state.measure(), options), board, settings };
}

interface Planned {
  readonly plan: Preparation;
  readonly board: BoardAt;
  readonly settings: Settings;
}

/** Starts on a compaction that will soon be due; the next one takes it if it is still valid then [A8, K2]. */
export function prepareAhead(state: SessionState, cause: CompactionCause): Ahead {
  const controller = new AbortController();
  const prepared = prepare(state, { ...cause, signal: controller.signal });
  // Whoever takes it up sees the failure; until then it is nobody's.
  prepared.catch(() => undefined);
  return { take: async () => stored(state, await prepared), abort: () => controller.abort() };
}

/** The outcome of what was prepared ahead, or undefined where there is nothing of it, or nothing valid any more. */
async function takenUp({ upkeep }: SessionState, { reason, settings, focus, signal }: CompactionCause) {
  const { ahead } = upkeep;
  upkeep.ahead = undefined;
  if (!ahead) return undefined;
  // It was asked for by these settings and without a focus.
  if (reason !== "threshold" || settings || focus !== undefined || signal?.aborted) {
    ahead.abort();
    return undefined;
  }
  signal?.addEventListener("abort", ahead.abort, { once: true });
  const outcome = await ahead.take().catch(() => undefined);
  signal?.removeEventListener("abort", ahead.abort);
  return outcome?.status === "compacted" ? outcome : undefined;
}

async function prepare(state: SessionState, cause: CompactionCause): Promise<Prepared> {
  if (cause.commit) return fromPreview(state, cause.commit.preview, cause.commit.summary);
  const { counter, summarizer } = state.host;
  const signal = state.signal(cause.signal);
  const { plan, board, settings } = await planCompaction(state, cause);
  if (plan.kind === "nothing") return { status: "skipped", because: plan.because };

  const ruling = await beforeCompact(state, plan, cause, signal);
  if (signal.aborted) return { status: "cancelled", by: "signal" };
  if (ruling.kind === "cancel") return { status: "cancelled", by: "hook" };
  if (ruling.kind === "compaction") {
    const { compaction, plan: recutPlan } = ruling;
    const verified = verifierOf(recutPlan, board, settings, counter).given(compaction.summary);
    return {
      status: "ready",
      plan: recutPlan,
      build: () => buildCompaction(state, recutPlan, summaryOfHook(compaction, verified)),
    };
  }

  const { preserveData, ...guidance } = await askCompacting(state, plan, signal);
  const onPart: SummaryTools["onPart"] = (part, progress) =>
    state.events.emit({ type: "compaction_progress", reason: cause.reason, part, ...(progress && { progress }) });
  const summary = await summarizePlan(
    plan,
    { focus: cause.focus, cwd: state.store.header.cwd, ...guidance },
    { summarizer, verifier: verifierOf(plan, board, settings, counter), counter, signal, onPart },
  );
  if (summary.kind === "aborted" || signal.aborted) return { status: "cancelled", by: "signal" };
  if (summary.kind === "failed" && summary.failure === "too-small") return { status: "skipped", because: "too-small" };
  if (summary.kind === "failed") {
    const message = `The summary could not be made: ${summary.reason} Nothing was changed.`;
    throw new EspalierError("SUMMARY_FAILED", message, { reason: summary.reason }, summary.cause);
  }

  return { status: "ready", plan, build: () => buildCompaction(state, plan, { ...summary, preserveData }) };
}

async function notify(state: SessionState, outcome: CompactionOutcome, reason: CompactionReason): Promise<void> {
  if (outcome.status === "compacted") {
    const { entry } = outcome;
    await state.hooks.tell("session_compact", { compactionEntry: entry, fromExtension: entry.fromExtension === true });
  } else if (outcome.status === "cancelled") {
    await state.hooks.tell("session_compact_failed", { reason, aborted: true });
  }
}

function told(outcome: CompactionOutcome): Partial<EventOf<"compaction_end">> {
  switch (outcome.status) {
    case "compacted":
      return { result: outcome.entry };
    case "skipped":
      return { skipped: outcome.because };
    case "cancelled":
      return { aborted: true };
    case "failed":
      return { errorMessage: outcome.error.message };
    case "preview":
      return {};
  }
}
