import type { ContextMessage, Projection } from "../context/projection.ts";
import type { Entry } from "../session/entry.ts";
import type { Message } from "../session/message.ts";

/** One live entry as the cut point sees it. */
export interface Place {
  readonly entryId: string;
  /** What its messages are estimated at; 0 when the model sees nothing of it. */
  readonly tokens: number;
  /** A cut right before it is allowed [C1, C2]. */
  readonly cuttable: boolean;
  /** It begins a turn and a cut may stand before it [C5]. */
  readonly startsTurn: boolean;
  /** Moves along with a cut right after it [C4]. */
  readonly metadata: boolean;
  readonly messages: readonly ContextMessage[];
}

const CUTTABLE_ROLES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

const TURN_ROLES: ReadonlySet<string> = new Set(["user", "bashExecution"]);

const CONTENT_TYPES: ReadonlySet<string> = new Set(["message", "custom_message", "branch_summary", "compaction"]);

/**
 * The live entries of a projection in path order, one place each, with what they put before the model [C1, C2, C5].
 *
 * System messages and the ruling summary take no part [X3, P2]. An entry of which the model sees nothing is no cut
 * point. `sizeOf` gives a message's estimate.
 */
export function spanOf(projection: Projection, sizeOf: (message: Message) => number): Place[] {
  const { live } = projection;
  const index = new Map(live.map((entry, place) => [entry.id, place]));
  const messages: ContextMessage[][] = live.map(() => []);
  for (const source of liveMessages(projection)) messages[index.get(source.entryId) ?? -1]?.push(source);
  const inside = insideOfBatches(projection.messages, index, live.length);
  return live.map((entry, place) => {
    const own = messages[place] ?? [];
    const cuttable = own.length > 0 && !inside[place] && isCutPoint(entry);
    return {
      entryId: entry.id,
      tokens: own.reduce((sum, source) => sum + sizeOf(source.message), 0),
      cuttable,
      startsTurn: cuttable && isTurnStart(entry),
      metadata: !CONTENT_TYPES.has(entry.type),
      messages: own,
    };
  });
}

/** The messages that a plan parts: all but the system message and the summary in force [X3, P2]. */
export function liveMessages(projection: Projection): ContextMessage[] {
  const ruling = projection.compaction?.id;
  return projection.messages.filter(({ entryId, message }) => entryId !== ruling && message.role !== "system");
}

/** Marks the places before which a cut would part a call from one of its results, wherever that was appended [C2]. */
function insideOfBatches(
  messages: readonly ContextMessage[],
  index: ReadonlyMap<string, number>,
  length: number,
): boolean[] {
  const steps = new Array<number>(length + 1).fill(0);
  let first = -1;
  let last = -1;
  const close = () => {
    if (last > first) {
      steps[first + 1] = (steps[first + 1] ?? 0) + 1;
      steps[last + 1] = (steps[last + 1] ?? 0) - 1;
    }
    first = -1;
    last = -1;
  };
  for (const { entryId, message } of messages) {
    const place = index.get(entryId);
    if (message.role !== "toolResult") close();
    if (place === undefined) continue;
    if (message.role === "assistant") {
      first = place;
      last = place;
    } else if (message.role === "toolResult" && first >= 0) {
      first = Math.min(first, place);
      last = Math.max(last, place);
    }
  }
  close();
  let depth = 0;
  return steps.slice(0, length).map((step) => {
    depth += step;
    return depth > 0;
  });
}

function isCutPoint(entry: Entry): boolean {
  switch (entry.type) {
    case "message":
      return CUTTABLE_ROLES.has(entry.message?.role);
    case "custom_message":
    case "branch_summary":
      return true;
    default:
      return false;
  }
}

function isTurnStart(entry: Entry): boolean {
  if (entry.type === "message") return TURN_ROLES.has(entry.message?.role);
  return entry.type === "custom_message" || entry.type === "branch_summary";
}
