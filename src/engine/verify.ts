import type { TokenCounter } from "../core/context/tokens.ts";
import type { CompactionPlan } from "../core/plan/plan.ts";
import type { Settings } from "../core/settings.ts";
import { pinnedSection, withoutSections } from "../core/summary/engine-parts.ts";
import { mergeSummary, type SummaryParts, stripEngineParts } from "../core/summary/merge.ts";
import { type Citations, checkCitations, coveredIds } from "../core/verify/citations.ts";
import { type LostAnchor, replacedBy } from "../core/verify/loss.ts";
import { type Pinned, pinnedLines, pinRoom, pinsToCarry } from "../core/verify/pinned.ts";
import type { Warning } from "../errors.ts";
import type { Verification } from "./outcome.ts";
import type { BoardAt } from "./pin-board.ts";

/** A summary that may be stored, and what its entry says about it. */
export interface Verified extends Verification {
  readonly text: string;
  /** For `details.espalier`: the pins to start from at the next compaction [S10]. */
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Warning[];
}

/** Checks the summaries of one plan. */
export interface Verifier {
  /** The stored text of what summarisers answered. */
  merge(parts: SummaryParts): Verified;
  /** The stored text of one that the user edited: of any length, pins and lists of files as they are now. */
  edited(text: string): Verified;
  /** The stored text of one that a hook gave: its own words, and the pins. */
  given(text: string): Verified;
}

/** Tokens to plan for the pins of a board: at most what they may ever take [V1]. */
export function pinnedTokens(board: BoardAt, settings: Settings, counter: TokenCounter): number {
  const { text } = pinnedLines(board.pins, pinRoom(settings.contextWindow), counter);
  return text === "" ? 0 : counter.count(`${pinnedSection(text)}\n\n`);
}

/**
 * The verifier of a plan's summary: pins word for word, citations that name covered entries, and the anchors lost
 * [V1, V2, V4]. While the budget lasts, the weightiest lost anchors are added with their entries' ids.
 */
export function verifierOf(plan: CompactionPlan, board: BoardAt, settings: Settings, counter: TokenCounter): Verifier {
  const carried = pinsToCarry(board, plan);
  const pinned = pinnedLines(carried, pinRoom(settings.contextWindow), counter);
  const covered = coveredIds(plan);
  const replaced = replacedBy(plan);
  const snapshot = { pins: { at: board.at, pins: carried, unpinned: board.unpinned } };

  const verified = (text: string, told: string, citations: Citations): Verified => ({
    text,
    loss: replaced.lossIn(text),
    pins: { kept: pinned.pins.length, restored: pinned.pins.filter((pin) => !told.includes(pin.text)).length },
    citations,
    snapshot,
    warnings: leftOutWarning(pinned),
  });

  return {
    merge(parts) {
      const history = checkCitations(stripEngineParts(parts.history ?? String(plan.previous?.summary ?? "")), covered);
      const turnPrefix = checkCitations(parts.turnPrefix ?? "", covered);
      const checked = { history: history.text, turnPrefix: turnPrefix.text, pinned: pinned.text };
      const plain = mergeSummary(plan, checked, counter);
      const left = plan.budget.text + plan.budget.restated - counter.count(plain);
      const facts = factLines(replaced.lossIn(plain).top, left, counter);
      return verified(
        facts.length === 0 ? plain : mergeSummary(plan, { ...checked, facts }, counter),
        `${history.text}\n${turnPrefix.text}`,
        { kept: history.kept + turnPrefix.kept, removed: history.removed + turnPrefix.removed },
      );
    },
    edited(text) {
      const { text: history, kept, removed } = checkCitations(stripEngineParts(text), covered);
      const boundless = { ...plan, budget: { ...plan.budget, text: Number.POSITIVE_INFINITY } };
      const whole = mergeSummary(boundless, { history, pinned: pinned.text }, counter);
      return verified(whole, history, { kept, removed });
    },
    given(text) {
      const { text: told, kept, removed } = checkCitations(withoutSections(text), covered);
      const whole = pinned.text === "" ? told : `${told}\n\n${pinnedSection(pinned.text)}`;
      return verified(whole, told, { kept, removed });
    },
  };
}

/** Room for the heading. */
const HEADING = 16;

/** Lost anchors that somebody used, those of one entry on one line, as many as fit [V2]. */
function factLines(top: readonly LostAnchor[], maxTokens: number, counter: TokenCounter): string[] {
  const byEntry = new Map<string, string[]>();
  for (const { text, entryId, used, kind } of top) {
    if (!used && kind !== "error") continue;
    const known = byEntry.get(entryId) ?? [];
    known.push(`\`${text.replaceAll("`", "'")}\``);
    byEntry.set(entryId, known);
  }
  const lines: string[] = [];
  let left = maxTokens - HEADING;
  for (const [entryId, anchors] of byEntry) {
    const line = `- ${anchors.join(", ")} [#${entryId}]`;
    left -= counter.count(`${line}\n`);
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

function leftOutWarning({ leftOut }: Pinned): Warning[] {
  const [first] = leftOut;
  if (!first) return [];
  const ids = [...new Set(leftOut.map(({ entryId }) => entryId))];
  const message = `${leftOut.length} pins found no room in the summary (${ids.slice(0, 10).join(", ")}); unpin some.`;
  return [{ code: "pins-left-out", message, entryId: first.entryId }];
}
