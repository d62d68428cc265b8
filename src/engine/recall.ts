import { entryText } from "../core/recall/entry-text.ts";
import { createMatcher, type Match } from "../core/recall/match.ts";
import { idOf, parseQuery, type RecallQuery } from "../core/recall/query.ts";
import { opening, snippet } from "../core/recall/snippet.ts";
import type { Entry } from "../core/session/entry.ts";
import type { Tree } from "../core/session/tree.ts";
import { EspalierError } from "../errors.ts";
import type { SessionStore } from "../ports/store.ts";
import type { SessionState } from "./state.ts";

/** Where an original is: behind a summary, behind an edit or a prune, on another branch, or still before the model. */
export type RecallPlace = "summarised" | "edited" | "branch" | "live";

export interface RecallRequest {
  /** Words, phrases in double quotes, entry ids. */
  readonly words?: string;
  /** One entry, whole; the beginning of its id will do. */
  readonly entryId?: string;
  /** At most so many hits; 5 by default, never more than 50. */
  readonly limit?: number;
  /** Places to search; by default all that the model does not see. */
  readonly where?: RecallPlace | readonly RecallPlace[];
  /** Longest text of a hit; 600 characters for words, 20,000 for an entry. */
  readonly maxChars?: number;
}

export interface RecallHit {
  readonly entryId: string;
  readonly role: string;
  readonly score: number;
  readonly where: RecallPlace;
  readonly text: string;
  /** Characters of the original that `text` leaves out. */
  readonly cut: number;
}

/** `found` counts all that match, `searched` the entries that were looked at. */
export interface RecallResult {
  readonly hits: readonly RecallHit[];
  readonly found: number;
  readonly searched: number;
}

const HIDDEN: readonly RecallPlace[] = ["summarised", "edited", "branch"];
const LIMIT = { usual: 5, most: 50 };
const CHARS = { words: 600, entry: 20_000, most: 1_000_000 };
/** What naming an entry counts: more than any words. */
const NAMED = 1_000;
const SHORTEST_ID = 6;

/**
 * Originals of the session by words or by entry id, best first [R9].
 *
 * Words are ranked by BM25 over everything searched; equal ones newest first. Streams over the session once, in memory
 * for the numbers of what matches; texts are read for the hits alone. The same session and query give the same hits.
 * Rejects `ENTRY_NOT_FOUND` for an unknown `entryId`; throws a `TypeError` where nothing is asked for.
 */
export async function runRecall(state: SessionState, query: string | RecallRequest): Promise<RecallResult> {
  const request: RecallRequest = typeof query === "string" ? { words: query } : query;
  const tree = await state.store.tree();
  const placeOf = placesOf(state, tree);
  if (request.entryId !== undefined) return fetchEntries(state.store, tree, placeOf, request);
  if (typeof request.words !== "string") throw new TypeError("recall takes words or an entryId");
  return searchWords(state.store, tree, placeOf, request);
}

type PlaceOf = (id: string) => RecallPlace;

interface Found {
  readonly id: string;
  readonly order: number;
  readonly match: Match | null;
}

async function searchWords(store: SessionStore, tree: Tree, placeOf: PlaceOf, request: RecallRequest) {
  const query = parseQuery(request.words ?? "");
  const wanted = new Set<RecallPlace>(request.where === undefined ? HIDDEN : [request.where].flat());
  const named = namedIn(query, tree);
  const matcher = createMatcher(query);
  const found = new Map<string, Found>();
  let searched = 0;
  for await (const entry of originalsOf(store)) {
    const said = named.has(entry.id) || wanted.has(placeOf(entry.id)) ? entryText(entry) : null;
    if (said === null) continue;
    const match = matcher.match(said.text);
    if (match || named.has(entry.id)) found.set(entry.id, { id: entry.id, order: searched, match });
    searched++;
  }
  const scored = Array.from(found.values(), ({ id, order, match }) => {
    const score = (match ? matcher.score(match) : 0) + (named.has(id) ? NAMED : 0);
    return { id, order, score: Math.round(score * 1000) / 1000 };
  });
  scored.sort((a, b) => b.score - a.score || b.order - a.order);
  const best = scored.slice(0, limitOf(request));
  const chars = charsOf(request, CHARS.words);
  const bodies = await bodiesOf(
    store,
    best.map(({ id }) => id),
  );
  const hits = best.flatMap(({ id, score }): RecallHit[] => {
    const said = entryText(bodies.get(id) as Entry);
    return said
      ? [{ entryId: id, role: said.role, score, where: placeOf(id), ...snippet(said.text, query, chars) }]
      : [];
  });
  return { hits, found: found.size, searched };
}

async function fetchEntries(store: SessionStore, tree: Tree, placeOf: PlaceOf, request: RecallRequest) {
  const id = idOf(String(request.entryId).trim());
  const ids = id === "" ? [] : tree.has(id) ? [id] : Array.from(tree.ids()).filter((each) => each.startsWith(id));
  if (ids.length === 0) {
    const message = `${store.location} has no entry ${id}; search for words of it, or list the entries with \`espalier tree\`.`;
    throw new EspalierError("ENTRY_NOT_FOUND", message, { location: store.location, id });
  }
  const shown = ids.slice(0, limitOf(request));
  const chars = charsOf(request, CHARS.entry);
  const bodies = await bodiesOf(store, shown);
  const hits = shown.map((entryId): RecallHit => {
    const entry = bodies.get(entryId) as Entry;
    const { role, text } = entryText(entry) ?? { role: entry.type, text: "" };
    return { entryId, role, score: 1, where: placeOf(entryId), ...opening(text, chars) };
  });
  return { hits, found: ids.length, searched: ids.length };
}

function placesOf(state: SessionState, tree: Tree): PlaceOf {
  const path = new Set(tree.path(state.tipId));
  const { live, edits, compaction, messages } = state.projection();
  const shown = new Set(live.map(({ id }) => id));
  if (compaction) shown.add(compaction.id);
  const pruned = new Set(messages.flatMap(({ entryId, message }) => ("prunedAt" in message ? [entryId] : [])));
  return (id) => {
    if (!path.has(id)) return "branch";
    if (!shown.has(id)) return "summarised";
    return edits.has(id) || pruned.has(id) ? "edited" : "live";
  };
}

/** Every entry once, as it was before any rewrite. */
async function* originalsOf(store: SessionStore): AsyncGenerator<Entry> {
  const rewritten = new Set<string>();
  for await (const entry of store.originals?.() ?? []) {
    if (rewritten.has(entry.id)) continue;
    rewritten.add(entry.id);
    yield entry;
  }
  for await (const { entry } of store.entries()) if (!rewritten.has(entry.id)) yield entry;
}

async function bodiesOf(store: SessionStore, ids: readonly string[]): Promise<Map<string, Entry>> {
  const bodies = new Map((await store.read(ids)).map((entry) => [entry.id, entry]));
  const replaced = new Set(ids);
  for await (const entry of store.originals?.() ?? []) if (replaced.delete(entry.id)) bodies.set(entry.id, entry);
  return bodies;
}

/** Entries that the query names by id, or by a beginning that could be one. */
function namedIn({ ids }: RecallQuery, tree: Tree): Set<string> {
  const named = new Set(ids.filter((id) => tree.has(id)));
  const beginnings = ids.filter((id) => id.length >= SHORTEST_ID && /^[\da-f-]+$/i.test(id) && !named.has(id));
  if (beginnings.length === 0) return named;
  for (const id of tree.ids()) if (beginnings.some((beginning) => id.startsWith(beginning))) named.add(id);
  return named;
}

function limitOf({ limit = LIMIT.usual }: RecallRequest): number {
  return Math.max(1, Math.min(LIMIT.most, Math.floor(limit) || 1));
}

function charsOf({ maxChars }: RecallRequest, usual: number): number {
  return Math.max(1, Math.min(CHARS.most, Math.floor(maxChars ?? usual) || 1));
}
