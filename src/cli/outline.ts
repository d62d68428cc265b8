import type { EntryMeta } from "../core/session/entry.ts";
import type { Tree } from "../core/session/tree.ts";

/** A line of the tree: one entry, or a run of entries between two that tell something. */
export type OutlineRow =
  | { readonly kind: "entry"; readonly meta: EntryMeta; readonly depth: number; readonly onPath: boolean }
  | {
      readonly kind: "run";
      readonly counts: ReadonlyMap<string, number>;
      readonly depth: number;
      readonly onPath: boolean;
    };

const TELLING = new Set(["custom_message", "compaction", "branch_summary", "session_info"]);

/** What an entry is, in one word: a message's role, else its type. */
export const wordOf = (meta: EntryMeta): string => (meta.type === "message" ? (meta.role ?? "message") : meta.type);

/**
 * The rows of `tree`, top down; side branches stand under the entry that they leave, one level in.
 *
 * Depth grows at branch points only, so a chain of a million entries stays at the margin. With `all` each entry is a
 * row; else those that open a turn, summarise, carry a label, branch or end, and runs of the others.
 */
export function* outline(tree: Tree, path: ReadonlySet<string>, all: boolean): Generator<OutlineRow> {
  const stack: { id: string; depth: number }[] = [];
  const push = (ids: readonly string[], depth: number) => {
    // The path, else the newest branch, goes on at the same depth, after the others.
    const main = ids.find((id) => path.has(id)) ?? ids.at(-1);
    if (main !== undefined) stack.push({ id: main, depth });
    for (let i = ids.length - 1; i >= 0; i--) {
      const id = ids[i];
      if (id !== undefined && id !== main) stack.push({ id, depth: depth + 1 });
    }
  };

  let run = new Map<string, number>();
  let runAt = { depth: 0, onPath: false };
  push(tree.children(null), 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const meta = tree.get(next.id);
    if (!meta) continue;
    const children = tree.children(next.id);
    const onPath = path.has(next.id);
    const telling =
      all ||
      children.length !== 1 ||
      meta.role === "user" ||
      TELLING.has(meta.type) ||
      tree.label(next.id) !== undefined;
    if (telling || onPath !== runAt.onPath) {
      if (run.size > 0) yield { kind: "run", counts: run, ...runAt };
      run = new Map();
    }
    if (telling) yield { kind: "entry", meta, depth: next.depth, onPath };
    else run.set(wordOf(meta), (run.get(wordOf(meta)) ?? 0) + 1);
    runAt = { depth: next.depth, onPath };
    push(children, next.depth);
  }
}
