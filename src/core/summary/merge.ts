import { fitted } from "../context/fit.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { CompactionPlan, LastRequest } from "../plan/plan.ts";
import { openCallText } from "../plan/restate.ts";
import { capSummary } from "./cap.ts";
import { factsSection, pinnedSection, withoutSections } from "./engine-parts.ts";
import { fileTags, withoutBlocks } from "./tags.ts";

/** What summarisers answered, and what the engine adds. Without `history` the previous summary stands, if any [P3]. */
export interface SummaryParts {
  readonly history?: string;
  readonly turnPrefix?: string;
  /** Items, one a line, for what the answers had lost [V2]. */
  readonly facts?: readonly string[];
  /** The lines of the pins [V1]. */
  readonly pinned?: string;
}

const TURN_MARK = "**Turn Context (split turn):**";
const EARLIER_MARK = "**Earlier Turn Context:**";
const NO_HISTORY = "No prior history.";
const REQUEST = "last-user-request";
const CALLS = "open-tool-calls";
/** Of the whole text. */
const TAGS_SHARE = 0.25;
/** Tokens of what is restated, whatever room there is. */
const LEAST = 50;

/**
 * The text to store: history, split turn, what is restated, facts, pins, file tags, in this order [M5, M10, P5, F3].
 *
 * Within `plan.budget.text`, pins and restated words on top; what is over is trimmed from the history first. What an
 * earlier merge had added to a part is taken out before, so nothing nests.
 */
export function mergeSummary(plan: CompactionPlan, parts: SummaryParts, counter: TokenCounter): string {
  const tags = fileTags(plan.details, plan.budget.text * TAGS_SHARE, counter);
  const room = Math.max(1, plan.budget.text - counter.count(`\n\n${tags}`));
  const told = stripEngineParts(parts.history ?? String(plan.previous?.summary ?? ""));
  const prefix = capSummary(stripEngineParts(parts.turnPrefix ?? ""), Math.max(1, plan.budget.prefix), counter);
  const rest = Math.max(1, room - (prefix === "" ? 0 : counter.count(joinTurn("", prefix))));
  const history = capSummary(told, rest, counter) || (prefix === "" ? "" : NO_HISTORY);
  const { facts = [], pinned = "" } = parts;
  const body = prefix === "" ? history : joinTurn(history, prefix);
  return [
    body,
    ...restated(plan, body, plan.budget.restated - counter.count(pinned), counter),
    ...(facts.length === 0 ? [] : [factsSection(facts)]),
    ...(pinned === "" ? [] : [pinnedSection(pinned)]),
    ...(tags === "" ? [] : [tags]),
  ].join("\n\n");
}

/**
 * `summary` without what the engine had added to it: pins, facts, file tags, restated requests and calls [M10].
 *
 * What is left serves as the previous summary of the next request. The part on a split turn stays, since nothing else
 * tells of it. Doing it twice changes nothing.
 */
export function stripEngineParts(summary: string): string {
  let text = withoutSections(summary);
  text = withoutBlocks(text, REQUEST, true);
  text = withoutBlocks(text, CALLS, true);
  text = withoutBlocks(text, "read-files");
  return withoutBlocks(text, "modified-files").trim();
}

/** An earlier split turn keeps its part under another title: the mark stands once. */
function joinTurn(history: string, prefix: string): string {
  return `${history.replaceAll(TURN_MARK, EARLIER_MARK)}\n\n---\n\n${TURN_MARK}\n\n${prefix}`;
}

/** Word for word as long as the context can hold it. */
function restated(plan: CompactionPlan, body: string, room: number, counter: TokenCounter): string[] {
  const { lastRequest, openCalls = [], mode } = plan;
  const blocks: string[] = [];
  const calls = openCalls.map((call) => `${openCallText(call)} #${call.entryId}`).join("\n");
  if (lastRequest && (mode === "retain-none" || !quotes(body, lastRequest))) {
    const text = fitted(lastRequest.text, Math.max(LEAST, room - counter.count(calls)), counter);
    blocks.push(`<${REQUEST} entry="${lastRequest.entryId}">\n${text}\n</${REQUEST}>`);
  }
  if (calls !== "") blocks.push(`<${CALLS}>\n${fitted(calls, Math.max(LEAST, room), counter)}\n</${CALLS}>`);
  return blocks;
}

/** True when the summary has the whole request as a quote that cites it, in a line or with its own line breaks. */
function quotes(body: string, { entryId, text }: LastRequest): boolean {
  const lines = `\n${body}`.replace(/\n> ?/g, "\n");
  return [`"${text}"`, `\n${text}`].some((words) => lines.includes(`${words} [#${entryId}]`));
}
