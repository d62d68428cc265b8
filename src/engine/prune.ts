import { type NothingToPrune, type PrunedOutput, type PruneOptions, pruneToolOutputs } from "../core/plan/prune.ts";
import { type Entry, PRUNE_MARKER } from "../core/session/entry.ts";
import type { ToolResultMessage } from "../core/session/message.ts";
import { EspalierError } from "../errors.ts";
import type { CompactionReason } from "../ports/events.ts";
import { contentEdit } from "./content-edit.ts";
import type { NewEntry, SessionState } from "./state.ts";

export interface PruneRequest extends Pick<PruneOptions, "recallHint" | "protect"> {
  /** What asked for it; anything but `manual` heeds `pruning.enabled` [T7]. */
  readonly reason?: CompactionReason;
}

/** How a prune ended. Nothing was written unless it is `pruned`; `entries` are the edits, or the rewritten entries. */
export type PruneOutcome =
  | ({ readonly status: "pruned" | "preview" } & PruneResult)
  | { readonly status: "skipped"; readonly because: NothingToPrune["because"] | "off"; readonly saved: number };

/** Tokens are estimates of the whole context [T1]. */
export interface PruneResult {
  readonly outputs: readonly PrunedOutput[];
  readonly entries: readonly Entry[];
  readonly persist: "edits" | "rewrite";
  readonly saved: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/**
 * How a prune of the session's live tool outputs ends [R1, R2].
 *
 * Appends one batch of `context_edit` entries, or rewrites the stored entries where `pruning.persist` says so, the
 * originals kept beside them. Costs O(live). Rejects what the store rejects, with nothing changed.
 */
export async function runPrune(state: SessionState, request: PruneRequest = {}): Promise<PruneOutcome> {
  const { reason = "manual" } = request;
  const { settings, store } = { settings: state.settings, store: state.store };
  if (reason !== "manual" && !settings["pruning.enabled"]) return { status: "skipped", because: "off", saved: 0 };
  const rewrites = settings["pruning.persist"] === "rewrite";
  if (rewrites && store.supports.rewrite !== true) {
    const message = `${store.location} can't rewrite entries; set pruning.persist to "edits".`;
    throw new EspalierError("STORE_IO", message, { location: store.location });
  }
  let outcome: PruneOutcome | undefined;
  const build = (): readonly Entry[] => {
    outcome = previewPrune(state, request);
    return outcome.status === "skipped" ? [] : outcome.entries;
  };
  await (rewrites ? state.rewrite(build) : state.append(build));
  const done = outcome as unknown as PruneOutcome;
  if (done.status === "skipped") return done;
  if (rewrites) await state.append(() => state.make([markerOf(done)]));
  state.events.emit({ type: "prune", reason, entryIds: done.outputs.map(({ entryId }) => entryId), saved: done.saved });
  return { ...done, status: "pruned" };
}

/** The same prune up to the entries that it would write; writes nothing. */
export function previewPrune(state: SessionState, { recallHint, protect }: PruneRequest = {}): PruneOutcome {
  const { settings } = state;
  const { counter } = state.host;
  const persist = settings["pruning.persist"];
  const projection = state.projection();
  const plan = pruneToolOutputs(projection, settings, {
    counter,
    sizeOf: state.sizeOf,
    ...(recallHint && { recallHint }),
    // Where an edit is in force a rewritten original would change nothing.
    protect: (output) => (persist === "rewrite" && projection.edits.has(output.entryId)) || protect?.(output) === true,
  });
  if (plan.kind === "nothing") return { status: "skipped", because: plan.because, saved: plan.saved };
  const { outputs, saved } = plan;
  let tokensBefore = 0;
  for (const { message } of projection.messages) tokensBefore += state.sizeOf(message);
  return {
    status: "preview",
    outputs,
    entries:
      persist === "rewrite"
        ? rewritten(state, outputs)
        : state.make(outputs.map(({ entryId, content }) => contentEdit(entryId, content, "prune"))),
    persist,
    saved,
    tokensBefore,
    tokensAfter: tokensBefore - saved,
  };
}

/** Says that what was sent before it has changed, so that no older usage counts [T2]. */
function markerOf({ outputs, saved }: PruneResult): NewEntry {
  return { type: "custom", customType: PRUNE_MARKER, data: { entryIds: outputs.map(({ entryId }) => entryId), saved } };
}

/** `prunedAt` is oh-my-pi's mark of an output that was replaced in place. */
function rewritten({ path, host }: SessionState, outputs: readonly PrunedOutput[]): Entry[] {
  const contents = new Map(outputs.map(({ entryId, content }) => [entryId, content]));
  const prunedAt = host.clock.now();
  return path().flatMap((entry) => {
    const content = contents.get(entry.id);
    if (content === undefined || entry.type !== "message") return [];
    const message: unknown = { ...entry.message, content: [...content], prunedAt };
    return [{ ...entry, message: message as ToolResultMessage }];
  });
}
