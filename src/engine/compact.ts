import { compactionEntry } from "../core/commit/compaction-entry.ts";
import { checkPlanFresh } from "../core/commit/fresh.ts";
import { projectContext } from "../core/context/project.ts";
import { estimateContext } from "../core/context/tokens.ts";
import { prepareCompaction } from "../core/plan/compaction.ts";
import type { CompactionEntry, Entry } from "../core/session/entry.ts";
import { measureContext } from "../core/trigger/measure.ts";
import { EspalierError } from "../errors.ts";
import type { Host } from "./host.ts";
import type { CompactionOutcome, CompactionResult, CompactOptions } from "./outcome.ts";
import { summarizePlan } from "./summarize.ts";

/** What a compaction needs of the session it runs in. */
export interface CompactionRun {
  readonly host: Host;
  readonly options: CompactOptions;
  /** The path as it is now; asked again at the commit. */
  readonly path: () => readonly Entry[];
  readonly stamp: () => { readonly id: string; readonly timestamp: string };
  /** Stores the entry; left out for a preview. */
  readonly commit?: (entry: CompactionEntry) => Promise<void>;
}

/**
 * How a compaction of the session's path ends: plan, summarise, commit, project, for every cause alike.
 *
 * Nothing is stored unless the outcome is `compacted`. Coded errors come back as `failed`; others are thrown.
 */
export async function runCompaction(run: CompactionRun): Promise<CompactionOutcome> {
  try {
    return await compact(run);
  } catch (error) {
    if (EspalierError.is(error)) return { status: "failed", error };
    throw error;
  }
}

async function compact({ host, options, path, stamp, commit }: CompactionRun): Promise<CompactionOutcome> {
  const { counter, settings } = host;
  const signal = options.signal ?? new AbortController().signal;
  const projection = projectContext(path());
  const measure = measureContext(projection, path(), { counter });
  const plan = prepareCompaction(path(), settings, measure, { counter, mode: options.mode, projection });
  if (plan.kind === "nothing") return { status: "skipped", because: plan.because };

  const summary = await summarizePlan(plan, { focus: options.focus }, host.summarizer, counter, signal);
  if (summary.kind === "aborted" || signal.aborted) return { status: "cancelled", by: "signal" };
  if (summary.kind === "failed") {
    const message = `The summary could not be made: ${summary.reason} Nothing was changed.`;
    throw new EspalierError("SUMMARY_FAILED", message, { reason: summary.reason }, summary.cause);
  }

  const before = path();
  const arrived = checkPlanFresh(plan, before);
  const tokensBefore = estimateContext(projection.messages, counter);
  const facts = {
    plan,
    summary: summary.text,
    shortSummary: summary.shortText,
    stamp: stamp(),
    parentId: before.at(-1)?.id ?? null,
    arrived,
    method: summary.method,
    model: summary.model,
    usage: summary.usage,
    details: summary.details,
  };
  const after = projectContext([...before, compactionEntry(facts)]);
  const tokensAfter = estimateContext(after.messages, counter);
  if (tokensAfter >= estimateContext(projectContext(before).messages, counter)) {
    return { status: "skipped", because: "too-small" };
  }
  const entry = compactionEntry({ ...facts, tokensAfter });
  const result: CompactionResult = {
    plan,
    after: after.messages,
    tokensBefore,
    tokensAfter,
    warnings: after.warnings,
  };
  if (!commit) return { status: "preview", entry, result };
  await commit(entry);
  return { status: "compacted", entry, result };
}
