import type { Entry } from "../../core/session/entry.ts";
import type { Tree } from "../../core/session/tree.ts";
import type { SessionStore } from "../../ports/store.ts";
import type { Command } from "../answer.ts";
import { openFile } from "../open.ts";
import { type OutlineRow, outline, wordOf } from "../outline.ts";
import { entryLine, roleTint } from "../render/message.ts";
import { count } from "../render/number.ts";
import { sentence, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { clip } from "../render/width.ts";

/** Bodies are fetched for so many rows at a time: memory stays flat, and the first lines come at once. */
const BATCH = 200;
const DEEPEST_INDENT = 12;

/** Shows the session's tree; branch points indent, depth does not. */
export const tree: Command = async (call) => {
  const { file, session } = await openFile(call, call.args[0] ?? "");
  call.progress.step("Reading the tree");
  const shape = await session.tree();
  const { leafId, store } = session;
  const path = new Set(shape.path(leafId));
  return {
    document: { leafId, nodes: Array.from(shape.ids(), (id) => node(shape, path, id)) },
    warnings: session.warnings,
    async *lines(screen) {
      const notes = [count(shape.size, "entry", "entries"), `${count(path.size, "entry", "entries")} on the path`];
      if (shape.name) notes.unshift(firstLine(shape.name));
      yield titleLine(screen, file, notes.join(" · "));
      yield "";
      const rows = outline(shape, path, call.flags.all === true);
      for await (const { row, entry } of withBodies(rows, store)) yield rowLine(screen, shape, leafId, row, entry);
      yield "";
      yield* sentence(screen, "● on the path  ○ on a branch  ◆ the leaf  · entries in between (--all shows them)");
    },
  };
};

function node(shape: Tree, path: ReadonlySet<string>, id: string): object {
  const meta = shape.get(id);
  return {
    id,
    parentId: shape.parent(id),
    type: meta?.type,
    role: meta?.role,
    label: shape.label(id),
    onPath: path.has(id),
    childIds: shape.children(id),
  };
}

async function* withBodies(
  rows: Iterable<OutlineRow>,
  store: SessionStore,
): AsyncGenerator<{ row: OutlineRow; entry: Entry | undefined }> {
  let batch: OutlineRow[] = [];
  async function* flush() {
    const ids = batch.flatMap((row) => (row.kind === "entry" ? [row.meta.id] : []));
    const bodies = new Map((await store.read(ids)).map((entry) => [entry.id, entry]));
    for (const row of batch) yield { row, entry: row.kind === "entry" ? bodies.get(row.meta.id) : undefined };
    batch = [];
  }
  for (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) yield* flush();
  }
  yield* flush();
}

function rowLine(
  screen: Screen,
  shape: Tree,
  leafId: string | null,
  row: OutlineRow,
  entry: Entry | undefined,
): string {
  const indent = "│ ".repeat(Math.min(row.depth, DEEPEST_INDENT));
  const lead = `  ${screen.tint("dim", indent)}`;
  const room = screen.width - 2 - indent.length;
  if (row.kind === "run") {
    const counts = [...row.counts].map(([name, n]) => `${n} ${firstLine(name)}`).join(", ");
    return lead + screen.tint("dim", clip(`·  ${counts}`, room));
  }
  const { id } = row.meta;
  const name = firstLine(wordOf(row.meta));
  const label = shape.label(id);
  const isLeaf = id === leafId;
  const mark = isLeaf ? screen.tint("green", "◆") : row.onPath ? screen.tint("green", "●") : screen.tint("dim", "○");
  const tags = `${label ? `[${clip(firstLine(label), 30)}] ` : ""}`;
  const said = clip(
    `${isLeaf ? "(leaf) " : ""}${entry ? entryLine(entry) : ""}`,
    room - 2 - firstLine(id).length - name.length - tags.length - 4,
  );
  const tint = roleTint(name);
  const text = row.onPath ? said : screen.tint("dim", said);
  return `${lead}${mark} ${screen.tint("dim", firstLine(id))}  ${tint ? screen.tint(tint, name) : name}  ${screen.tint("yellow", tags)}${text}`.trimEnd();
}
