import { type Explanation, explain } from "../core/context/explain.ts";
import { createLiveScan } from "../core/context/live.ts";
import { projectContext } from "../core/context/project.ts";
import type { ModelRef, Projection } from "../core/context/projection.ts";
import { estimateContext } from "../core/context/tokens.ts";
import type { Entry, EntryMeta, SessionHeader } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import type { Tree } from "../core/session/tree.ts";
import type { Settings } from "../core/settings.ts";
import type { Warning } from "../errors.ts";
import type { SessionStore } from "../ports/store.ts";
import { runCompaction } from "./compact.ts";
import type { Host } from "./host.ts";
import type { CompactionOutcome, CompactOptions, SessionContext } from "./outcome.ts";

/** An entry to append: id, parent and time are filled in by the session. */
export type NewEntry = Entry extends infer E
  ? E extends Entry
    ? Omit<E, "id" | "parentId" | "timestamp">
    : never
  : never;

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

  /** What the model sees now [X1]. Costs O(live). */
  context(): Promise<SessionContext>;
  /** Model and thinking level from the whole path, however far back [X3]; `off` where no entry sets a level. */
  pathSettings(): Promise<{ model: ModelRef | null; thinkingLevel: string }>;
  /** Stores messages or entries as one batch under the leaf; gives them back as stored. */
  append(...items: (Message | NewEntry)[]): Promise<Entry[]>;
  /** Replaces history by a summary: appends one compaction entry, or says why not [P4]. */
  compact(options?: CompactOptions): Promise<CompactionOutcome>;
  /** The same compaction, made and shown but not stored [V5]. */
  previewCompaction(options?: CompactOptions): Promise<CompactionOutcome>;
  /** Where every entry of the path went [X8]. Costs O(path) metadata. */
  explain(): Promise<Explanation>;
  tree(): Promise<Tree>;
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
  const stored = store.position();
  let leaf = leafId ?? stored.leafId;
  let tip = leafId ?? stored.tipId;
  // The path ends in the tip and not in the leaf: markers under the leaf may be undo or redo.
  let path = await store.readPath(tip, createLiveScan().enough);
  let projected: Projection | undefined;

  const project = (): Projection => {
    projected ??= projectContext(path);
    return projected;
  };

  const write = async (entries: readonly Entry[]): Promise<void> => {
    await store.append(entries);
    path = path.concat(entries);
    tip = entries.at(-1)?.id ?? tip;
    leaf = tip;
    projected = undefined;
  };

  const stamp = () => ({ id: host.clock.newId(), timestamp: new Date(host.clock.now()).toISOString() });

  const compaction = (options: CompactOptions, dryRun: boolean) =>
    runCompaction({
      host,
      options,
      path: () => path,
      stamp,
      ...(!dryRun && { commit: (entry: Entry) => write([entry]) }),
    });

  return {
    location: store.location,
    header: store.header,
    readOnly: store.readOnly,
    settings: host.settings,
    store,
    get leafId() {
      return leaf;
    },
    get warnings() {
      return [...store.warnings, ...project().warnings];
    },

    async context() {
      const { messages, model, thinkingLevel, warnings } = project();
      return { messages, tokens: estimateContext(messages, host.counter), model, thinkingLevel, warnings };
    },

    async pathSettings() {
      const known = project();
      if (known.model && known.thinkingLevel !== null) {
        return { model: known.model, thinkingLevel: known.thinkingLevel };
      }
      const whole = projectContext(await store.readPath(tip));
      return { model: whole.model, thinkingLevel: whole.thinkingLevel ?? "off" };
    },

    async append(...items) {
      const entries: Entry[] = [];
      for (const item of items) {
        const parentId = entries.at(-1)?.id ?? tip;
        const body = "type" in item ? item : { type: "message" as const, message: item };
        const { type, ...fields } = body;
        entries.push({ type, ...stamp(), parentId, ...fields } as Entry);
      }
      await write(entries);
      return entries;
    },

    compact: (options = {}) => compaction(options, false),
    previewCompaction: (options = {}) => compaction(options, true),

    async explain() {
      const tree = await store.tree();
      const metas: EntryMeta[] = [];
      for (const id of tree.path(tip)) {
        const meta = tree.get(id);
        if (meta) metas.push(meta);
      }
      return explain(metas, project());
    },

    tree: () => store.tree(),
    endTurn: () => store.endTurn(),
    close: () => store.close(),
  };
}
