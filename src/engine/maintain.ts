import { projectContext } from "../core/context/project.ts";
import { estimateContext } from "../core/context/tokens.ts";
import { afterFailure, afterRateLimit, CLOSED, isOpen } from "../core/trigger/breaker.ts";
import { cacheIsWarm, prunePays } from "../core/trigger/cache.ts";
import { type Decision, decide, isEarly, limits } from "../core/trigger/decide.ts";
import { learnWindow } from "../core/trigger/learn-window.ts";
import { classifyError } from "../core/trigger/overflow.ts";
import { newestOverflow, newestRefusal, type Overflow } from "../core/trigger/overflow-reply.ts";
import { plateau } from "../core/trigger/plateau.ts";
import { lastUndone } from "../core/verify/undone.ts";
import { prepareAhead } from "./compact.ts";
import type { CompactionOutcome, CompactOptions } from "./outcome.ts";
import { type PruneOutcome, previewPrune, runPrune } from "./prune.ts";
import { fitByEdits, type Relief, relieve } from "./relieve.ts";
import { type ImagesShed, shedImages } from "./shed-images.ts";
import type { SessionState } from "./state.ts";

export interface MaintainOptions extends Pick<CompactOptions, "focus" | "signal"> {
  /** `check` after a reply, between tool results and the next request, and before a prompt [T5]. */
  readonly reason?: "check" | "tool" | "idle";
  /** The failed request will be sent again after an overflow [A3]. */
  readonly willRetry?: boolean;
}

/** What a check came to. */
export interface MaintainOutcome {
  readonly decision: Decision;
  readonly pruned?: PruneOutcome;
  /** Images that were left out since the request was too large in bytes; it may be sent again. */
  readonly images?: ImagesShed;
  readonly compaction?: CompactionOutcome;
  /** Size of the context now. */
  readonly tokens: number;
  /** Why nothing could be done, or what failed, for the user to read [A6]. */
  readonly message?: string;
}

/**
 * Does what the context needs, if it needs anything: prune, project, measure, decide, compact [T5, T6].
 *
 * The one call for an agent's loop. Off is off [T7]; it makes progress or stops with a reason [I4, T8]. Under the
 * threshold it costs one projection, O(live), and reads and writes nothing.
 */
export async function maintain(state: SessionState, options: MaintainOptions = {}): Promise<MaintainOutcome> {
  const { reason = "check" } = options;
  const { model } = state.projection();
  const refusal = newestRefusal(state.path(), model);
  const overflow =
    refusal ??
    newestOverflow(state.path(), model, state.settings.contextWindow) ??
    plateau(state.path(), state.measure());
  if (!state.settings["compaction.enabled"] && reason !== "tool") {
    const message = "The context is full, and compaction.enabled is off; compact by hand or turn it on.";
    return told(state, { kind: "none", because: "disabled" }, overflow && { message });
  }
  const images = await shedImages(state, refusal !== undefined);
  if (images && refusal) return told(state, { kind: "prune", saved: images.saved }, { images });
  const misconfigured = overflow && learn(state, overflow);
  if (misconfigured !== undefined) return told(state, { kind: "none", because: "misconfigured" }, misconfigured);

  freshForModel(state);
  if (!overflow && state.measure().source === "usage") state.upkeep.declared = undefined;
  const pruned = overflow ? undefined : await pruneIfItPays(state);
  const lighter = { ...(images && { images }), ...(pruned && { pruned }) };
  const decision = overflow ? overflowOf(state) : decide(state.measure(), state.settings, occasion(state, reason));
  const held = decision.kind === "none" ? decision : heldBack(state, reason);
  if (held) {
    if (held.because === "under-threshold") prepareEarly(state);
    else if (decision.kind !== "none") await fitByEdits(state);
    const saved = (images?.saved ?? 0) + (pruned?.saved ?? 0);
    return told(state, saved > 0 ? { kind: "prune", saved } : held, lighter);
  }
  const kind = decision.kind as "threshold" | "overflow" | "tool" | "idle";
  const { focus, signal, willRetry } = options;
  const relief = await relieve(state, {
    reason: kind,
    ...(focus !== undefined && { focus }),
    ...(signal && { signal }),
    ...(willRetry !== undefined && { willRetry: kind === "overflow" && willRetry }),
  });
  remember(state, relief);
  const message = messageOf(relief, kind);
  return told(state, relief.stuck ? { kind: "none", because: "cannot-fit" } : decision, {
    ...lighter,
    ...(relief.compaction && { compaction: relief.compaction }),
    ...(message && { message }),
  });
}

function told(state: SessionState, decision: Decision, more: Partial<MaintainOutcome> = {}): MaintainOutcome {
  return { decision, tokens: state.measure().tokens, ...more };
}

function freshForModel({ upkeep, projection }: SessionState): void {
  const { model } = projection();
  const name = model ? `${model.provider}/${model.modelId}` : undefined;
  if (upkeep.model !== name) upkeep.breaker = CLOSED;
  upkeep.model = name;
}

/** Learns the real window from an overflow that came far below the declared one; the reason to stop if it is hopeless. */
function learn(state: SessionState, { by, error = { kind: "overflow" } }: Overflow): { message: string } | undefined {
  const { upkeep, settings } = state;
  if (by === "refused") return undefined;
  if (by === "plateau") {
    const window = Math.min(settings.contextWindow, error.limitTokens ?? settings.contextWindow);
    state.configure({ contextWindow: window });
    return undefined;
  }
  const estimate = state.measure().tokens;
  const declared = upkeep.declared ?? settings.contextWindow;
  const lesson = learnWindow({ declared, estimate, error, learnedBefore: upkeep.declared !== undefined });
  if (lesson.kind === "stop") return { message: `Context overflow recovery failed: ${lesson.sentence}` };
  if (lesson.kind === "learned") {
    state.configure({ contextWindow: lesson.window });
    upkeep.declared = declared;
  }
  return undefined;
}

function overflowOf(state: SessionState): Decision {
  return { kind: "overflow", tokens: state.measure().tokens, window: state.settings.contextWindow };
}

/** Prunes, unless a warm cache would cost more than is saved while the context still fits [R5]. */
async function pruneIfItPays(state: SessionState): Promise<(PruneOutcome & { status: "pruned" }) | undefined> {
  const { settings, host } = state;
  if (!settings["pruning.enabled"]) return undefined;
  const due = state.measure().tokens > limits(settings).threshold;
  if (!due && settings["pruning.cacheAware"] && cacheIsWarm(state.path(), host.clock.now())) {
    const preview = previewPrune(state);
    if (preview.status === "skipped") return undefined;
    const ids = new Set(preview.outputs.map(({ entryId }) => entryId));
    if (!prunePays(state.projection(), ids, preview.saved, state.sizeOf)) return undefined;
  }
  const outcome = await runPrune(state, { reason: "threshold" });
  return outcome.status === "pruned" ? { ...outcome, status: "pruned" } : undefined;
}

function occasion(state: SessionState, reason: "check" | "tool" | "idle") {
  const path = state.path();
  const undone = lastUndone(path, state.projection().compaction?.id ?? null);
  if (!undone) return { reason };
  const { marker } = undone;
  if (state.upkeep.undone?.markerId !== marker.id) {
    const { messages } = projectContext(path.slice(0, path.indexOf(marker) + 1));
    state.upkeep.undone = { markerId: marker.id, tokens: estimateContext(messages, state.host.counter) };
  }
  // Over the window no request can be sent: that is an overflow, which ends the suspension.
  const { contextWindow } = state.settings;
  const suspendedTo = Math.min(state.upkeep.undone.tokens + contextWindow / 10, contextWindow);
  return { reason, suspendedTo };
}

/** What holds automatic compaction back although it is due [T8]; the model's own request is not held back. */
function heldBack(state: SessionState, reason: string): Extract<Decision, { kind: "none" }> | undefined {
  if (reason === "tool") return undefined;
  const { breaker } = state.upkeep;
  if (isOpen(breaker)) return { kind: "none", because: "breaker-open" };
  if (state.host.clock.now() < breaker.coolUntil) return { kind: "none", because: "cooling-down" };
  return undefined;
}

function prepareEarly(state: SessionState): void {
  const { settings, upkeep } = state;
  if (!settings.prefetch || upkeep.ahead || !isEarly(state.measure(), settings)) return;
  upkeep.ahead = prepareAhead(state, { reason: "threshold" });
}

function remember(state: SessionState, { compaction, landed }: Relief): void {
  const { upkeep, host } = state;
  if (landed) {
    upkeep.breaker = CLOSED;
  } else if (compaction?.status === "cancelled") {
    return;
  } else if (compaction?.status === "failed" && isRateLimit(compaction.error.message)) {
    upkeep.breaker = afterRateLimit(upkeep.breaker, host.clock.now());
  } else {
    upkeep.breaker = afterFailure(upkeep.breaker);
    if (!isOpen(upkeep.breaker)) return;
    const message = "Automatic compaction has failed three times in a row and is off until something changes.";
    state.events.emit({ type: "warning", warning: { code: "BREAKER_OPEN", message } });
  }
}

const isRateLimit = (message: string) => classifyError({ message }).kind === "rate-limit";

function messageOf({ compaction, stuck }: Relief, kind: string): string | undefined {
  const why = stuck ?? (compaction?.status === "failed" ? compaction.error.message : undefined);
  if (why === undefined) return undefined;
  return `${kind === "overflow" ? "Context overflow recovery failed" : "Auto-compaction failed"}: ${why}`;
}
