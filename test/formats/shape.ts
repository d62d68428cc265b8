import type { Entry } from "../../src/core/session/entry.ts";

/** What an entry is called in these tests: its role, its custom type, or its type. */
export function label(entry: Entry): string {
  if (entry.type === "message") return entry.message.role;
  return entry.type === "custom_message" || entry.type === "custom" ? entry.customType : entry.type;
}

/** Entries from the root to `leafId` (by default the last entry). */
export function pathOf(entries: readonly Entry[], leafId = entries.at(-1)?.id): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: Entry[] = [];
  for (let at = byId.get(leafId ?? ""); at; at = byId.get(at.parentId ?? "")) path.push(at);
  return path.reverse();
}

/** How often each value occurs. */
export function tally(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Parents that more than one entry hangs from. */
export function forks(entries: readonly Entry[]): string[] {
  const counts = tally(entries.map((entry) => entry.parentId ?? "root"));
  return Object.keys(counts).filter((id) => (counts[id] ?? 0) > 1);
}
