import { type Explanation, explain } from "../core/context/explain.ts";
import { projectContext } from "../core/context/project.ts";
import type { ModelRef } from "../core/context/projection.ts";
import type { Entry, EntryMeta, LabelEntry, SessionHeader, SessionInfoEntry } from "../core/session/entry.ts";
import type { Message, ToolResultMessage } from "../core/session/message.ts";
import type { Tree } from "../core/session/tree.ts";
import { checkedSettings, type Settings } from "../core/settings.ts";
import { CLOSED } from "../core/trigger/breaker.ts";
import type { Measure } from "../core/trigger/measure.ts";
import type { Pin } from "../core/verify/pins.ts";
import type { Warning } from "../errors.ts";
import type { SessionStore } from "../ports/store.ts";
import { appendShown } from "./append-shown.ts";
import { type BackOptions, runBack } from "./back.ts";
import { type BranchDiff, diffBranches } from "./branch-diff.ts";
import { type ImportOptions, type ImportOutcome, importBranch } from "./branch-import.ts";
import {
  commitImport,
  commitNavigation,
  type ImportPreview,
  type NavigationPreview,
  previewImport,
  previewNavigation,
  type SummaryEdits,
} from "./branch-preview.ts";
import type { CompactionPreview } from "./commit-preview.ts";
import { previewCompaction, runCompaction } from "./compact.ts";
import { contextOf } from "./context.ts";
import type { Events } from "./events.ts";
import { forkPath, type SessionFork } from "./fork.ts";
import type { HookRegistry } from "./hooks.ts";
import type { Host } from "./host.ts";
import { rename, setLabel } from "./label.ts";
import { appendAt } from "./leaf-move.ts";
import { type MaintainOptions, type MaintainOutcome, maintain } from "./maintain.ts";
import { type NavigateOptions, type NavigateOutcome, runNavigate } from "./navigate.ts";
import type { CompactionOutcome, CompactOptions, SessionContext } from "./outcome.ts";
import { type PinOutcome, type PinTarget, runPin, runUnpin, type UnpinOutcome, type UnpinTarget } from "./pin.ts";
import { readBoard } from "./pin-board.ts";
import { type PruneOutcome, type PruneRequest, previewPrune, runPrune } from "./prune.ts";
import { type RecallRequest, type RecallResult, runRecall } from "./recall.ts";
import { createState, type NewEntry } from "./state.ts";
import { type RedoOutcome, runRedo, runUndo, type UndoOutcome } from "./undo.ts";

/** An open session: the library's front door. */
export interface Session {
  readonly location: string;
  readonly header: SessionHeader;
  readonly readOnly: boolean;
  readonly settings: Settings;
  /** The entry we stand on; null at the root. */
  readonly leafId: string | null;
  readonly warnings: readonly Warning[];
  readonly store: SessionStore;

  /** What the model sees now, and what is to be sent [X1]; with `micro.enabled` older results are marks [R6]. Costs O(live). */
  context(): Promise<SessionContext>;
  /** Model and thinking level from the whole path, however far back [X3]; `off` where no entry sets a level. */
  pathSettings(): Promise<{ model: ModelRef | null; thinkingLevel: string }>;
  /** The size of the context, by the provider's own count where there is one [T2]. */
  measure(): Measure;
  /** Stores messages or entries as one batch under the leaf; gives them back as stored. */
  append(...items: (Message | NewEntry)[]): Promise<readonly Entry[]>;
  /** The same under any entry, as for the late result of a call on a branch that was left; the leaf stays [A7]. */
  appendAt(parentId: string | null, ...items: (Message | NewEntry)[]): Promise<readonly Entry[]>;
  /**
   * Stores a tool's result with all it gave, and in the same batch the edit by which the model sees `content` of it;
   * under the leaf, or as by `appendAt` under another entry.
   */
  appendShown(
    result: ToolResultMessage,
    content: ToolResultMessage["content"],
    parentId?: string | null,
  ): Promise<readonly Entry[]>;
  /** Moves the leaf; a user's message is handed back as `editorText`, null is the root [B1]. Durable [S8]. */
  navigate(targetId: string | null, options?: NavigateOptions): Promise<NavigateOutcome>;
  /** The same navigation, made ready and shown but not done [V5]. */
  previewNavigation(targetId: string | null, options?: NavigateOptions): Promise<NavigationPreview | NavigateOutcome>;
  /** Does a preview, with another text as its summary where one is given; `PLAN_STALE` if it fits no more [V5]. */
  commitNavigation(preview: NavigationPreview, edits?: SummaryEdits): Promise<NavigateOutcome>;
  /** Takes the last navigation back, then the one before, also after reopening [B6]. */
  back(options?: BackOptions): Promise<NavigateOutcome>;
  /** Stores a summary of another branch here, without leaving: merges it back [B5]. */
  importBranch(leafId: string, options?: ImportOptions): Promise<ImportOutcome>;
  /** The same merge, made and shown but not stored [V5]. */
  previewImport(leafId: string, options?: ImportOptions): ReturnType<typeof previewImport>;
  /** Stores a preview, with another text where one is given; `PLAN_STALE` if it fits no more [V5]. */
  commitImport(preview: ImportPreview, edits?: SummaryEdits): Promise<ImportOutcome>;
  /** What two branches have since they parted, files included [B5]. */
  diffBranches(a: string, b: string): Promise<BranchDiff>;
  /** Names an entry; null takes the name away [S11]. */
  label(entryId: string, name: string | null): Promise<LabelEntry>;
  /** Names the session. */
  rename(name: string): Promise<SessionInfoEntry>;
  /** The path to `entryId` as a session of its own, to be written to a file [S11]. */
  fork(entryId: string): Promise<SessionFork>;
  /** Replaces history by a summary: appends one compaction entry, or says why not [P4]. */
  compact(options?: CompactOptions): Promise<CompactionOutcome>;
  /** Does what the context needs, if anything: prune, compact; for an agent's loop [T5]. */
  maintain(options?: MaintainOptions): Promise<MaintainOutcome>;
  /** Changes settings from now on, as for another model; unknown keys and wrong values throw `SETTING_INVALID`. */
  configure(changes: Partial<Settings>): void;
  /** The same compaction, made and shown but not stored [V5]. */
  previewCompaction(options?: CompactOptions): Promise<CompactionOutcome>;
  /** Stores a preview, with another text as its summary where one is given; `PLAN_STALE` if it fits no more [V5, K2]. */
  commitCompaction(preview: CompactionPreview, edits?: { readonly summary?: string }): Promise<CompactionOutcome>;
  /** Takes the compaction in force back; a second call the one before [V3]. */
  undo(): Promise<UndoOutcome>;
  /** Honours again what was undone last [V3]. */
  redo(): Promise<RedoOutcome>;
  /** What every compaction carries word for word, oldest first [V1]. */
  pins(): Promise<readonly Pin[]>;
  /** Pins an entry's words, or words given, through all compactions [V1]. */
  pin(target: PinTarget): Promise<PinOutcome>;
  /** Removes a pin by entry id, by its words, or by its number in the list from 1. */
  unpin(target: UnpinTarget): Promise<UnpinOutcome>;
  /** Puts placeholders for old tool outputs, or says why not; the originals stay in the session [R1, R2]. */
  prune(options?: PruneRequest): Promise<PruneOutcome>;
  /** The same prune, made and shown but not stored. */
  previewPrune(options?: PruneRequest): PruneOutcome;
  /** Originals behind summaries, edits and on other branches, by words or entry id [R9]. Reads the whole session. */
  recall(query: string | RecallRequest): Promise<RecallResult>;
  /** Where every entry of the path went [X8]. Costs O(path) metadata. */
  explain(): Promise<Explanation>;
  tree(): Promise<Tree>;
  readonly on: Events["on"];
  /** Adds a hook behind those given at opening; gives the function that removes it [H1, H2]. */
  readonly hook: HookRegistry["add"];
  /** A turn is over: what the store holds back for the disk is written. */
  endTurn(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A session over an open store, standing at the store's leaf or at `leafId`.
 *
 * Reads the live part of the path and nothing else [S10]. Rejects `ENTRY_NOT_FOUND` for an unknown `leafId`.
 */
export async function createSession(store: SessionStore, host: Host, leafId?: string): Promise<Session> {
  const state = await createState(store, host, leafId);
  return {
    location: store.location,
    header: store.header,
    readOnly: store.readOnly,
    get settings() {
      return state.settings;
    },
    store,
    on: state.events.on,
    hook: state.hooks.add,
    get leafId() {
      return state.leafId;
    },
    get warnings() {
      return [...store.warnings, ...state.projection().warnings];
    },

    context: async () => contextOf(state),

    async pathSettings() {
      const known = state.projection();
      if (known.model && known.thinkingLevel !== null) {
        return { model: known.model, thinkingLevel: known.thinkingLevel };
      }
      const whole = projectContext(await store.readPath(state.tipId));
      return { model: whole.model, thinkingLevel: whole.thinkingLevel ?? "off" };
    },

    measure: () => state.measure(),

    append: (...items) => state.append(() => state.make(items)),
    appendShown: (result, content, parentId) => appendShown(state, result, content, parentId),
    appendAt: (parentId, ...items) => appendAt(state, parentId, items),
    navigate: (targetId, options) => state.exclusively(() => runNavigate(state, targetId, options)),
    back: (options) => state.exclusively(() => runBack(state, options)),
    importBranch: (leafId, options) => state.exclusively(() => importBranch(state, leafId, options)),
    previewNavigation: (targetId, options) => previewNavigation(state, targetId, options),
    commitNavigation(preview, edits) {
      if (preview?.status !== "preview") throw new TypeError("commitNavigation takes what previewNavigation gave");
      return state.exclusively(() => commitNavigation(state, preview, edits));
    },
    previewImport: (leafId, options) => previewImport(state, leafId, options),
    commitImport(preview, edits) {
      if (preview?.status !== "preview") throw new TypeError("commitImport takes what previewImport gave");
      return state.exclusively(() => commitImport(state, preview, edits));
    },
    diffBranches: (a, b) => diffBranches(state, a, b),
    label: (entryId, name) => setLabel(state, entryId, name),
    rename: (name) => rename(state, name),
    fork: (entryId) => forkPath(store, entryId),

    async compact(options = {}) {
      const outcome = await state.exclusively(() => runCompaction(state, { reason: "manual", ...options }));
      if (outcome.status === "compacted") state.upkeep.breaker = CLOSED;
      return outcome;
    },
    maintain: (options = {}) => state.exclusively(() => maintain(state, options)),
    configure: (changes) => state.configure(checkedSettings(changes)),
    previewCompaction: (options = {}) => previewCompaction(state, { reason: "manual", ...options }),

    commitCompaction(preview, { summary } = {}) {
      if (preview?.status !== "preview") throw new TypeError("commitCompaction takes what previewCompaction gave");
      const commit = summary === undefined ? { preview } : { preview, summary };
      return state.exclusively(() => runCompaction(state, { reason: "manual", commit }));
    },
    undo: () => state.exclusively(() => runUndo(state)),
    redo: () => state.exclusively(() => runRedo(state)),
    pins: async () => (await readBoard(state)).pins,
    pin: (target) => runPin(state, target),
    unpin: (target) => runUnpin(state, target),

    prune: (options) => state.exclusively(() => runPrune(state, options)),
    previewPrune: (options) => previewPrune(state, options),

    recall: (query) => runRecall(state, query),

    async explain() {
      const tree = await store.tree();
      const metas: EntryMeta[] = [];
      for (const id of tree.path(state.tipId)) {
        const meta = tree.get(id);
        if (meta) metas.push(meta);
      }
      return explain(metas, state.projection());
    },

    tree: () => store.tree(),
    endTurn: () => store.endTurn(),
    close() {
      state.upkeep.ahead?.abort();
      return state.close();
    },
  };
}
