import { expect, it } from "vitest";
import { explain } from "../../../src/core/context/explain.ts";
import { projectContext } from "../../../src/core/context/project.ts";
import type { Entry, EntryMeta } from "../../../src/core/session/entry.ts";
import { assistant, chain, compaction, edit, marker, result, system, user } from "./chain.ts";

const metasOf = (path: Entry[]): EntryMeta[] =>
  path.map((entry) => ({
    id: entry.id,
    parentId: entry.parentId,
    type: entry.type,
    ...(entry.type === "message" && { role: entry.message.role }),
  }));

const told = (path: Entry[]) =>
  explain(metasOf(path), projectContext(path)).entries.map(({ id: _, type: __, ...fate }) => fate);

it("[X8] says where each entry went, and counts them all", () => {
  const path = chain(
    user("a"),
    { type: "custom", customType: "x" },
    assistant("b", ["c1"]),
    result("c1"),
    user("c"),
    compaction("e4"),
    assistant("d", [], { stopReason: "error" }),
    user("e"),
    edit("e7", { content: "short" }),
    user("f"),
    edit("e9", null),
  );
  expect(told(path)).toEqual([
    { fate: "summarised", by: "e5" },
    { fate: "metadata" },
    { fate: "summarised", by: "e5" },
    { fate: "summarised", by: "e5" },
    { fate: "verbatim" },
    { fate: "verbatim" },
    { fate: "dropped", why: "failed-attempt" },
    { fate: "edited", by: "e8" },
    { fate: "metadata" },
    { fate: "dropped", by: "e10", why: "omitted-by-edit" },
    { fate: "metadata" },
  ]);
  const { counts } = explain(metasOf(path), projectContext(path));
  expect(counts).toEqual({ verbatim: 2, edited: 1, summarised: 3, metadata: 3, dropped: 2 });
});

it("[X8] names what became of compactions and system messages", () => {
  const carried = { role: "system", content: "s" };
  const path = chain(
    system("old"),
    user("a"),
    compaction("e1"),
    system("kept"),
    compaction("e3", { systemMessage: carried }),
    compaction("e1"),
    marker("undo", "e5"),
    system("later"),
  );
  expect(told(path)).toEqual([
    { fate: "dropped", by: "e4", why: "superseded-system" },
    { fate: "summarised", by: "e4" },
    { fate: "summarised", by: "e4" },
    { fate: "dropped", by: "e4", why: "superseded-system" },
    { fate: "verbatim" },
    { fate: "dropped", why: "undone-compaction" },
    { fate: "metadata" },
    { fate: "verbatim", by: "e4", why: "joined-system" },
  ]);
});
