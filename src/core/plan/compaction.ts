import { projectContext } from "../context/project.ts";
import type { Projection } from "../context/projection.ts";
import type { TokenCounter } from "../context/tokens.ts";
import { estimateMessage } from "../context/tokens.ts";
import type { Entry } from "../session/entry.ts";
import type { Message } from "../session/message.ts";
import type { Settings } from "../settings.ts";
import { type Limits, limits } from "../trigger/decide.ts";
import { estimateRatio, type Measure } from "../trigger/measure.ts";
import { leavesRoom, summaryBudget } from "./budget.ts";
import { type CutPoint, findCutPoint } from "./cut-point.ts";
import { fileLists, fileOps } from "./files.ts";
import { assertPartition } from "./partition.ts";
import type { CompactionMode, CompactionPlan, NothingToCompact, Preparation } from "./plan.ts";
import { lastRequestOf, openCallsOf, openCallText } from "./restate.ts";
import { liveMessages, type Place, spanOf } from "./span.ts";

/** What the tags around a restated request, or around the lists of files, take. */
const TAGS = 32;

export interface PrepareOptions {
  readonly counter: TokenCounter;
  /** By default what the settings say. */
  readonly mode?: CompactionMode;
  /** Of `path`, when the caller holds it already. */
  readonly projection?: Projection;
  /** Tokens of the pins that the summary may have to carry [V1]. */
  readonly pinned?: number;
}

/**
 * The plan of a compaction of `path`, or why there is nothing to compact [P1-P5].
 *
 * `path` may begin anywhere before the first live entry. The cut keeps about `keepRecentTokens`, corrected by what the
 * provider measured [C6]; less, by halves, while the context is over the threshold or would not land under the target
 * [C3, T3]. Throws `PLAN_INVALID` if the parts are no partition.
 */
export function prepareCompaction(
  path: readonly Entry[],
  settings: Settings,
  measure: Measure,
  options: PrepareOptions,
): Preparation {
  const projection = options.projection ?? projectContext(path);
  const mode = options.mode ?? settings["compaction.mode"];
  const sizeOf = (message: Message) => estimateMessage(message, options.counter);
  const places = spanOf(projection, sizeOf);
  const refusal = refuse(path, projection, places, mode);
  if (refusal) return refusal;

  const bounds = withinWrapping(limits(settings), sizeOf);
  const { compaction: previous, systemMessage } = projection;
  const asked = lastRequestOf(projection.messages, previous);
  const askedAt = places.findIndex(({ entryId }) => entryId === asked?.entryId);
  const lastRequestAt = (cut: CutPoint) => (askedAt < cut.firstKept ? asked : undefined);
  const openCalls = mode === "retain-none" ? openCallsOf(projection.messages) : [];
  const ruling = projection.messages.find((source) => source.entryId === previous?.id);
  const system = measure.extra + (systemMessage ? sizeOf(systemMessage) : 0);
  const before = ruling ? sizeOf(ruling.message) : 0;
  const carried = (options.pinned ?? 0) + options.counter.count(openCalls.map(openCallText).join("\n"));
  const askedTokens = options.counter.count(asked?.text ?? "");
  const sums = runningSums(places);
  const tokensOf = (cut: CutPoint) => ({
    system,
    previous: before,
    restated: carried + (lastRequestAt(cut) ? askedTokens + TAGS : 0),
    summarized: sums[cut.turnStart] ?? 0,
    turnPrefix: (sums[cut.firstKept] ?? 0) - (sums[cut.turnStart] ?? 0),
    kept: (sums[places.length] ?? 0) - (sums[cut.firstKept] ?? 0),
  });
  const cut =
    mode === "retain-none"
      ? { firstKept: places.length, turnStart: places.length }
      : chooseCut(places, bounds.keepRecent / estimateRatio(measure), measure.tokens > bounds.threshold, (candidate) =>
          leavesRoom(tokensOf(candidate), bounds),
        );
  if (!cut) return nothing("too-small");

  const ids = projection.live.map((entry) => entry.id);
  const sides = [
    ids.slice(0, cut.turnStart),
    ids.slice(cut.turnStart, cut.firstKept),
    ids.slice(cut.firstKept),
  ] as const;
  const [summarizedIds, turnPrefixIds, keptIds] = sides;
  const messages = liveMessages(projection);
  const messagesOf = (side: readonly string[]) => {
    const members = new Set(side);
    return messages.filter((source) => members.has(source.entryId));
  };
  const messagesToSummarize = messagesOf(summarizedIds);
  const turnPrefixMessages = messagesOf(turnPrefixIds);
  if (messagesToSummarize.length + turnPrefixMessages.length === 0) return nothing("nothing-before-cut");
  const tokens = tokensOf(cut);
  const lastRequest = lastRequestAt(cut);
  const details = fileLists(fileOps(projection.live.slice(0, cut.firstKept), previous));
  const listed = options.counter.count([...(details.readFiles ?? []), ...(details.modifiedFiles ?? [])].join("\n"));
  const plan: CompactionPlan = {
    kind: "plan",
    mode,
    leafId: path.at(-1)?.id ?? "",
    firstKeptEntryId: keptIds[0] ?? null,
    messagesToSummarize,
    turnPrefixMessages,
    keptMessages: messagesOf(keptIds),
    summarizedIds,
    turnPrefixIds,
    keptIds,
    isSplitTurn: turnPrefixIds.length > 0,
    previous,
    details,
    ...(systemMessage && { systemMessage }),
    ...(lastRequest && { lastRequest }),
    ...(openCalls.length > 0 && { openCalls }),
    budget: summaryBudget(tokens, bounds, listed > 0 ? listed + TAGS : 0),
    model: projection.model,
    thinkingLevel: projection.thinkingLevel,
    tokensBefore: measure.tokens,
    tokens,
  };
  return assertPartition(plan, ids, messages);
}

/** The target without what the words around a stored summary cost. */
function withinWrapping(bounds: Limits, sizeOf: (message: Message) => number): Limits {
  const wrapping = sizeOf({ role: "compactionSummary", summary: "", tokensBefore: 0 });
  return { ...bounds, target: Math.max(1, bounds.target - wrapping) };
}

function refuse(
  path: readonly Entry[],
  { compaction }: Projection,
  places: readonly Place[],
  mode: CompactionMode,
): NothingToCompact | undefined {
  const speaking = new Set(places.filter((place) => place.messages.length > 0).map((place) => place.entryId));
  if (speaking.size === 0) return nothing(compaction ? "already-compacted" : "too-small");
  if (mode === "retain-none" || !compaction) return undefined;
  for (let at = path.length - 1; at >= 0; at--) {
    const id = path[at]?.id ?? "";
    if (speaking.has(id)) return undefined;
    if (id === compaction.id) return nothing("already-compacted");
  }
  return undefined;
}

/** The first cut that fits, halving what is kept; the smallest there is when none does; null when all may stay. */
function chooseCut(
  places: readonly Place[],
  keepTokens: number,
  overThreshold: boolean,
  fits: (cut: CutPoint) => boolean,
): CutPoint | null {
  let last: CutPoint | null = null;
  for (let keep = Math.max(1, Math.floor(keepTokens)); keep >= 1; keep = Math.floor(keep / 2)) {
    const cut = findCutPoint(places, keep);
    if (!cut && !overThreshold) return null;
    if (!cut) continue;
    if (fits(cut) && (cut.firstKept > 0 || !overThreshold)) return cut;
    last = cut;
  }
  return last;
}

/** `sums[i]` is the size of all places before `i`. */
function runningSums(places: readonly Place[]): number[] {
  const sums = [0];
  for (const place of places) sums.push((sums.at(-1) ?? 0) + place.tokens);
  return sums;
}

function nothing(because: NothingToCompact["because"]): NothingToCompact {
  return { kind: "nothing", because };
}
