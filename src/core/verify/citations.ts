import type { CompactionPlan } from "../plan/plan.ts";
import type { CompactionEntry } from "../session/entry.ts";

/** How many citations of a summary named an entry that it covers, and how many were taken out [V4]. */
export interface Citations {
  readonly kept: number;
  readonly removed: number;
}

/** Longest list of ids between brackets. */
const LONGEST = 400;

/**
 * `text` without the citations (`[#id]`, `[#id, #id]`) of entries that are not `covered` [V4].
 *
 * A citation that loses all its ids goes with the space before it. Links (`[#12](…)`) are none.
 */
export function checkCitations(text: string, covered: ReadonlySet<string>): Citations & { readonly text: string } {
  let out = "";
  let from = 0;
  let kept = 0;
  let removed = 0;
  // One closing bracket is looked for once, however many open before it.
  for (let open = text.indexOf("[#"), close = -1; open >= 0; open = text.indexOf("[#", open + 2)) {
    if (close < open) close = text.indexOf("]", open);
    if (close < 0) break;
    const ids = close - open > LONGEST || text[close + 1] === "(" ? null : idsIn(text.slice(open + 1, close));
    if (!ids) continue;
    const good = ids.filter((id) => covered.has(id));
    kept += good.length;
    removed += ids.length - good.length;
    if (good.length === ids.length) continue;
    const citation = good.length === 0 ? "" : `[${good.map((id) => `#${id}`).join(", ")}]`;
    const start = citation === "" && open > from && text[open - 1] === " " ? open - 1 : open;
    out += text.slice(from, start) + citation;
    from = close + 1;
  }
  return { text: out + text.slice(from), kept, removed };
}

/**
 * Ids of all entries that a summary of `plan` covers: those it replaces, and what the summary before it had cited or
 * kept in its details [V4].
 *
 * Of a previous summary that was not ours nothing is taken over: nobody checked it.
 */
export function coveredIds(plan: CompactionPlan): Set<string> {
  const ids = new Set([...plan.summarizedIds, ...plan.turnPrefixIds]);
  const { previous } = plan;
  if (!previous) return ids;
  ids.add(previous.id);
  if (!isOurs(previous)) return ids;
  for (const id of citedIn(String(previous.summary ?? ""))) ids.add(id);
  for (const id of idsWithin(previous.details)) ids.add(id);
  return ids;
}

/** Ids that `text` cites, in order. */
function citedIn(text: string): string[] {
  const found: string[] = [];
  for (let open = text.indexOf("[#"), close = -1; open >= 0; open = text.indexOf("[#", open + 2)) {
    if (close < open) close = text.indexOf("]", open);
    if (close < 0) break;
    if (close - open <= LONGEST) found.push(...(idsIn(text.slice(open + 1, close)) ?? []));
  }
  return found;
}

function idsIn(list: string): string[] | null {
  const parts = list.split(",").map((part) => part.trim());
  return parts.every((part) => /^#[^\s#[\]]+$/.test(part)) ? parts.map((part) => part.slice(1)) : null;
}

const isOurs = ({ details, fromExtension }: CompactionEntry) =>
  fromExtension !== true && details?.citations !== undefined && details.espalier !== undefined;

const ID_FIELDS = new Set(["id", "entryId", "todosId"]);
/** So many values are looked at; our own details are far smaller. */
const MOST_VALUES = 200_000;

/** The strings under `id`, `entryId` and `todosId` anywhere in a value: the details of our summaries hold their facts so. */
function idsWithin(value: unknown): string[] {
  const found: string[] = [];
  const queue: unknown[] = [value];
  for (let at = 0; at < queue.length && at < MOST_VALUES; at++) {
    const item = queue[at];
    if (typeof item !== "object" || item === null) continue;
    for (const [key, inner] of Object.entries(item)) {
      if (typeof inner === "object") queue.push(inner);
      else if (typeof inner === "string" && inner !== "" && ID_FIELDS.has(key)) found.push(inner);
    }
  }
  return found;
}
