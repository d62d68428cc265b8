import { scriptCounter, type TokenCounter } from "./core/context/tokens.ts";
import { resolveSettings, type SettingsInput } from "./core/settings.ts";
import { systemClock } from "./engine/clock.ts";
import type { Host } from "./engine/host.ts";
import { createSession, type Session } from "./engine/session.ts";
import type { Clock } from "./ports/clock.ts";
import type { Hooks } from "./ports/hooks.ts";
import type { SessionStore } from "./ports/store.ts";
import type { Summarizer } from "./ports/summarizer.ts";

export type { Explanation } from "./core/context/explain.ts";
export type { ContextMessage, ModelRef, Projection } from "./core/context/projection.ts";
export type { TokenCounter } from "./core/context/tokens.ts";
export type { BranchPlan, BranchPreparation } from "./core/plan/branch.ts";
export type { BranchSide } from "./core/plan/branch-side.ts";
export type { CompactionPlan, NothingToCompact } from "./core/plan/plan.ts";
export type * from "./core/session/entry.ts";
export type * from "./core/session/message.ts";
export type { SettingKey, Settings, SettingsInput } from "./core/settings.ts";
export type { SummaryReply, SummaryRequest } from "./core/summary/request.ts";
export type { Decision } from "./core/trigger/decide.ts";
export type { Measure } from "./core/trigger/measure.ts";
export type { Citations } from "./core/verify/citations.ts";
export type { Loss, LostAnchor } from "./core/verify/loss.ts";
export type { Pin } from "./core/verify/pins.ts";
export type { BranchDiff } from "./engine/branch-diff.ts";
export type { ImportOptions, ImportOutcome } from "./engine/branch-import.ts";
export type { ImportPreview, NavigationPreview, SummaryEdits } from "./engine/branch-preview.ts";
export { contentClock, systemClock } from "./engine/clock.ts";
export type { CompactionPreview } from "./engine/commit-preview.ts";
export type { SessionFork } from "./engine/fork.ts";
export type { MaintainOptions, MaintainOutcome } from "./engine/maintain.ts";
export type { NavigateOptions, NavigateOutcome } from "./engine/navigate.ts";
export type { CompactionOutcome, CompactionResult, CompactOptions, SessionContext } from "./engine/outcome.ts";
export type { PinOutcome, PinTarget, UnpinOutcome, UnpinTarget } from "./engine/pin.ts";
export type { PruneOutcome, PruneRequest, PruneResult } from "./engine/prune.ts";
export type { RecallHit, RecallPlace, RecallRequest, RecallResult } from "./engine/recall.ts";
export type { Session } from "./engine/session.ts";
export type { NewEntry } from "./engine/state.ts";
export type { RedoOutcome, UndoOutcome } from "./engine/undo.ts";
export { type ErrorCode, EspalierError, type Warning } from "./errors.ts";
export type { Clock } from "./ports/clock.ts";
export type { CompactionReason, EventOf, SessionEvent, SessionEventType } from "./ports/events.ts";
export type { Hook, HookCompaction, HookName, HookOptions, HookPayload, HookResult, Hooks } from "./ports/hooks.ts";
export type { LeafPosition, SessionStore, StoreCapabilities, StoredEntry } from "./ports/store.ts";
export type { Summarizer, SummaryProgress } from "./ports/summarizer.ts";

export interface OpenOptions {
  /** Nothing is ever written; other programs may write meanwhile. */
  readonly readOnly?: boolean;
  /** Takes the lock now, not at the first append: for work that must not be lost to another writer [S9]. */
  readonly claim?: boolean;
  /** Makes a new session file; refused if the file exists. */
  readonly create?: { readonly cwd: string };
  readonly settings?: SettingsInput;
  /** Stand here instead of at the stored leaf. */
  readonly leafId?: string;
  /** Default: the embedded summariser, which needs no model. */
  readonly summarizer?: Summarizer;
  /** Default: tokens estimated by script. */
  readonly counter?: TokenCounter;
  readonly clock?: Clock;
  /** Tokens of system prompt and tools that stand in no entry: they are counted in every measure [T2]. */
  readonly extraTokens?: number;
  /** Hooks to begin with; `session.hook` adds more [H1]. */
  readonly hooks?: Hooks;
}

/**
 * An open session over a file or over a store of your own.
 *
 * A pi or oh-my-pi file is opened in place; sessions of other agents are read into memory and are read-only.
 * Opening costs what is live, not what the file holds [S10]. Close it to give up the lock.
 * Rejects `FILE_NOT_FOUND`, `NOT_A_SESSION`, `FORMAT_UNKNOWN`, `ENTRY_NOT_FOUND`, `SETTING_INVALID`; with `claim` `SESSION_LOCKED`.
 */
export async function openSession(fileOrStore: string | SessionStore, options: OpenOptions = {}): Promise<Session> {
  const { hooks, extraTokens } = options;
  if (extraTokens !== undefined && !(Number.isFinite(extraTokens) && extraTokens >= 0)) {
    throw new TypeError("extraTokens is a number of tokens of at least 0");
  }
  const { settings } = resolveSettings(options.settings ? [{ source: "API", values: options.settings }] : []);
  const clock = options.clock ?? systemClock;
  const store =
    typeof fileOrStore === "string" ? await openStore(fileOrStore, options, { settings, clock }) : fileOrStore;
  const counter = options.counter ?? scriptCounter;
  const summarizer = options.summarizer
    ? (await import("./summarizers/settled.ts")).settledSummarizer(options.summarizer)
    : (await import("./summarizers/embedded.ts")).embeddedSummarizer({ counter });
  const backup =
    typeof fileOrStore === "string" && settings.transcripts
      ? (await import("./stores/jsonl/transcripts.ts")).transcriptsBeside(fileOrStore)
      : undefined;
  const host: Host = { settings, summarizer, counter, clock, hooks, backup, extraTokens };
  try {
    return await createSession(store, host, options.leafId);
  } catch (error) {
    if (store !== fileOrStore) await store.close();
    throw error;
  }
}

async function openStore(
  file: string,
  { create, readOnly, claim }: OpenOptions,
  { settings: { fsync, blobs }, clock }: Pick<Host, "settings" | "clock">,
): Promise<SessionStore> {
  const { openJsonlStore } = await import("./stores/jsonl/index.ts");
  if (create) {
    const timestamp = new Date(clock.now()).toISOString();
    const id = globalThis.crypto.randomUUID();
    return openJsonlStore(file, {
      create: { type: "session", version: 3, id, timestamp, cwd: create.cwd },
      claim,
      fsync,
      blobs,
    });
  }
  const { formatOf, importSession } = await import("./formats/index.ts");
  if ((await formatOf(file)) === "pi") return openJsonlStore(file, { readOnly, claim, fsync, blobs });
  const { createMemoryStore } = await import("./stores/memory.ts");
  const { header, entries, warnings } = await importSession(file);
  return createMemoryStore({ header, entries, warnings, readOnly: true, location: file });
}
