import { createLiveScan, liveSpanOf } from "../core/context/live.ts";
import { projectContext } from "../core/context/project.ts";
import type { Projection } from "../core/context/projection.ts";
import type { Entry } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import { storedCopy } from "../core/session/well-formed.ts";
import { type Settings, settingsFor } from "../core/settings.ts";
import { CLOSED } from "../core/trigger/breaker.ts";
import type { Measure } from "../core/trigger/measure.ts";
import { EspalierError } from "../errors.ts";
import type { SessionStore } from "../ports/store.ts";
import { createEvents, type Events } from "./events.ts";
import { createGauge } from "./gauge.ts";
import { createHooks, type HookRegistry } from "./hooks.ts";
import type { Host } from "./host.ts";
import { createLock } from "./lock.ts";
import { createUpkeep, type Upkeep } from "./upkeep.ts";

/** An entry to append: id, parent and time are filled in by the session. */
export type NewEntry = Entry extends infer E
  ? E extends Entry
    ? Omit<E, "id" | "parentId" | "timestamp">
    : never
  : never;

/**
 * What the operations of an open session share: where it stands, the live part of its path, and how to add to it.
 *
 * `path()` ends in the tip and begins at or before the first live entry.
 */
export interface SessionState {
  readonly host: Host;
  readonly store: SessionStore;
  readonly events: Events;
  readonly hooks: HookRegistry;
  /**
   * Runs `task` when no other maintenance runs [A5]. Rejects `HOOK_REENTRANT` while another one waits for a hook, which
   * would wait for itself if it is what asks. A hook that nothing waits for, as of a preview, holds nobody up.
   */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** The settings in force: the host's, with what was changed or learned since [T4]. */
  readonly settings: Settings;
  /** Changes settings from now on; automatic maintenance gets a fresh start [T8]. */
  configure(changes: Partial<Settings>): void;
  readonly upkeep: Upkeep;
  readonly leafId: string | null;
  readonly tipId: string | null;
  path(): readonly Entry[];
  projection(): Projection;
  /** Size of the context; constant time after plain messages [T2]. */
  measure(): Measure;
  /** A message's estimate, counted once [T1]. */
  sizeOf(message: Message): number;
  stamp(): { readonly id: string; readonly timestamp: string };
  /** Entries made of `items`, chained under the tip or under `parentId`. */
  make(items: readonly (Message | NewEntry)[], parentId?: string | null): Entry[];
  /**
   * Stores what `build` gives, as one batch that continues the tip. `build` is called when its turn has come, and
   * nothing else is appended between it and the store: what it reads of the state is still true when it is written.
   */
  append(build: () => readonly Entry[]): Promise<readonly Entry[]>;
  /** Stores what `build` gives in the place of the entries with those ids, in turn with appends; rereads what is live. */
  rewrite(build: () => readonly Entry[]): Promise<readonly Entry[]>;
  /** Stores what `build` gives, in turn with appends, wherever its parents are; stands where its last entry leads [S8]. */
  move(build: () => readonly Entry[]): Promise<readonly Entry[]>;
  /** Stands somewhere else from now on; reads what is live there. */
  stand(leafId: string | null, tipId: string | null): Promise<void>;
  /** Aborts when `given` does and when the session is closed: what is made then could not be stored. */
  signal(given?: AbortSignal): AbortSignal;
  /** Calls off what is under way, and closes the store when all that was to be stored before this call has been. */
  close(): Promise<void>;
}

/** The state of a session at the store's leaf, or at `leafId`. Rejects `ENTRY_NOT_FOUND`. */
export async function createState(store: SessionStore, host: Host, leafId?: string): Promise<SessionState> {
  const closing = new AbortController();
  const stored = store.position();
  let leaf = leafId ?? stored.leafId;
  let tip = leafId ?? stored.tipId;
  let path: Entry[] = [];
  let projection: Projection | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const overridden = Object.keys(host.settings.modelOverrides).length > 0;
  let changed: Partial<Settings> = {};
  let inForce: { readonly model: string; readonly settings: Settings } | undefined;

  const gauge = createGauge(host);

  const stamp = () => ({ id: host.clock.newId(), timestamp: new Date(host.clock.now()).toISOString() });
  const settings = () => {
    const model = overridden ? project().model : null;
    const name = model ? `${model.provider}/${model.modelId}` : "";
    if (inForce?.model !== name) {
      inForce = { model: name, settings: { ...settingsFor(host.settings, name), ...changed } };
    }
    return inForce.settings;
  };
  const project = () => {
    projection ??= projectContext(path);
    return projection;
  };

  const take = (entries: readonly Entry[]) => {
    // Nothing stored, nothing moved: the leaf may be another one than the tip.
    if (entries.length === 0) return;
    const from = path.length;
    for (const entry of entries) path.push(entry);
    gauge.grow(path, from);
    if (entries.some(({ type }) => type === "compaction")) {
      // What stands before the live entries is read again when it is asked for, as after opening [S10].
      path = path.slice(path.length - liveSpanOf(path).length);
    }
    tip = entries.at(-1)?.id ?? tip;
    leaf = tip;
    projection = undefined;
  };

  const stand = async (leafId: string | null, tipId: string | null) => {
    // The path ends in the tip and not in the leaf: what stands between them may be an undo.
    path = await store.readPath(tipId, createLiveScan().enough);
    leaf = leafId;
    tip = tipId;
    projection = undefined;
    gauge.reset();
  };

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const written = writing.then(task);
    writing = written.catch(() => undefined);
    return written;
  };

  await stand(leaf, tip);
  const events = createEvents();
  const hooks = createHooks(host.hooks ?? {}, host.settings["hooks.timeout"], events);
  const lock = createLock();
  const upkeep = createUpkeep();
  return {
    host,
    store,
    events,
    hooks,
    async exclusively(task) {
      if (hooks.waiting && lock.busy) {
        const message =
          "A hook asked for maintenance while maintenance waits for that hook; ask after it has answered.";
        throw new EspalierError("HOOK_REENTRANT", message);
      }
      return lock.run(task);
    },
    get settings() {
      return settings();
    },
    configure(changes) {
      changed = { ...changed, ...changes };
      inForce = undefined;
      upkeep.breaker = CLOSED;
      upkeep.declared = undefined;
    },
    upkeep,
    get leafId() {
      return leaf;
    },
    get tipId() {
      return tip;
    },
    path: () => path,
    projection: project,
    measure() {
      const measure = gauge.measure(project, path);
      return settings()["micro.enabled"] ? withoutRatio(measure) : measure;
    },
    sizeOf: gauge.sizeOf,
    stamp,
    make(items, parentId = tip) {
      const entries: Entry[] = [];
      for (const item of items) {
        checkItem(item);
        const { type, ...fields } = "type" in item ? item : { type: "message" as const, message: item };
        entries.push({ type, ...stamp(), parentId: entries.at(-1)?.id ?? parentId, ...fields } as Entry);
      }
      return entries;
    },
    append: (build) =>
      inTurn(async () => {
        const entries = build().map(storedCopy);
        await store.append(entries);
        take(entries);
        return entries;
      }),
    rewrite: (build) =>
      inTurn(async () => {
        const entries = build();
        if (entries.length > 0) await store.rewrite?.(entries);
        await stand(leaf, tip);
        return entries;
      }),
    move: (build) =>
      inTurn(async () => {
        const entries = build().map(storedCopy);
        await store.append(entries);
        const { leafId, tipId } = store.position();
        const continues = entries.every(({ parentId }, at) => parentId === (entries[at - 1]?.id ?? tip));
        if (continues && leafId === tipId) take(entries);
        else await stand(leafId, tipId);
        return entries;
      }),
    stand,
    signal: (given) => (given ? AbortSignal.any([given, closing.signal]) : closing.signal),
    close() {
      closing.abort();
      return inTurn(() => store.close());
    },
  };
}

/** Throws a `TypeError` for what is neither a message nor an entry, as an array of them is. */
function checkItem(item: unknown): void {
  const { type, role } = (item ?? {}) as { type?: unknown; role?: unknown };
  if (typeof type === "string" || typeof role === "string") return;
  throw new TypeError("append takes messages, which have a role, or entries, which have a type, each by itself");
}

/** The provider counted marks where the estimate has whole results [R6]: of no span are both figures known [C6]. */
function withoutRatio({ base: _, ...measure }: Measure): Measure {
  return measure;
}
