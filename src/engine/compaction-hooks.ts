import { estimateMessage } from "../core/context/tokens.ts";
import type { CompactionPlan } from "../core/plan/plan.ts";
import { recut } from "../core/plan/recut.ts";
import { spanOf } from "../core/plan/span.ts";
import type { Guidance } from "../core/summary/requests.ts";
import { EspalierError } from "../errors.ts";
import type { CompactionReason } from "../ports/events.ts";
import type { HookCompaction } from "../ports/hooks.ts";
import type { SessionState } from "./state.ts";

/** What the hooks before a compaction came to. */
export type Ruling =
  | { readonly kind: "cancel" }
  | { readonly kind: "compaction"; readonly plan: CompactionPlan; readonly compaction: HookCompaction }
  | { readonly kind: "none" };

/**
 * What the `session_before_compact` hooks rule: the first cancel or the first compaction wins [H1, H2].
 *
 * Throws `HOOK_INVALID` for a compaction without a summary or with a boundary that is no valid cut of the live path [K4].
 */
export async function beforeCompact(
  state: SessionState,
  plan: CompactionPlan,
  cause: { readonly focus?: string; readonly reason: CompactionReason; readonly willRetry?: boolean },
  signal: AbortSignal,
): Promise<Ruling> {
  const { focus, reason, willRetry = false } = cause;
  const payload = {
    preparation: plan,
    branchEntries: state.path(),
    ...(focus !== undefined && { customInstructions: focus }),
    reason,
    willRetry,
    signal,
  };
  for await (const { cancel, compaction } of state.hooks.ask("session_before_compact", payload, signal)) {
    if (cancel === true) return { kind: "cancel" };
    if (compaction) return { kind: "compaction", plan: checked(state, plan, compaction), compaction };
  }
  return { kind: "none" };
}

/** What the `session.compacting` hooks add: the first prompt wins, contexts add up, later data goes over earlier [H2]. */
export async function askCompacting(
  state: SessionState,
  plan: CompactionPlan,
  signal: AbortSignal,
): Promise<Guidance & { preserveData: Record<string, unknown> }> {
  const messages = [...plan.messagesToSummarize, ...plan.turnPrefixMessages].map(({ message }) => message);
  const payload = { sessionId: state.store.header.id, messages };
  const context: string[] = [];
  const preserveData: Record<string, unknown> = {};
  let prompt: string | undefined;
  for await (const result of state.hooks.ask("session.compacting", payload, signal)) {
    if (typeof result.prompt === "string") prompt ??= result.prompt;
    if (Array.isArray(result.context)) context.push(...result.context.filter((line) => typeof line === "string"));
    if (typeof result.preserveData === "object") Object.assign(preserveData, result.preserveData);
  }
  return { ...(prompt !== undefined && { prompt }), ...(context.length > 0 && { context }), preserveData };
}

function checked(state: SessionState, plan: CompactionPlan, compaction: HookCompaction): CompactionPlan {
  const { summary, firstKeptEntryId } = compaction;
  if (typeof summary !== "string" || summary.trim() === "") throw invalid("its summary is empty");
  const places = spanOf(state.projection(), (message) => estimateMessage(message, state.host.counter));
  let at = places.findIndex(({ entryId }) => entryId === firstKeptEntryId);
  if (at < 0) throw invalid(`firstKeptEntryId ${firstKeptEntryId} is not a live entry of the path`);
  while (places[at]?.metadata) at++;
  if (places[at] && !places[at]?.cuttable) {
    throw invalid(`entry ${firstKeptEntryId} is no cut point: it would part a call from its result`);
  }
  const plannedAnew = recut(plan, firstKeptEntryId);
  if (!plannedAnew) throw invalid(`firstKeptEntryId ${firstKeptEntryId} leaves nothing to replace`);
  return plannedAnew;
}

function invalid(why: string): EspalierError {
  const message = `A session_before_compact hook gave a compaction that cannot be used: ${why}. Nothing was stored.`;
  return new EspalierError("HOOK_INVALID", message, { why });
}
