import { describe, expect, it } from "vitest";
import { LEAF_MARKER, UNDO_MARKER } from "../../src/core/session/entry.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { compacted, open, SMALL, says, user, work } from "./long-session.ts";

const messagesOf = async (session: Awaited<ReturnType<typeof open>>) => (await session.context()).messages;

describe("undo and redo", () => {
  it("[V3] undo gives exactly the former context after each of twenty compactions, redo the compacted one", async () => {
    const store = createMemoryStore();
    const session = await open(SMALL, store);
    for (let time = 0; time < 20; time++) {
      await work(session, 4);
      const before = await messagesOf(session);
      const { entry } = await compacted(session);
      const after = await messagesOf(session);
      if (time % 2 === 1) await session.append({ type: "custom", customType: "state" });
      expect(await session.undo()).toMatchObject({ status: "undone", compactionId: entry.id, how: "leaf" });
      expect(await messagesOf(session)).toEqual(before);
      expect(session.leafId).toBe(entry.parentId);
      expect(await messagesOf(await open(SMALL, store))).toEqual(before);
      expect(await session.redo()).toMatchObject({ status: "redone", compactionId: entry.id });
      expect(await messagesOf(session)).toEqual(after);
      expect(await messagesOf(await open(SMALL, store))).toEqual(after);
    }
  });

  it("[V3] with work after the compaction a marker undoes it; the work stays", async () => {
    const session = await open();
    await work(session, 6);
    const before = await messagesOf(session);
    const { entry } = await compacted(session);
    const added = await session.append(user("go on"), says("done"));
    const compact = await messagesOf(session);
    expect(await session.undo()).toMatchObject({ how: "marker", compactionId: entry.id });
    expect((await messagesOf(session)).map(({ entryId }) => entryId)).toEqual([
      ...before.map(({ entryId }) => entryId),
      ...added.map(({ id }) => id),
    ]);
    const [marker] = await session.store.read([session.store.position().tipId ?? ""]);
    expect(marker).toMatchObject({ type: "custom", customType: UNDO_MARKER, data: { compactionId: entry.id } });
    expect(await session.redo()).toMatchObject({ how: "marker" });
    expect(await messagesOf(session)).toEqual(compact);
    expect(await session.redo()).toEqual({ status: "nothing", because: "nothing-undone" });
  });

  it("[V3] a second undo takes the next older one, redos come back in order", async () => {
    const session = await open();
    const contexts = [];
    for (let time = 0; time < 3; time++) {
      await work(session, 5);
      await compacted(session);
      contexts.push((await messagesOf(session))[0]);
    }
    for (const time of [1, 0]) {
      expect((await session.undo()).status).toBe("undone");
      expect((await messagesOf(session))[0]).toEqual(contexts[time]);
    }
    expect((await session.undo()).status).toBe("undone");
    expect((await messagesOf(session))[0]?.message.role).toBe("user");
    expect(await session.undo()).toEqual({ status: "nothing", because: "no-compaction" });
    for (const time of [0, 1, 2]) {
      expect((await session.redo()).status).toBe("redone");
      expect((await messagesOf(session))[0]).toEqual(contexts[time]);
    }
    expect((await session.redo()).status).toBe("nothing");
  });

  it("[V3] a leaf move that work followed is redone by the compaction standing there once more", async () => {
    const session = await open();
    await work(session, 6);
    const { entry } = await compacted(session);
    const compact = await messagesOf(session);
    await session.undo();
    const added = await session.append(user("go on"), says("done"));
    const outcome = await session.redo();
    expect(outcome).toMatchObject({ how: "again", compactionId: entry.id });
    const now = await messagesOf(session);
    expect(now[0]?.message).toMatchObject({ role: "compactionSummary", summary: entry.summary });
    expect(now.slice(1).map(({ entryId }) => entryId)).toEqual([
      ...compact.slice(1).map(({ entryId }) => entryId),
      ...added.map(({ id }) => id),
    ]);
  });

  it("[V3] pins made behind a compaction stay when it is undone and redone", async () => {
    const session = await open();
    await work(session, 6);
    await compacted(session);
    await session.pin({ text: "Use tabs." });
    const texts = async () => (await session.pins()).map(({ text }) => text);
    expect(await session.undo()).toMatchObject({ how: "leaf" });
    expect(await texts()).toEqual(["Use tabs."]);
    await session.pin({ text: "Ship on Tuesday." });
    expect(await session.redo()).toMatchObject({ how: "leaf" });
    expect(await texts()).toEqual(["Use tabs.", "Ship on Tuesday."]);
  });

  it("[V3] nothing to undo or redo is an outcome, and writes nothing", async () => {
    const session = await open();
    await work(session, 1);
    const { tipId } = session.store.position();
    expect(await session.undo()).toEqual({ status: "nothing", because: "no-compaction" });
    expect(await session.redo()).toEqual({ status: "nothing", because: "nothing-undone" });
    expect(session.store.position().tipId).toBe(tipId);
  });

  it("[V3, S8] the marker of a leaf move stands under the compaction's parent", async () => {
    const session = await open();
    await work(session, 6);
    const { entry } = await compacted(session);
    await session.undo();
    const [marker] = await session.store.read([session.store.position().tipId ?? ""]);
    expect(marker).toMatchObject({ customType: LEAF_MARKER, parentId: entry.parentId, data: { undone: entry.id } });
  });
});

describe("a preview", () => {
  it("[V5] is committed as it is, edited, or thrown away", async () => {
    const session = await open();
    await session.pin({ text: "Use tabs." });
    await work(session, 6);
    const preview = await session.previewCompaction();
    if (preview.status !== "preview") throw new Error(preview.status);
    const text = `## Goal\nMy own words, from [#${preview.result.plan.summarizedIds[1]}] and [#nobody].`;
    const outcome = await session.commitCompaction(preview, { summary: text });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(outcome.entry.summary).toContain("My own words, from [#");
    expect(outcome.entry.summary).not.toContain("nobody");
    expect(outcome.entry.summary).toContain("## Pinned\n\n<pinned>\n- Use tabs.");
    expect(outcome.entry.summary.trimEnd().endsWith("</read-files>")).toBe(true);
    expect(outcome.entry.details).toMatchObject({ edited: true, citations: { kept: 1, removed: 1 } });
    expect((await messagesOf(session))[0]?.entryId).toBe(outcome.entry.id);
    await session.undo();
    const same = await session.previewCompaction();
    if (same.status !== "preview") throw new Error(same.status);
    expect(await session.commitCompaction(same)).toMatchObject({
      status: "compacted",
      entry: { summary: same.entry.summary },
    });
  });

  it("[V5, K2] is refused when the path moved on under it, or when its text is empty", async () => {
    const session = await open();
    await work(session, 6);
    const preview = await session.previewCompaction();
    if (preview.status !== "preview") throw new Error(preview.status);
    expect(await session.commitCompaction(preview, { summary: " " })).toMatchObject({
      status: "failed",
      error: { code: "ENTRY_INVALID" },
    });
    await compacted(session);
    const { tipId } = session.store.position();
    expect(await session.commitCompaction(preview)).toMatchObject({ status: "failed", error: { code: "PLAN_STALE" } });
    expect(session.store.position().tipId).toBe(tipId);
    await expect(async () => session.commitCompaction({ status: "skipped" } as never)).rejects.toThrow(TypeError);
  });
});
