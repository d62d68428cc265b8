import type { EntryMeta } from "../session/entry.ts";
import type { Projection } from "./projection.ts";

/** Where an entry went: shown as stored, shown edited, behind a summary, never meant for the model, or left out. */
export type Fate = "verbatim" | "edited" | "summarised" | "metadata" | "dropped";

export interface Explained {
  readonly id: string;
  readonly type: string;
  readonly fate: Fate;
  /** The entry that decided it: an edit, a compaction, or the leading system message. */
  readonly by?: string;
  readonly why?: string;
}

export interface Explanation {
  readonly entries: readonly Explained[];
  /** By fate; they add up to the number of entries on the path. */
  readonly counts: Readonly<Record<Fate, number>>;
}

/** Types whose entries reach the model, or stand for ones that did. */
const CONTENT = new Set(["message", "custom_message", "branch_summary", "compaction"]);

/**
 * Where every entry of `path` went, oldest first [X8].
 *
 * `path` is the whole path as metadata; `projection` may come from its live suffix alone, so that a huge file is
 * explained without its bodies. What lies before the live span is behind the ruling compaction.
 */
export function explain(path: readonly EntryMeta[], projection: Projection): Explanation {
  const shown = new Set(projection.messages.filter(({ synthetic }) => !synthetic).map(({ entryId }) => entryId));
  const dropped = new Map(projection.dropped.map(({ entryId, why }) => [entryId, why]));
  const live = new Set(projection.live.map(({ id }) => id));
  const ruling = projection.compaction?.id;
  const leading = projection.messages.find(({ message }) => message.role === "system")?.entryId;
  const counts: Record<Fate, number> = { verbatim: 0, edited: 0, summarised: 0, metadata: 0, dropped: 0 };

  function fateOf({ id, type, role }: EntryMeta): Omit<Explained, "id" | "type"> {
    const edit = projection.edits.get(id);
    const why = dropped.get(id);
    if (why !== undefined) return { fate: "dropped", ...by(edit ?? decider(why)), why };
    if (shown.has(id)) return edit === undefined ? { fate: "verbatim" } : { fate: "edited", by: edit };
    if (!CONTENT.has(type)) return { fate: "metadata" };
    if (role === "system" && live.has(id)) return { fate: "verbatim", ...by(leading), why: "joined-system" };
    if (role === "system") return { fate: "dropped", ...by(ruling), why: "superseded-system" };
    return { fate: "summarised", ...by(ruling) };
  }

  function decider(why: string): string | undefined {
    return why.startsWith("superseded") ? ruling : undefined;
  }

  const entries = path.map((meta): Explained => {
    const fate = fateOf(meta);
    counts[fate.fate]++;
    return { id: meta.id, type: meta.type, ...fate };
  });
  return { entries, counts };
}

const by = (id: string | undefined) => (id === undefined ? {} : { by: id });
