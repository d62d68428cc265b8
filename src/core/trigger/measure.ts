import type { ContextMessage, ModelRef, Projection } from "../context/projection.ts";
import type { TokenCounter } from "../context/tokens.ts";
import { estimateMessage } from "../context/tokens.ts";
import { type Entry, LEAF_MARKER, PRUNE_MARKER, REDO_MARKER, UNDO_MARKER } from "../session/entry.ts";
import type { AssistantMessage, Usage } from "../session/message.ts";

/** What a provider reported at one reply, and what we estimate for the same messages, the reply included. */
export interface Reading {
  readonly entryId: string | null;
  readonly measured: number;
  readonly estimated: number;
}

/**
 * The size of the context [T2].
 *
 * `tokens` is `newest.measured` plus the estimate of what came after it, or without a valid usage the estimate of
 * everything. `estimated` is the estimate of everything by itself, `extra` included. The messages between `base` and
 * `newest` are the span of which both figures are known [C6].
 */
export interface Measure {
  readonly tokens: number;
  readonly source: "usage" | "estimate";
  readonly estimated: number;
  /** System prompt and tools that stand in no entry. */
  readonly extra: number;
  readonly base?: Reading;
  readonly newest?: Reading;
}

export interface MeasureOptions {
  readonly counter: TokenCounter;
  /** The model the next request goes to; by default the projection's. */
  readonly model?: ModelRef | null;
  /** Tokens of system prompt and tools that stand in no entry. */
  readonly extraTokens?: number;
  /** Estimates of `projection.messages`, in order, when the caller holds them already. */
  readonly sizes?: readonly number[];
}

/**
 * The size of a projected path in tokens [T2].
 *
 * `path` is what `projection` was made of. A usage counts if its reply was neither aborted nor an error, its numbers are
 * finite and above 0, it is of the current model, and after it stands no compaction, undo, redo or leaf move, nor an edit
 * of what it had counted: the edit of a later entry proves nothing against it.
 */
export function measureContext(projection: Projection, path: readonly Entry[], options: MeasureOptions): Measure {
  const model = options.model === undefined ? projection.model : options.model;
  const places = new Map(path.map((entry, index) => [entry.id, index]));
  const added = new Array<number>(path.length + 1).fill(0);
  const extra = options.extraTokens ?? 0;
  let ahead = extra;
  let estimated = extra;
  for (const [index, source] of projection.messages.entries()) {
    const size = options.sizes?.[index] ?? estimateMessage(source.message, options.counter);
    const place = placeOf(source, projection, places);
    estimated += size;
    if (place === undefined) ahead += size;
    else added[place] = (added[place] ?? 0) + size;
  }
  let measure = startMeasure(ahead, options.extraTokens);
  const start = firstMeasurable(path);
  const changed = changedLater(projection, path, places);
  let since = 0;
  for (const [index, entry] of path.entries()) {
    since += added[index] ?? 0;
    if (
      index < start ||
      index >= (changed[index] ?? 0) ||
      entry.type !== "message" ||
      entry.message?.role !== "assistant"
    )
      continue;
    const reported = validUsage(entry.message, model);
    if (reported === undefined) continue;
    measure = read(grown(measure, since), entry.id, reported);
    since = 0;
  }
  return grown(measure, estimated - measure.estimated);
}

/**
 * How many tokens the provider counts for each one that we estimate, from 0.5 to 2 [C6].
 *
 * 1 when no span is known by both figures. The span starts at a reading of the provider, so that a system prompt which
 * we can't see does not pass for an error of the estimate.
 */
export function estimateRatio(measure: Measure): number {
  const { base, newest } = measure;
  if (!base || !newest) return 1;
  const measured = newest.measured - base.measured;
  const estimated = newest.estimated - base.estimated;
  if (measured <= 0 || estimated <= 0) return 1;
  return Math.min(2, Math.max(0.5, measured / estimated));
}

/** Tokens of a reply's usage, its own output included, or undefined when it proves nothing [T2]. */
export function validUsage(message: AssistantMessage, model: ModelRef | null): number | undefined {
  if (message.stopReason === "aborted" || message.stopReason === "error") return undefined;
  if (model && typeof message.model === "string" && message.model !== model.modelId) return undefined;
  if (model && typeof message.provider === "string" && message.provider !== model.provider) return undefined;
  const usage: Partial<Usage> | null | undefined = message.usage;
  if (typeof usage !== "object" || usage === null) return undefined;
  const parts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.totalTokens];
  if (parts.some((part) => part !== undefined && !(Number.isFinite(part) && part >= 0))) return undefined;
  const sum = (usage.input ?? 0) + (usage.output ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  const total = usage.totalTokens || sum;
  return total > 0 ? total : undefined;
}

/** Only a prompt that the caller has counted makes the beginning of the context a point where both figures are known. */
function startMeasure(ahead: number, extraTokens: number | undefined): Measure {
  const extra = extraTokens ?? 0;
  const base = extraTokens === undefined ? {} : { base: { entryId: null, measured: 0, estimated: 0 } };
  return { tokens: ahead, source: "estimate", estimated: ahead, extra, ...base };
}

/** The measure with `size` more, or less, at its end. */
export function grown(measure: Measure, size: number): Measure {
  return size === 0 ? measure : { ...measure, tokens: measure.tokens + size, estimated: measure.estimated + size };
}

/** The measure at a reply whose usage is valid. */
export function read(measure: Measure, entryId: string, measured: number): Measure {
  const newest = { entryId, measured, estimated: measure.estimated };
  return { ...measure, tokens: measured, source: "usage", base: measure.base ?? newest, newest };
}

/** A result made up for a call was sent only after that call's reply had been counted. */
function placeOf(
  source: ContextMessage,
  projection: Projection,
  places: ReadonlyMap<string, number>,
): number | undefined {
  if (source.entryId === projection.compaction?.id) return undefined;
  const place = places.get(source.entryId);
  return place !== undefined && source.synthetic && source.message.role === "toolResult" ? place + 1 : place;
}

/**
 * For each place of the path the first one that an edit behind it changes: a reading there must stand before that one.
 * What is not live is not sent, so that its edits change nothing.
 */
function changedLater(
  { live }: Projection,
  path: readonly Entry[],
  places: ReadonlyMap<string, number>,
): readonly number[] {
  const firstLive = places.get(live[0]?.id ?? "") ?? path.length;
  const first = new Array<number>(path.length);
  let earliest = Number.POSITIVE_INFINITY;
  for (let index = path.length - 1; index >= 0; index--) {
    first[index] = earliest;
    const entry = path[index];
    const target = entry?.type === "context_edit" ? places.get(entry.targetId) : undefined;
    if (target !== undefined && target >= firstLive && target < index) earliest = Math.min(earliest, target);
  }
  return first;
}

/** Index after the newest entry that changed all that had been sent before it. */
function firstMeasurable(path: readonly Entry[]): number {
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index];
    if (entry && changesAll(entry)) return index + 1;
  }
  return 0;
}

const MARKERS: ReadonlySet<string> = new Set([LEAF_MARKER, UNDO_MARKER, REDO_MARKER, PRUNE_MARKER]);

/** True for an entry after which no older usage tells what is sent. */
export function changesAll(entry: Entry): boolean {
  switch (entry.type) {
    case "compaction":
    case "branch_summary": // stands at the target of a leaf move [S8]
      return true;
    case "custom":
      return MARKERS.has(entry.customType);
    default:
      return false;
  }
}
