import { describe, expect, it } from "vitest";
import type { NavigationPreview } from "../../src/engine/branch-preview.ts";
import { type Hooks, openSession, type Session, type SessionEvent } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock, type ScriptedReply, scriptedSummarizer } from "../../src/testing/index.ts";
import { type Draft, says, user } from "../core/plan/entries.ts";

const at = (id: string, parentId: string | null, draft: Draft = says(`answer ${id}`)) => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  ...draft,
  id,
  parentId,
});

/** A, then E F on one branch and B C D on another; the leaf is D. */
async function open(replies: ScriptedReply[] = ["Told of [#B], not of [#nobody]."], hooks: Hooks = {}) {
  const entries = [
    at("A", null, user("start")),
    at("E", "A"),
    at("F", "E"),
    at("B", "A", user("the other way")),
    at("C", "B"),
    at("D", "C"),
  ];
  const summarizer = scriptedSummarizer(replies);
  const session = await openSession(createMemoryStore({ entries }), { clock: fixedClock(), summarizer, hooks });
  const events: SessionEvent[] = [];
  session.on("*", (event) => events.push(event));
  return { session, events, summarizer };
}

async function previewed(session: Session, target = "F"): Promise<NavigationPreview> {
  const preview = await session.previewNavigation(target, { summarize: true });
  if (preview.status !== "preview") throw new Error(preview.status);
  return preview;
}
const linesOf = async (session: Session) => {
  const lines: string[] = [];
  for await (const { raw } of session.store.entries()) lines.push(raw);
  return lines;
};

describe("a navigation that is previewed", () => {
  it("[V5] makes the summary, and stores and moves nothing", async () => {
    const { session, events } = await open();
    const before = await linesOf(session);
    const preview = await previewed(session);
    expect(preview).toMatchObject({ oldLeafId: "D", newLeafId: "F", summaryEntry: { fromId: "D", parentId: "F" } });
    expect(preview.summaryEntry?.summary).toMatch(/\n\nTold of \[#B\], not of\.$/);
    expect(session.leafId).toBe("D");
    expect(await linesOf(session)).toEqual(before);
    expect(events).toEqual([]);
  });

  it("[V5, B4] committed it is what the navigation would have been, and the summariser is not asked again", async () => {
    const plain = await open();
    const moved = await plain.session.navigate("F", { summarize: true, label: "tried" });
    const { session, events, summarizer } = await open();
    const preview = await session.previewNavigation("F", { summarize: true, label: "tried" });
    const outcome = await session.commitNavigation(preview as NavigationPreview);
    const { id, timestamp, ...entry } = { ...outcome.summaryEntry };
    expect(moved.summaryEntry).toMatchObject(entry);
    expect((await session.context()).messages.at(-1)?.entryId).toBe(id);
    expect(timestamp).toBeDefined();
    expect(events.map(({ type }) => type)).toEqual(plain.events.map(({ type }) => type));
    expect(summarizer.requests).toHaveLength(1);
    expect((await linesOf(session)).some((line) => line.includes('"label":"tried"'))).toBe(true);
    expect((await session.back()).newLeafId).toBe("D");
  });

  it("[V5, V4] takes another text, with its citations checked and its lists of files", async () => {
    const { session } = await open();
    const preview = await previewed(session);
    const summary = `${preview.summaryEntry?.summary} Mine [#C] [#void].`;
    const { summaryEntry } = await session.commitNavigation(preview, { summary });
    expect(summaryEntry?.summary.match(/The user explored another branch/g)).toHaveLength(1);
    expect(summaryEntry?.summary).toMatch(/Told of \[#B\], not of\. Mine \[#C\]\.$/);
    expect(summaryEntry?.details).toMatchObject({ edited: true });
  });

  it("[V5] an edited text without words is refused, and nothing has moved", async () => {
    const { session } = await open();
    const preview = await previewed(session);
    for (const summary of ["", "  \n"]) {
      await expect(session.commitNavigation(preview, { summary })).rejects.toMatchObject({ code: "ENTRY_INVALID" });
    }
    expect(session.leafId).toBe("D");
    await expect((async () => session.commitNavigation({} as never))()).rejects.toThrow(TypeError);
  });

  it("[V5, K2] is stale once the branch has grown or the session stands elsewhere", async () => {
    const grown = await open();
    const preview = await previewed(grown.session);
    await grown.session.append({ role: "user", content: "one more" });
    await expect(grown.session.commitNavigation(preview)).rejects.toMatchObject({ code: "PLAN_STALE" });
    const { session } = await open(["one", "two"]);
    const other = await previewed(session);
    await session.navigate("E");
    const before = await linesOf(session);
    await expect(session.commitNavigation(other)).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(await linesOf(session)).toEqual(before);
  });

  it("[V5, H1] hooks are asked at the preview and told at the commit", async () => {
    const asked: string[] = [];
    const hooks: Hooks = {
      session_before_tree: () => {
        asked.push("before");
        return { summary: { summary: "By a hook." } };
      },
      session_tree: ({ fromExtension }) => void asked.push(`after ${fromExtension}`),
    };
    const { session } = await open([], hooks);
    const preview = await previewed(session);
    expect(asked).toEqual(["before"]);
    const { summaryEntry } = await session.commitNavigation(preview, { summary: " By me. " });
    expect(summaryEntry).toMatchObject({ summary: "By me.", fromExtension: true });
    expect(asked).toEqual(["before", "after true"]);
    const cancelling = await open([], { session_before_tree: () => ({ cancel: true }) });
    expect(await cancelling.session.previewNavigation("F")).toMatchObject({ status: "cancelled", by: "hook" });
  });

  it("[V5, F2] a hook's summary is stored as it gave it, previewed or not", async () => {
    const given = { summary: "By a hook.", details: { readFiles: ["a.ts"], own: 1 } };
    const hooks: Hooks = { session_before_tree: () => ({ summary: given }) };
    const plain = await open([], hooks);
    const { summaryEntry: moved } = await plain.session.navigate("F", { summarize: true });
    const { session } = await open([], hooks);
    const { summaryEntry } = await session.commitNavigation(await previewed(session));
    expect(summaryEntry).toEqual({ ...moved, id: summaryEntry?.id, timestamp: summaryEntry?.timestamp });
    expect(summaryEntry).toMatchObject({ ...given, fromExtension: true });
  });

  it("[V5] without a summary it shows where one would stand", async () => {
    const { session } = await open();
    expect(await session.previewNavigation("D")).toMatchObject({ status: "unchanged" });
    const preview = await session.previewNavigation("B");
    expect(preview).toMatchObject({ status: "preview", newLeafId: "A", editorText: "the other way" });
    expect(preview).not.toHaveProperty("summaryEntry");
    expect(await session.commitNavigation(preview as NavigationPreview)).toMatchObject({
      status: "moved",
      newLeafId: "A",
    });
  });

  it("[V5, B4] aborted or failed it leaves nothing", async () => {
    const { session } = await open([{ kind: "failed", reason: "It is down.", retryable: false }]);
    const failing = session.previewNavigation("F", { summarize: true });
    await expect(failing).rejects.toMatchObject({ code: "SUMMARY_FAILED" });
    const signal = AbortSignal.abort();
    expect(await session.previewNavigation("F", { summarize: true, signal })).toMatchObject({ by: "signal" });
    const again = await open();
    const preview = await previewed(again.session);
    expect(await again.session.commitNavigation(preview, { signal })).toMatchObject({ status: "cancelled" });
    expect(again.session.leafId).toBe("D");
  });
});

describe("a merge that is previewed", () => {
  it("[V5, B5] is shown, edited and stored at the leaf", async () => {
    const { session } = await open(["Told of [#E]."]);
    const before = await linesOf(session);
    const preview = await session.previewImport("F", { label: "merged" });
    if (preview.status !== "preview") throw new Error(preview.status);
    expect(preview.entry).toMatchObject({ fromId: "F", parentId: "D" });
    expect(await linesOf(session)).toEqual(before);
    await session.append({ role: "user", content: "one more" });
    const outcome = await session.commitImport(preview, { summary: "Only [#F] and [#B] matter." });
    if (outcome.status !== "imported") throw new Error(outcome.status);
    expect(outcome.entry).toMatchObject({ fromId: "F", details: { edited: true, espalier: { imported: true } } });
    expect(outcome.entry.summary).toMatch(/Only \[#F\] and matter\.$/);
    expect((await session.context()).messages.at(-1)?.message.role).toBe("branchSummary");
  });

  it("[V5, K2] is stale once the session stands on that branch", async () => {
    const { session } = await open(["Told."]);
    const preview = await session.previewImport("F");
    if (preview.status !== "preview") throw new Error(preview.status);
    await session.navigate("E");
    await expect(session.commitImport(preview)).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(await session.previewImport("A")).toEqual({ status: "skipped", because: "on-the-path" });
    await expect((async () => session.commitImport({} as never))()).rejects.toThrow(TypeError);
  });
});
