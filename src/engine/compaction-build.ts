import { compactionEntry } from "../core/commit/compaction-entry.ts";
import { checkPlanFresh } from "../core/commit/fresh.ts";
import { projectContext } from "../core/context/project.ts";
import { estimateContext } from "../core/context/tokens.ts";
import type { CompactionPlan } from "../core/plan/plan.ts";
import type { HookCompaction } from "../ports/hooks.ts";
import type { CompactionOutcome } from "./outcome.ts";
import { spentItem } from "./spent.ts";
import type { SessionState } from "./state.ts";
import type { PlanSummary } from "./summarize.ts";
import type { Verified } from "./verify.ts";

/** An entry that may be stored, or why it is not worth it. */
export type Built = Extract<CompactionOutcome, { status: "preview" | "skipped" }>;

/** A summary and what goes into the entry beside it. */
export type Written = PlanSummary & { readonly preserveData?: Record<string, unknown> };

/** The same of a compaction that a hook gave [H1]. */
export function summaryOfHook({ shortSummary, details, preserveData }: HookCompaction, verified: Verified): Written {
  return {
    kind: "summary",
    ...(shortSummary && { shortText: shortSummary }),
    method: "hook",
    spent: [],
    verified,
    warnings: verified.warnings,
    details: details ?? {},
    ...(preserveData && { preserveData }),
  };
}

/** The entry for the path as it is now, or why it is not worth storing; throws `PLAN_STALE` [K2, M6]. */
export function buildCompaction(state: SessionState, plan: CompactionPlan, summary: Written): Built {
  const { counter } = state.host;
  const { loss, pins, citations, snapshot, text } = summary.verified;
  const facts = {
    plan,
    summary: text,
    shortSummary: summary.shortText,
    stamp: state.stamp(),
    parentId: state.tipId,
    arrived: checkPlanFresh(plan, state.path()),
    method: summary.method,
    model: summary.model,
    usage: summary.usage,
    details: { ...summary.details, loss, citations },
    snapshot,
    preserveData: summary.preserveData,
    fromExtension: summary.method === "hook",
  };
  const tokensBefore = estimateContext(state.projection().messages, counter);
  const after = projectContext([...state.path(), compactionEntry(facts)]);
  const tokensAfter = estimateContext(after.messages, counter);
  if (tokensAfter >= tokensBefore) return { status: "skipped", because: "too-small" };
  const entry = compactionEntry({ ...facts, tokensAfter });
  const spent = state.make(
    summary.spent.map((request) => spentItem("compaction", request)),
    entry.id,
  );
  const warnings = [...summary.warnings, ...after.warnings];
  const result = { plan, after: after.messages, tokensBefore, tokensAfter, spent, warnings, loss, pins, citations };
  return { status: "preview", entry, result };
}
