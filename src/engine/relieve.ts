import { leavesRoom } from "../core/plan/budget.ts";
import { elideOversized } from "../core/plan/elide.ts";
import { pruneToolOutputs } from "../core/plan/prune.ts";
import type { Settings } from "../core/settings.ts";
import { limits } from "../core/trigger/decide.ts";
import { estimateRatio } from "../core/trigger/measure.ts";
import { type CompactionCause, planCompaction, runCompaction } from "./compact.ts";
import { contentEdit } from "./content-edit.ts";
import type { CompactionOutcome } from "./outcome.ts";
import type { NewEntry, SessionState } from "./state.ts";

/** What kept messages leave for a summary that would like more: one of a few lines tells too little. */
const SUMMARY_SHARE = 0.4;

/** What relieving a full context came to. Without `compaction` edits alone were enough, or nothing helps. */
export interface Relief {
  readonly compaction?: CompactionOutcome;
  /** The context is under the target now [T8]. */
  readonly landed: boolean;
  /** What fills the context, when nothing brings it under the target. */
  readonly stuck?: string;
}

/**
 * Brings the context under its target by the mildest step that does [T8].
 *
 * A compaction; else, kept tool outputs pruned, one with half the keep budget; else the same with oversized single
 * messages elided; else one that keeps nothing; else it stops and says what fills the context. Where a compaction lands
 * is judged by its plan, so that no summary is paid for in vain.
 */
export async function relieve(state: SessionState, cause: CompactionCause): Promise<Relief> {
  const halved = { "compaction.keepRecentTokens": Math.ceil(state.settings["compaction.keepRecentTokens"] / 2) };
  let landing = await landingOf(state, cause);
  // Nothing to compact and nothing in need of room: that is what it says then.
  if (landing.fits || (landing.tokens === undefined && landing.over <= 0)) return compacted(state, cause);
  const tighter = { ...cause, settings: halved };
  const forSummary = Math.floor(limits(state.settings).target * SUMMARY_SHARE);
  for (const edits of [prunes, elisions]) {
    landing = await landingOf(state, tighter);
    await state.append(() => state.make(edits(state, landing.over + forSummary, landing.kept)));
    if (isUnder(state, limits(state.settings).target)) return { landed: true };
    landing = await landingOf(state, tighter);
    if (landing.fits) return compacted(state, tighter);
  }
  const bare: CompactionCause = { ...tighter, mode: "retain-none" };
  if (landing.kept && (await landingOf(state, bare)).fits) return compacted(state, bare);
  const { threshold } = limits(state.settings);
  if (landing.tokens !== undefined && landing.tokens < threshold) return compacted(state, tighter);
  return { landed: false, stuck: whatFills(state, threshold) };
}

interface Landing {
  /** Under the target, with a summary that may tell more than a few lines. */
  readonly fits: boolean;
  /** Tokens over the target. */
  readonly over: number;
  /** Where a compaction would land by the provider's count; undefined when there is nothing to compact. */
  readonly tokens?: number;
  /** What a compaction would keep; all where there is nothing to compact. Only that is worth an edit. */
  readonly kept?: ReadonlySet<string>;
}

async function landingOf(state: SessionState, cause: CompactionCause): Promise<Landing> {
  const { plan, settings } = await planCompaction(state, cause);
  const bounds = limits(settings);
  const { target } = bounds;
  if (plan.kind === "nothing") return { fits: false, over: state.measure().tokens - target };
  const { system, kept } = plan.tokens;
  const { text, restated } = plan.budget;
  const tokens = Math.ceil((system + kept + restated + text) * Math.max(1, estimateRatio(state.measure())));
  const tellsEnough = leavesRoom(plan.tokens, bounds) || kept <= (target - system) * (1 - SUMMARY_SHARE);
  const fits = tokens <= target && tellsEnough;
  return { fits, over: tokens - target, tokens, kept: new Set(plan.keptIds) };
}

async function compacted(state: SessionState, cause: CompactionCause): Promise<Relief> {
  const compaction = await runCompaction(state, cause);
  if (compaction.status === "failed" || compaction.status === "skipped") await fitByEdits(state);
  const isMade = compaction.status === "compacted" || compaction.status === "skipped";
  return { compaction, landed: isMade && isUnder(state, limits(state.settings).target) };
}

/** Brings a context that is larger than the window under the threshold as far as edits can: they need nobody [T8]. */
export async function fitByEdits(state: SessionState): Promise<void> {
  if (isUnder(state, state.settings.contextWindow)) return;
  for (const edits of [prunes, elisions]) {
    const over = state.measure().tokens - limits(state.settings).threshold;
    if (over > 0) await state.append(() => state.make(edits(state, over)));
  }
}

const isUnder = (state: SessionState, tokens: number) => state.measure().tokens <= tokens;

/** Every tool output among `kept` but the newest batch, whatever the usual limits of a prune. */
function prunes(state: SessionState, _over: number, kept?: ReadonlySet<string>): NewEntry[] {
  const everything: Settings = {
    ...state.settings,
    "pruning.protectTokens": 0,
    "pruning.minSavings": 1,
    "pruning.protectTools": [],
  };
  const { counter } = state.host;
  const plan = pruneToolOutputs(state.projection(), everything, { counter, sizeOf: state.sizeOf });
  if (plan.kind === "nothing") return [];
  const outputs = plan.outputs.filter(({ entryId }) => !kept || kept.has(entryId));
  return outputs.map(({ entryId, content }) => contentEdit(entryId, content, "prune"));
}

function elisions(state: SessionState, over: number, kept?: ReadonlySet<string>): NewEntry[] {
  const { messages } = state.projection();
  const among = kept ? messages.filter(({ entryId }) => kept.has(entryId)) : messages;
  const plan = elideOversized(among, over, state.sizeOf);
  return plan.map(({ entryId, content }) => contentEdit(entryId, content, "elide"));
}

function whatFills(state: SessionState, threshold: number): string {
  const sums = { system: 0, summary: 0, kept: 0 };
  const { extra } = state.measure();
  for (const { message } of state.projection().messages) {
    const part = message.role === "system" ? "system" : message.role === "compactionSummary" ? "summary" : "kept";
    sums[part] += state.sizeOf(message);
  }
  const { system, summary, kept } = sums;
  return (
    `The context cannot be brought under ${threshold} tokens: system ${system}, tools ${extra}, summary ${summary}, ` +
    `kept messages ${kept}. Use a larger window, a shorter system prompt, or start a new session.`
  );
}
