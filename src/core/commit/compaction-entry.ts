import type { CompactionPlan } from "../plan/plan.ts";
import type { CompactionEntry, SummaryDetails, SummaryMethod } from "../session/entry.ts";
import type { Usage } from "../session/message.ts";

/** Everything that a new compaction entry says. `summary` is the merged text. */
export interface CompactionFacts {
  readonly plan: CompactionPlan;
  readonly summary: string;
  readonly shortSummary?: string;
  /** Identity and time come from outside [I7]; `timestamp` is ISO 8601. */
  readonly stamp: { readonly id: string; readonly timestamp: string };
  /** The session's tip: the entry is appended there, wherever the plan was made [K2]. */
  readonly parentId: string | null;
  /** Ids of the entries that came after the plan's leaf, as `checkPlanFresh` gives them. */
  readonly arrived?: readonly string[];
  readonly tokensAfter?: number;
  readonly method: SummaryMethod;
  readonly model?: string;
  readonly usage?: Usage;
  /** What the summariser wants back with the previous summary. */
  readonly details?: SummaryDetails;
  /** What else `details.espalier` holds for whoever opens the session [S10]. */
  readonly snapshot?: Readonly<Record<string, unknown>>;
  readonly preserveData?: Readonly<Record<string, unknown>>;
  readonly fromExtension?: boolean;
}

/**
 * The compaction entry to append [K1, S3].
 *
 * Without kept entries `firstKeptEntryId` is the first that arrived meanwhile, else the entry's own id [P5, K2].
 * `details.espalier` holds model and thinking level at the leaf, so that opening need not read further back [S10].
 * `preserveData` of the previous compaction goes on under the new one's keys.
 */
export function compactionEntry(facts: CompactionFacts): CompactionEntry {
  const { plan, stamp } = facts;
  const fromExtension = facts.fromExtension ?? false;
  const { readFiles, modifiedFiles } = plan.details;
  const files = fromExtension ? { files: { readFiles, modifiedFiles } } : {};
  const espalier = { ...snapshotOf(plan), ...facts.snapshot, ...files };
  const preserveData = { ...plan.previous?.preserveData, ...facts.preserveData };
  return {
    type: "compaction",
    id: stamp.id,
    parentId: facts.parentId,
    timestamp: stamp.timestamp,
    summary: facts.summary,
    ...(facts.shortSummary && { shortSummary: facts.shortSummary }),
    firstKeptEntryId: plan.firstKeptEntryId ?? facts.arrived?.[0] ?? stamp.id,
    tokensBefore: plan.tokensBefore,
    ...(facts.tokensAfter !== undefined && { tokensAfter: facts.tokensAfter }),
    // An extension's own file lists stay as it gave them [F2]; ours go on beside them.
    details: fromExtension
      ? { ...plan.details, ...facts.details, espalier }
      : { ...facts.details, ...plan.details, espalier },
    ...(Object.keys(preserveData).length > 0 && { preserveData }),
    fromExtension,
    fromHook: fromExtension,
    ...(plan.systemMessage && { systemMessage: plan.systemMessage }),
    method: facts.method,
    ...(facts.model && { model: facts.model }),
    ...(facts.usage && { usage: facts.usage }),
  };
}

function snapshotOf(plan: CompactionPlan): Record<string, unknown> {
  return {
    ...(plan.model && { model: plan.model }),
    ...(plan.thinkingLevel !== null && { thinkingLevel: plan.thinkingLevel }),
    ...(plan.lastRequest && { lastRequest: plan.lastRequest }),
  };
}
