import type { TokenCounter } from "../context/tokens.ts";
import type { CompactionPlan } from "../plan/plan.ts";
import type { Pin, PinBoard } from "./pins.ts";

const MOST_TOKENS = 2000;
const WINDOW_SHARE = 0.1;

/** The lines of a `## Pinned` section, and the pins that found no room there. */
export interface Pinned {
  readonly text: string;
  readonly pins: readonly Pin[];
  readonly leftOut: readonly Pin[];
}

/** What all pins of a summary may have, in tokens [V1]. */
export function pinRoom(contextWindow: number): number {
  return Math.min(MOST_TOKENS, Math.floor(contextWindow * WINDOW_SHARE));
}

/**
 * The pins that a summary of `plan` has to carry: all given on purpose, and the user's words that leave the context.
 *
 * Words that stay verbatim in a kept message are found there again at the next compaction.
 */
export function pinsToCarry(board: PinBoard, plan: CompactionPlan): Pin[] {
  const kept = new Set(plan.keptMessages.filter(({ edited }) => !edited).map(({ entryId }) => entryId));
  return board.pins.filter((pin) => pin.by !== "user" || !kept.has(pin.entryId));
}

/**
 * `pins` as the lines of a section of at most `maxTokens`, oldest first, each word for word with its entry's id [V1].
 *
 * Where not all fit, those given on purpose go before found ones and newer before older; none is cut. The ids of those
 * left out are named while there is room.
 */
export function pinnedLines(pins: readonly Pin[], maxTokens: number, counter: TokenCounter): Pinned {
  const taken = new Set<Pin>();
  let left = maxTokens;
  const found = (pin: Pin) => (pin.by === "user" ? 1 : 0);
  for (const pin of [...pins].reverse().sort((a, b) => found(a) - found(b))) {
    const cost = counter.count(`${lineOf(pin)}\n`);
    if (cost > left) continue;
    left -= cost;
    taken.add(pin);
  }
  const kept = pins.filter((pin) => taken.has(pin));
  const leftOut = pins.filter((pin) => !taken.has(pin));
  const ids = [...new Set(leftOut.map((pin) => `[#${pin.entryId}]`))].slice(0, 20).join(" ");
  const note = `(${leftOut.length} more without room here: ${ids})`;
  const lines = kept.map(lineOf);
  if (leftOut.length > 0 && counter.count(note) <= left) lines.push(note);
  return { text: lines.join("\n"), pins: kept, leftOut };
}

const lineOf = (pin: Pin) => `- ${pin.text} [#${pin.entryId}]`;
