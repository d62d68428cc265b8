import { type Entry, LEAF_MARKER } from "../../src/core/session/entry.ts";

/**
 * A session as plainly as it can be told: a list of entries, the leaf, and the moves that can be taken back.
 *
 * It knows nothing of files, tails, indexes or scans; what it says is what the engine must say [S8, S11, B1, B6].
 */
export class PlainSession {
  entries: Entry[] = [];
  leafId: string | null = null;
  tipId: string | null = null;
  /** The leaves that were left, oldest first. */
  steps: (string | null)[] = [];

  get(id: string | null): Entry | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  pathTo(id: string | null): Entry[] {
    const path: Entry[] = [];
    for (let entry = this.get(id); entry; entry = this.get(entry.parentId)) path.unshift(entry);
    return path;
  }

  /** Texts of what the model sees. */
  context(): string[] {
    const path = this.pathTo(this.tipId);
    const at = path.findLastIndex((entry) => entry.type === "compaction");
    const ruling = path[at];
    if (ruling?.type !== "compaction") return path.flatMap(textsOf);
    const kept = path.findIndex((entry) => entry.id === ruling.firstKeptEntryId);
    return [ruling.summary, ...path.slice(kept, at).flatMap(textsOf), ...path.slice(at + 1).flatMap(textsOf)];
  }

  labels(): Record<string, string> {
    const labels: Record<string, string> = {};
    for (const entry of this.entries) {
      if (entry.type !== "label") continue;
      if (entry.label) labels[entry.targetId] = entry.label;
      else delete labels[entry.targetId];
    }
    return labels;
  }

  name(): string | undefined {
    return this.entries.findLast((entry) => entry.type === "session_info")?.name;
  }

  /** Takes over what was stored behind the tip. */
  append(stored: readonly Entry[]): void {
    for (const entry of stored) this.entries.push(entry);
    this.tipId = stored.at(-1)?.id ?? this.tipId;
    this.leafId = this.tipId;
  }

  /** Where going to `id` leads; undefined where that is no move. */
  destination(id: string | null): { leafId: string | null; text?: string } | undefined {
    const target = this.get(id);
    const isUser = target?.type === "message" && target.message.role === "user" && id !== this.leafId;
    if (!isUser) return { leafId: this.marked(id) };
    return { leafId: this.marked(target.parentId), text: textsOf(target).join("") };
  }

  move(marker: Entry, leafId: string | null): void {
    this.entries.push(marker);
    this.leafId = leafId;
    this.tipId = marker.id;
  }

  /** The session that a fork to `id` should be, its last entries (labels, name) left out. */
  fork(id: string): PlainSession {
    const forked = new PlainSession();
    const left = new Set<string>();
    const path = this.pathTo(id);
    for (const [at, entry] of path.entries()) {
      if (entry.type === "label" || isMarker(entry)) {
        left.add(entry.id);
        continue;
      }
      const now = { ...entry, parentId: forked.entries.at(-1)?.id ?? null };
      if (now.type === "compaction" && left.has(now.firstKeptEntryId)) {
        const from = path.findIndex((one) => one.id === (now as { firstKeptEntryId: string }).firstKeptEntryId);
        now.firstKeptEntryId = path.slice(from, at + 1).find((one) => !left.has(one.id))?.id ?? now.id;
      }
      forked.entries.push(now);
    }
    forked.tipId = forked.entries.at(-1)?.id ?? null;
    forked.leafId = forked.tipId;
    return forked;
  }

  /** A marker stands for its parent. */
  private marked(id: string | null): string | null {
    const entry = this.get(id);
    return entry && isMarker(entry) ? entry.parentId : id;
  }
}

export const isMarker = (entry: Entry): boolean => entry.type === "custom" && entry.customType === LEAF_MARKER;

function textsOf(entry: Entry): string[] {
  if (entry.type !== "message") return [];
  const content: unknown = "content" in entry.message ? entry.message.content : "";
  return [typeof content === "string" ? content : (content as { text: string }[]).map(({ text }) => text).join("")];
}
