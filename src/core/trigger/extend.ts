import { toolCallsOf } from "../context/blocks.ts";
import { editsInForce } from "../context/edits.ts";
import { candidateOf } from "../context/project.ts";
import type { ModelRef } from "../context/projection.ts";
import { type Candidate, missingResult } from "../context/repair.ts";
import { modelOf } from "../context/settings-of.ts";
import type { ContextEditEntry, Entry } from "../session/entry.ts";
import type { AssistantMessage, Message, ToolCallBlock } from "../session/message.ts";
import { changesAll, grown, type Measure, read, validUsage } from "./measure.ts";

export interface ExtendOptions {
  /** The model in force before the new entries. */
  readonly model: ModelRef | null;
  /** A message's estimate. */
  readonly sizeOf: (message: Message) => number;
}

/** How far back a call, an edit's target or a first message is looked for. */
const REACH = 256;

/**
 * The measure after the entries of `path` from `from` on, or undefined where it has to be taken anew [T2].
 *
 * Where it is given it equals `measureContext` of the whole path. Constant time for each message, for results of the
 * newest reply, and for an edit of what came after the newest usage; a result that is edited in the same batch is sized
 * as it will be sent. Undefined after a compaction, a leaf move, a change of model and whatever comes in odd order.
 */
export function extendMeasure(
  measure: Measure,
  path: readonly Entry[],
  from: number,
  options: ExtendOptions,
): Measure | undefined {
  const edits = editsInForce(path.slice(from), false).byTarget;
  let next: Measure | undefined = measure;
  for (let at = from; at < path.length && next; at++) {
    const entry = path[at] as Entry;
    const model = modelOf(entry);
    if (changesAll(entry) || (model && !isSame(model, options.model))) return undefined;
    next =
      entry.type === "context_edit"
        ? withEdit(next, path, at, from, options.sizeOf)
        : withEntry(next, path, at, edits.get(entry.id), options);
  }
  return next;
}

function withEntry(
  measure: Measure,
  path: readonly Entry[],
  at: number,
  edit: ContextEditEntry | undefined,
  options: ExtendOptions,
): Measure | undefined {
  const entry = path[at] as Entry;
  if (entry.type === "message" && entry.message?.role === "system") return undefined;
  const candidate = candidateOf(entry, edit);
  if (!candidate) return measure;
  if (edit && (candidate.leaves !== undefined || candidate.message.role === "assistant")) return undefined;
  const size = isShown(candidate) ? options.sizeOf(candidate.message) : 0;
  switch (candidate.message.role) {
    case "assistant":
      return withReply(measure, path, at, candidate, candidate.message, options);
    case "toolResult": {
      const call = callOf(path, at);
      if (call === undefined) return undefined;
      return call === "left-out" ? measure : grown(measure, size - missingSize(entry.id, call, options));
    }
    default:
      return grown(measure, size);
  }
}

/** A reply, and what stands for the results of its calls until they come. One without words has its usage all the same. */
function withReply(
  measure: Measure,
  path: readonly Entry[],
  at: number,
  candidate: Candidate,
  reply: AssistantMessage,
  options: ExtendOptions,
): Measure | undefined {
  const { entryId } = candidate;
  const reported = validUsage(reply, options.model);
  const isSent = isShown(candidate);
  if (isSent && !isSpokenTo(path, at)) return undefined;
  let next = isSent ? grown(measure, options.sizeOf(reply)) : measure;
  if (reported !== undefined) next = read(next, entryId, reported);
  if (isSent) for (const call of toolCallsOf(reply)) next = grown(next, missingSize(entryId, call, options));
  return next;
}

/** An edit: of the same batch it has been heeded, of an older entry it changes that entry's size. */
function withEdit(
  measure: Measure,
  path: readonly Entry[],
  at: number,
  from: number,
  sizeOf: ExtendOptions["sizeOf"],
): Measure | undefined {
  const edit = path[at] as ContextEditEntry;
  const edited = new Set<string>();
  for (let place = at - 1; place >= Math.max(0, at - REACH); place--) {
    const entry = path[place] as Entry;
    if (entry.id === measure.newest?.entryId || changesAll(entry)) return undefined;
    if (entry.id === edit.targetId && place >= from) return measure;
    if (entry.id === edit.targetId) return withEdited(measure, path, place, { edit, edited }, sizeOf);
    if (entry.type === "context_edit") edited.add(entry.targetId);
  }
  return undefined;
}

/** `edited` are the targets of the edits between the entry and this one. */
function withEdited(
  measure: Measure,
  path: readonly Entry[],
  place: number,
  { edit, edited }: { readonly edit: ContextEditEntry; readonly edited: Set<string> },
  sizeOf: ExtendOptions["sizeOf"],
): Measure | undefined {
  const target = path[place] as Entry;
  if (edited.has(target.id)) return undefined;
  const before = candidateOf(target);
  const after = candidateOf(target, editsInForce([target, edit], false).byTarget.get(target.id));
  if (!before || !after || !isShown(before) || !isShown(after)) return undefined;
  if (before.message.role === "assistant") return undefined;
  const call = before.message.role === "toolResult" ? callOf(path, place, edited) : null;
  if (call === undefined) return undefined;
  if (call === "left-out") return measure;
  return grown(measure, sizeOf(after.message) - sizeOf(before.message));
}

const isShown = ({ leaves }: Candidate) => leaves === undefined;

/** The call that the result at `at` answers, whether its reply was left out, or undefined where that is not plain. */
function callOf(
  path: readonly Entry[],
  at: number,
  edited = new Set<string>(),
): ToolCallBlock | "left-out" | undefined {
  const { message: result } = path[at] as { message?: { toolCallId?: unknown } };
  for (let place = at - 1; place >= Math.max(0, at - REACH); place--) {
    const entry = path[place] as Entry;
    if (changesAll(entry)) return undefined;
    if (entry.type === "context_edit") edited.add(entry.targetId);
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message?.role === "toolResult" && message.toolCallId === result?.toolCallId) return undefined;
    if (message?.role !== "assistant") continue;
    const [call, second] = toolCallsOf(message).filter(({ id }) => id === result?.toolCallId);
    if (!call || second || edited.has(entry.id)) return undefined;
    return candidateOf(entry)?.leaves === undefined ? call : "left-out";
  }
  return undefined;
}

/** True when a message other than a result surely stands before `at`: a reply does not need the note of [X5]. */
function isSpokenTo(path: readonly Entry[], at: number): boolean {
  const edited = new Set<string>();
  for (let place = at - 1; place >= Math.max(0, at - REACH); place--) {
    const entry = path[place] as Entry;
    if (changesAll(entry)) return false;
    if (entry.type === "context_edit") edited.add(entry.targetId);
    const candidate = edited.has(entry.id) ? null : candidateOf(entry);
    if (candidate && isShown(candidate) && candidate.message.role !== "toolResult") return true;
  }
  return false;
}

const missingSize = (entryId: string, call: ToolCallBlock, { sizeOf }: ExtendOptions) =>
  sizeOf(missingResult(entryId, call).message);

const isSame = (one: ModelRef, other: ModelRef | null) =>
  other !== null && one.provider === other.provider && one.modelId === other.modelId;
