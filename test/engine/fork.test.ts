import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Entry, LEAF_MARKER } from "../../src/core/session/entry.ts";
import { openSession } from "../../src/index.ts";
import { writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { havePi, piItself } from "../formats/pi-itself.ts";
import { HEADER, marker, message, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
let files = 0;

/** Forks the path to `leafId` of a file of these lines into another file. */
async function forked(lines: readonly unknown[], leafId: string) {
  const file = join(folder, `${++files}.jsonl`);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join("\n")}\n`);
  const session = await openSession(file, { readOnly: true, leafId });
  const out = join(folder, `${files}.fork.jsonl`);
  const { header, lines: stored } = await session.fork(leafId);
  await writeSessionFile(out, header, stored);
  const fork = await openSession(out, { readOnly: true });
  const written = readFileSync(out, "utf8").trimEnd().split("\n");
  const entries = written.slice(1).map((line) => JSON.parse(line) as Entry);
  return { file, out, session, fork, written, entries };
}

const label = (id: string, parentId: string, targetId: string, name?: string) => ({
  ...message(id, parentId),
  type: "label",
  targetId,
  label: name,
  message: undefined,
});
const links = (entries: readonly Entry[]) => entries.map(({ id, parentId }) => `${parentId}>${id}`);

describe("fork", () => {
  it("[S11] holds the path only, ids and untouched bytes kept, parentSession set", async () => {
    const odd = '{"type":"of_the_future", "id":"F","parentId":"b" ,"timestamp":"t","n":1.0,"s":"\\u0041"}';
    const { file, written, fork, session } = await forked(
      [HEADER, message("a", null), message("b", "a"), message("x", "a"), odd, message("c", "F"), message("y", "c")],
      "c",
    );
    expect(JSON.parse(written[0] ?? "")).toMatchObject({ type: "session", version: 3, cwd: "/", parentSession: file });
    expect(JSON.parse(written[0] ?? "").id).not.toBe(HEADER.id);
    expect(written.slice(1)).toEqual([
      JSON.stringify(message("a", null)),
      JSON.stringify(message("b", "a")),
      odd,
      JSON.stringify(message("c", "F")),
    ]);
    expect(fork.leafId).toBe("c");
    expect((await fork.context()).messages).toEqual((await session.context()).messages);
  });

  it("[S11] re-parents the children of labels and markers; labels in force follow, wherever they stood", async () => {
    const { entries, fork } = await forked(
      [
        HEADER,
        message("a", null),
        label("l1", "a", "a", "first"),
        message("b", "l1"),
        marker("m", "b"),
        message("c", "m"),
        message("x", "a"),
        label("l2", "x", "a", "newest"),
        label("l3", "l2", "x", "elsewhere"),
        { ...message("n", "l3"), type: "session_info", name: "the name" },
      ],
      "c",
    );
    expect(links(entries.slice(0, 3))).toEqual(["null>a", "a>b", "b>c"]);
    expect(entries.some((entry) => entry.type === "custom" && entry.customType === LEAF_MARKER)).toBe(false);
    expect(links(entries.slice(3))).toEqual([`c>${entries[3]?.id}`, `${entries[3]?.id}>${entries[4]?.id}`]);
    const tree = await fork.tree();
    expect([tree.label("a"), tree.label("x"), tree.name]).toEqual(["newest", undefined, "the name"]);
    expect(tree.warnings).toEqual([]);
  });

  it("[S11] re-maps firstKeptEntryId, targetId and fromId", async () => {
    const compaction = (id: string, parentId: string, firstKeptEntryId: string) =>
      ({
        ...message(id, parentId),
        type: "compaction",
        summary: `sum ${id}`,
        firstKeptEntryId,
        tokensBefore: 9,
      }) as unknown as Entry;
    const summary = (id: string, parentId: string, fromId: string) =>
      ({ ...message(id, parentId), type: "branch_summary", summary: "went", fromId }) as unknown as Entry;
    const { entries, fork, session } = await forked(
      [
        HEADER,
        message("a", null),
        message("off", "a"),
        summary("s1", "a", "off"),
        summary("s2", "s1", "a"),
        label("l1", "s2", "a", "x"),
        label("l2", "l1", "a", "y"),
        message("b", "l2"),
        compaction("k1", "b", "l1"),
        compaction("k2", "k1", "k2"),
        label("l3", "k2", "a", "z"),
        compaction("k3", "l3", "l3"),
        message("c", "k3"),
      ],
      "c",
    );
    const field = (id: string) => entries.find((entry) => entry.id === id) as unknown as Record<string, unknown>;
    expect([field("s1").fromId, field("s2").fromId]).toEqual(["root", "a"]);
    expect(field("k1").firstKeptEntryId).toBe("b");
    expect(field("k2").firstKeptEntryId).toBe("k2");
    expect(field("k3").firstKeptEntryId).toBe("k3");
    expect((await fork.context()).messages).toEqual((await session.context()).messages);
  });

  it("[S7, S11] takes what files hold: children before parents, doubled ids, an unknown parent", async () => {
    const { entries, fork, session } = await forked(
      [
        HEADER,
        message("c", "b"),
        message("b", "a", "old"),
        message("a", "nowhere"),
        message("b", "a", "new"),
        message("d", "c"),
      ],
      "d",
    );
    expect(links(entries)).toEqual(["null>a", "a>b", "b>c", "c>d"]);
    expect((await fork.context()).messages).toEqual((await session.context()).messages);
  });

  it("[I7] two runs give the same bytes; any format forks into a session file", async () => {
    const store = createMemoryStore({
      entries: [message("a", null), message("b", "a"), label("l", "b", "a", "x") as never],
    });
    const session = await openSession(store);
    const collect = async () => {
      const { header, lines } = await session.fork("b");
      const all: string[] = [JSON.stringify(header)];
      for await (const line of lines) all.push(line);
      return all;
    };
    expect(await collect()).toEqual(await collect());
    await expect(session.fork("nobody")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
  });

  it.skipIf(!havePi)("[S1, S11] pi opens the fork with the same context", async () => {
    const { out, fork } = await forked(
      [
        HEADER,
        message("a", null, "one"),
        label("l1", "a", "a", "first"),
        message("b", "l1", "two"),
        marker("m", "a"),
        message("c", "m", "three"),
        message("d", "c", "four"),
      ],
      "c",
    );
    const pi = piItself.open(out);
    const theirs = pi.buildSessionContext().messages.map((one) => (one as { content: unknown }).content);
    const ours = (await fork.context()).messages.map(({ message }) => (message as { content: unknown }).content);
    expect(theirs).toEqual(["one", "three"]);
    expect(ours).toEqual(theirs);
  });
});
