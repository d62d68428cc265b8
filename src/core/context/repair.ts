import type { Warning } from "../../errors.ts";
import type { ToolCallBlock, ToolResultMessage } from "../session/message.ts";
import { toolCallsOf } from "./blocks.ts";
import type { ContextMessage, Dropped } from "./projection.ts";

/** A message that may reach the model. */
export interface Candidate extends ContextMessage {
  /** Set when it does not; its calls take their results with them. */
  readonly leaves?: Dropped["why"];
  /** Calls that an edit took out of it; their results leave too. */
  readonly retracted?: readonly ToolCallBlock[];
}

export interface Repaired {
  readonly messages: ContextMessage[];
  readonly dropped: Dropped[];
  readonly warnings: Warning[];
}

/** What stands in front when the first message would be an assistant's. */
export const EARLIER_NOT_SHOWN = "[The conversation before this point is not shown.]";
const NO_RESULT = "[No result of this call was recorded: it was interrupted, or its result is lost.]";
const RESULT_LEFT_OUT = "[The result of this call was left out of the context.]";

/** One call waiting for its result. */
interface Slot {
  readonly call: ToolCallBlock;
  readonly leaves: Dropped["why"] | undefined;
  result?: Candidate;
}

/** The slots of one assistant that share an id; results fill them in order. */
interface Waiting {
  readonly owner: Candidate;
  readonly slots: Slot[];
  filled: number;
}

/**
 * The candidates as a conversation that a provider accepts [X5].
 *
 * Each call is followed by exactly one result, right after its assistant and in call order; a missing one is made up
 * and says so. A result belongs to the nearest call before it with its id. Results without a call and second results
 * are dropped with a warning; the results of what leaves leave with it. When the first message would be an
 * assistant's, it stays and a note as user comes before it. Appending candidates only appends messages, except when
 * a result arrives late [X7].
 */
export function repair(candidates: readonly Candidate[]): Repaired {
  const dropped: Dropped[] = [];
  const warnings: Warning[] = [];
  const slotsOf = pairResults(candidates, dropped, warnings);
  const messages: ContextMessage[] = [];
  for (const candidate of candidates) {
    if (candidate.leaves !== undefined) {
      if (candidate.message.role !== "toolResult") dropped.push({ entryId: candidate.entryId, why: candidate.leaves });
      continue;
    }
    if (candidate.message.role === "toolResult") continue;
    if (messages.length === 0 && candidate.message.role === "assistant") messages.push(preface(candidate.entryId));
    messages.push(shown(candidate));
    for (const slot of slotsOf.get(candidate) ?? []) {
      const { result } = slot;
      if (result && result.leaves === undefined) messages.push(shown(result));
      else messages.push(madeUp(candidate.entryId, slot.call, result ? RESULT_LEFT_OUT : NO_RESULT));
    }
  }
  return { messages, dropped, warnings };
}

function pairResults(candidates: readonly Candidate[], dropped: Dropped[], warnings: Warning[]) {
  const slotsOf = new Map<Candidate, Slot[]>();
  const waiting = new Map<string, Waiting>();

  function open(owner: Candidate, call: ToolCallBlock, leaves: Dropped["why"] | undefined): Slot {
    const slot: Slot = { call, leaves };
    const known = waiting.get(call.id);
    if (known?.owner === owner) known.slots.push(slot);
    else waiting.set(call.id, { owner, slots: [slot], filled: 0 });
    return slot;
  }

  function drop(entryId: string, why: Dropped["why"], warning?: string): void {
    dropped.push({ entryId, why });
    if (warning) warnings.push({ code: why, message: `Entry ${entryId}: ${warning}`, entryId });
  }

  for (const candidate of candidates) {
    const { entryId, message, leaves } = candidate;
    if (message.role !== "toolResult") {
      const slots = toolCallsOf(message).map((call) => open(candidate, call, leaves));
      if (leaves === undefined && slots.length > 0) slotsOf.set(candidate, slots);
      for (const call of candidate.retracted ?? []) open(candidate, call, "omitted-by-edit");
      continue;
    }
    const match = waiting.get(message.toolCallId);
    const slot = match?.slots[match.filled];
    if (!match) drop(entryId, "orphan-result", "a tool result without its call was left out.");
    else if (!slot) drop(entryId, "duplicate-result", "a second result of the same tool call was left out.");
    else {
      match.filled++;
      slot.result = candidate;
      const why = slot.leaves ?? leaves;
      if (why !== undefined) drop(entryId, why);
    }
  }
  return slotsOf;
}

function shown({ entryId, message, edited }: Candidate): ContextMessage {
  return edited ? { entryId, message, edited } : { entryId, message };
}

function preface(entryId: string): ContextMessage {
  return { entryId, message: { role: "user", content: EARLIER_NOT_SHOWN }, synthetic: true };
}

/** What stands for the result of a call that has none, or none yet. */
export const missingResult = (entryId: string, call: ToolCallBlock) => madeUp(entryId, call, NO_RESULT);

function madeUp(entryId: string, call: ToolCallBlock, text: string): ContextMessage {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text }],
    isError: text === NO_RESULT,
  };
  return { entryId, message, synthetic: true };
}
