import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Entry, LEAF_MARKER } from "../../src/core/session/entry.ts";
import type { Session } from "../../src/engine/session.ts";
import { openSession } from "../../src/index.ts";
import type { SessionEvent } from "../../src/ports/events.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { HEADER, message, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
let files = 0;

/** A - B - C - D, all of the assistant but A and C. */
const TREE: readonly Entry[] = [
  message("A", null, "first request"),
  reply("B", "A"),
  message("C", "B", "second request"),
  reply("D", "C"),
];

function reply(id: string, parentId: string | null, text = `answer ${id}`): Entry {
  const content = [{ type: "text" as const, text }];
  return { ...message(id, parentId), message: { role: "assistant", content, stopReason: "stop" } } as Entry;
}

const inMemory = (entries: readonly Entry[] = TREE) =>
  openSession(createMemoryStore({ entries }), { clock: fixedClock() });

async function onDisk(entries: readonly Entry[] = TREE): Promise<{ file: string; session: Session }> {
  const file = join(folder, `${++files}.jsonl`);
  writeFileSync(file, `${[HEADER, ...entries].map((line) => JSON.stringify(line)).join("\n")}\n`);
  return { file, session: await openSession(file, { clock: fixedClock() }) };
}

async function said(session: Session): Promise<string[]> {
  const { messages } = await session.context();
  return messages.map(({ entryId }) => entryId);
}

async function storedIds(session: Session): Promise<string[]> {
  const ids: string[] = [];
  for await (const { entry } of session.store.entries()) ids.push(entry.id);
  return ids;
}

describe("navigate", () => {
  it("[B1] to the leaf is no move, and stores nothing", async () => {
    const session = await inMemory();
    expect(await session.navigate("D")).toEqual({ status: "unchanged", oldLeafId: "D", newLeafId: "D" });
    expect(await storedIds(session)).toEqual(["A", "B", "C", "D"]);
  });

  it("[B1] to a user's message stands on its parent and hands its text back", async () => {
    const session = await inMemory();
    const outcome = await session.navigate("C");
    expect(outcome).toEqual({ status: "moved", oldLeafId: "D", newLeafId: "B", editorText: "second request" });
    expect(session.leafId).toBe("B");
    expect(await said(session)).toEqual(["A", "B"]);
    expect(await session.navigate("C")).toEqual({
      status: "unchanged",
      oldLeafId: "B",
      newLeafId: "B",
      editorText: "second request",
    });
  });

  it("[B1] to a custom message gives its text, blocks joined; to the first request stands at the root", async () => {
    const content = [
      { type: "text" as const, text: "one " },
      { type: "image" as const, data: "", mimeType: "image/png" },
    ];
    const custom = { ...message("E", "D"), type: "custom_message", customType: "x", content } as unknown as Entry;
    const session = await inMemory([...TREE, custom, reply("F", "E")]);
    expect(await session.navigate("E")).toMatchObject({ newLeafId: "D", editorText: "one " });
    expect(await session.navigate("A")).toMatchObject({ newLeafId: null, editorText: "first request" });
    expect(await said(session)).toEqual([]);
    const [next] = await session.append({ role: "user", content: "again" });
    expect((await session.tree()).path(next?.id ?? "")).toHaveLength(2);
    expect(await said(session)).toEqual([next?.id]);
  });

  it("[B1] to anything else stands there; a leaf marker stands for its parent", async () => {
    const session = await inMemory();
    expect(await session.navigate("B")).toMatchObject({ status: "moved", newLeafId: "B" });
    const [answer] = await session.append({ role: "user", content: "another way" });
    const marker = (await session.tree()).parent(answer?.id ?? "") as string;
    await session.navigate("D");
    expect(await session.navigate(marker)).toMatchObject({ newLeafId: "B" });
    await session.navigate("D");
    expect(await session.navigate(answer?.id ?? "")).toMatchObject({ newLeafId: "B", editorText: "another way" });
  });

  it("[S8] the leaf outlives the process: reopened, the session stands where it was and goes on from there", async () => {
    for (const [target, leaf] of [
      ["B", "B"],
      [null, null],
      ["C", "B"],
    ] as const) {
      const { file, session } = await onDisk();
      await session.navigate(target);
      const context = await said(session);
      await session.close();
      const again = await openSession(file, { clock: fixedClock(500) });
      expect(again.leafId).toBe(leaf);
      expect(await said(again)).toEqual(context);
      const [entry] = await again.append({ role: "user", content: "on" });
      expect(await said(again)).toEqual([...context, entry?.id]);
      await again.close();
    }
  });

  it("[H3] tells leaf_change, and nothing where nothing moved", async () => {
    const session = await inMemory();
    const heard: SessionEvent[] = [];
    session.on("leaf_change", (event) => heard.push(event));
    await session.navigate("D");
    await session.navigate("B");
    expect(heard).toEqual([{ type: "leaf_change", oldLeafId: "D", newLeafId: "B" }]);
  });

  it("[H1] asks session_before_tree with what is left behind, and tells session_tree", async () => {
    const session = await inMemory();
    const seen: unknown[] = [];
    const remove = session.hook("session_before_tree", ({ preparation }) => {
      seen.push({ ...preparation, entriesToSummarize: preparation.entriesToSummarize.map(({ id }) => id) });
      return { cancel: true };
    });
    session.hook("session_tree", (payload) => void seen.push(payload));
    expect(await session.navigate("B")).toEqual({ status: "cancelled", by: "hook", oldLeafId: "D", newLeafId: "D" });
    expect(session.leafId).toBe("D");
    remove();
    await session.navigate("B");
    expect(seen).toEqual([
      {
        targetId: "B",
        oldLeafId: "D",
        newLeafId: "B",
        commonAncestorId: "B",
        entriesToSummarize: ["C", "D"],
        userWantsSummary: false,
      },
      { newLeafId: "B", oldLeafId: "D", fromExtension: false },
    ]);
  });

  it("[B1] an unknown target and an aborted signal change nothing", async () => {
    const session = await inMemory();
    await expect(session.navigate("nobody")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
    await expect(session.navigate(7 as never)).rejects.toThrow(TypeError);
    expect(await session.navigate("B", { signal: AbortSignal.abort() })).toMatchObject({
      status: "cancelled",
      by: "signal",
    });
    expect(await storedIds(session)).toHaveLength(4);
  });

  it("[A5] waits for other maintenance", async () => {
    const session = await inMemory();
    const [first, second] = await Promise.all([session.navigate("B"), session.navigate("D")]);
    expect([first.newLeafId, second.oldLeafId, second.newLeafId]).toEqual(["B", "B", "D"]);
  });
});

describe("back", () => {
  it("[B6] takes moves back one by one, and says when none is left", async () => {
    const session = await inMemory();
    await session.navigate("B");
    await session.navigate("A");
    expect(session.leafId).toBe(null);
    await session.navigate("D");
    const leaves: (string | null)[] = [];
    for (let i = 0; i < 4; i++) leaves.push((await session.back()).newLeafId);
    expect(leaves).toEqual([null, "B", "D", "D"]);
    expect((await session.back()).status).toBe("unchanged");
  });

  it("[B6] goes back across work done meanwhile, and after reopening", async () => {
    const { file, session } = await onDisk();
    await session.navigate("B");
    const [e] = await session.append({ role: "user", content: "E" });
    await session.navigate("D");
    await session.append({ role: "user", content: "F" });
    await session.close();
    const again = await openSession(file, { clock: fixedClock(500) });
    expect(await again.back()).toMatchObject({ status: "moved", newLeafId: e?.id });
    await again.close();
    const third = await openSession(file, { clock: fixedClock(900) });
    expect(await third.back()).toMatchObject({ status: "moved", newLeafId: "D" });
    expect(await third.back()).toMatchObject({ status: "unchanged" });
    await third.navigate("B");
    expect(await third.back()).toMatchObject({ newLeafId: "D" });
    await third.close();
  });

  it("[B6] reads moves that a branch summary made", async () => {
    const summary = {
      ...message("S", "B"),
      type: "branch_summary",
      fromId: "D",
      summary: "C and D",
    } as unknown as Entry;
    const session = await inMemory([...TREE, summary]);
    expect(await session.back()).toMatchObject({ status: "moved", oldLeafId: "S", newLeafId: "D" });
  });
});

describe("appending off the path", () => {
  it("[A7] a late result goes to its call's branch, and the session stays where it stands, also reopened", async () => {
    const { file, session } = await onDisk();
    await session.navigate("B");
    const before = await said(session);
    const [late] = await session.appendAt("D", { role: "user", content: "late" });
    expect(late).toMatchObject({ parentId: "D" });
    expect(session.leafId).toBe("B");
    expect(await said(session)).toEqual(before);
    expect(await session.back()).toMatchObject({ newLeafId: "D" });
    await session.navigate("B");
    await session.close();
    const again = await openSession(file, { readOnly: true });
    expect(again.leafId).toBe("B");
    expect((await again.tree()).children("D")).toContain(late?.id);
    await again.close();
  });

  it("[A7] one batch: what is off the path is never the last line", async () => {
    const session = await inMemory();
    await session.navigate("B");
    const count = (await storedIds(session)).length;
    await session.appendAt("D", { role: "user", content: "x" }, { role: "user", content: "y" });
    const entries: Entry[] = [];
    for await (const { entry } of session.store.entries()) entries.push(entry);
    expect(entries.slice(count).map((entry) => [entry.type, entry.parentId])).toEqual([
      ["message", "D"],
      ["message", entries[count]?.id],
      ["custom", "B"],
    ]);
    expect(entries.at(-1)).toMatchObject({ customType: LEAF_MARKER });
  });

  it("[A7] on the path followed it is an append like any other", async () => {
    const session = await inMemory();
    await session.navigate("B");
    const [entry] = await session.appendAt("B", { role: "user", content: "on" });
    expect(session.leafId).toBe(entry?.id);
    expect(await said(session)).toEqual(["A", "B", entry?.id]);
  });
});

describe("labels and names", () => {
  it("[S11, B6] the last one counts; null takes a label away", async () => {
    const { file, session } = await onDisk();
    await session.label("B", "first");
    await session.label("B", "good");
    await session.label("C", "gone");
    await session.label("C", null);
    await session.rename("one");
    await session.rename("two");
    const context = await said(session);
    await session.close();
    const again = await openSession(file, { readOnly: true });
    const tree = await again.tree();
    expect([tree.label("B"), tree.label("C"), tree.name]).toEqual(["good", undefined, "two"]);
    expect(await said(again)).toEqual(context);
    await again.close();
  });

  it("[S11] an unknown entry gets no label", async () => {
    const session = await inMemory();
    await expect(session.label("nobody", "x")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
    await expect(session.label("B", 3 as never)).rejects.toThrow(TypeError);
    expect(await storedIds(session)).toHaveLength(4);
  });
});
