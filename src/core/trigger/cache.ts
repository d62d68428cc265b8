import type { Projection } from "../context/projection.ts";
import type { Entry } from "../session/entry.ts";

/** What a token costs by the way it is sent; only the ratios matter. */
export interface CachePrices {
  readonly read: number;
  readonly write: number;
}

/** Of providers that sell a cache: a read costs a tenth of plain input, a write a quarter more than it. */
export const USUAL_PRICES: CachePrices = { read: 0.1, write: 1.25 };

/** How long a provider keeps a prompt, in ms. */
const KEPT_MS = 5 * 60_000;
/** Requests over which a prune has to pay: about what a turn with tools takes. */
const HORIZON = 20;

/**
 * True while the provider most likely still holds what was sent last [R5].
 *
 * The newest reply says that a cache was used and is less than five minutes old. `now` is in ms.
 */
export function cacheIsWarm(path: readonly Entry[], now: number): boolean {
  for (let at = path.length - 1; at >= 0; at--) {
    const entry = path[at];
    if (entry?.type !== "message" || entry.message?.role !== "assistant") continue;
    const { usage, timestamp } = entry.message;
    const used = [usage?.cacheRead, usage?.cacheWrite].some((tokens) => typeof tokens === "number" && tokens > 0);
    const sent = typeof timestamp === "number" ? timestamp : Date.parse(entry.timestamp);
    return used && Number.isFinite(sent) && now - sent < KEPT_MS;
  }
  return false;
}

/**
 * True when a prune saves more than it costs to send again what stands behind the first pruned output [R5].
 *
 * All of the context behind that output leaves the cache and is written anew once; what is saved is not read at each of
 * the requests to come.
 */
export function prunePays(
  { messages }: Projection,
  pruned: ReadonlySet<string>,
  saved: number,
  sizeOf: (message: Projection["messages"][number]["message"]) => number,
  prices: CachePrices = USUAL_PRICES,
): boolean {
  const first = messages.findIndex(({ entryId }) => pruned.has(entryId));
  if (first < 0) return false;
  let behind = 0;
  for (let at = first; at < messages.length; at++) {
    const source = messages[at];
    if (source) behind += sizeOf(source.message);
  }
  const resent = Math.max(0, behind - saved);
  return saved * prices.read * HORIZON > resent * (prices.write - prices.read);
}
