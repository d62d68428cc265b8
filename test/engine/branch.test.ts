import { describe, expect, it } from "vitest";
import { LEAF_MARKER } from "../../src/core/session/entry.ts";
import { type Hooks, openSession, type Session, type SessionEvent } from "../../src/index.ts";
import type { Summarizer } from "../../src/ports/summarizer.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { type Draft, state as marker, says, user } from "../core/plan/entries.ts";

type Placed = Draft & { id: string; parentId: string | null };
const at = (id: string, parentId: string | null, draft: Draft = says(`answer ${id}`)): Placed => ({
  ...draft,
  id,
  parentId,
});

/** The source documents' example: A, then B C D on one branch and E F on another; the leaf is D. */
const EXAMPLE: readonly Placed[] = [
  at("A", null, user("start")),
  at("E", "A"),
  at("F", "E"),
  at("B", "A", user("try the other way")),
  at("C", "B"),
  at("D", "C"),
];

interface Given {
  readonly entries?: readonly Placed[];
  readonly summarizer?: Summarizer;
  readonly hooks?: Hooks;
  readonly settings?: Record<string, unknown>;
}

async function open({ entries = EXAMPLE, ...options }: Given = {}): Promise<Session> {
  const stored = entries.map((entry) => ({ timestamp: "2026-01-01T00:00:00.000Z", ...entry }));
  return openSession(createMemoryStore({ entries: stored }), { clock: fixedClock(), ...options });
}

function heardOf(session: Session): SessionEvent[] {
  const events: SessionEvent[] = [];
  session.on("*", (event) => events.push(event));
  return events;
}

async function linesOf(session: Session): Promise<string[]> {
  const lines: string[] = [];
  for await (const { raw } of session.store.entries()) lines.push(raw);
  return lines;
}

const said = async (session: Session) => (await session.context()).messages.map(({ entryId }) => entryId);

describe("navigating with a summary", () => {
  it("[B4, B2, H3] leaves the summary of B, C and D at F, with D as fromId", async () => {
    const summarizer = scriptedSummarizer(["## Goal\nThe other way [#B] did not work [#nobody]."]);
    const session = await open({ summarizer });
    const events = heardOf(session);
    const outcome = await session.navigate("F", { summarize: true });
    const { summaryEntry: entry } = outcome;
    expect(outcome).toEqual({ status: "moved", oldLeafId: "D", newLeafId: entry?.id, summaryEntry: entry });
    expect(entry).toMatchObject({ type: "branch_summary", parentId: "F", fromId: "D", fromExtension: false });
    expect(entry?.summary).toMatch(
      /^The user explored another branch[^\n]*\n\n## Goal\nThe other way \[#B\] did not work\.$/,
    );
    expect(summarizer.requests.map(({ kind, messages }) => [kind, messages.map(({ entryId }) => entryId)])).toEqual([
      ["branch", ["B", "C", "D"]],
    ]);
    expect(session.leafId).toBe(entry?.id);
    expect(await said(session)).toEqual(["A", "E", "F", entry?.id]);
    expect(events).toEqual([
      { type: "branch_summary_start", fromId: "D", targetId: "F" },
      { type: "branch_summary_end", aborted: false, result: entry },
      { type: "leaf_change", oldLeafId: "D", newLeafId: entry?.id },
    ]);
  });

  it("[S8] the summary is the leaf marker: no other is stored, and the next entry hangs on it", async () => {
    const session = await open();
    const { summaryEntry } = await session.navigate("F", { summarize: true });
    const [next] = await session.append({ role: "user", content: "on" });
    expect(next?.parentId).toBe(summaryEntry?.id);
    expect((await linesOf(session)).some((line) => line.includes(LEAF_MARKER))).toBe(false);
  });

  it("[B4] takes the embedded summariser, and lists the files of the branch", async () => {
    const call = (id: string, name: string, path: string) =>
      ({
        type: "message",
        message: { role: "assistant", content: [{ type: "toolCall", id, name, arguments: { path } }] },
      }) as Draft;
    const answer = (id: string, isError = false) =>
      ({
        type: "message",
        message: { role: "toolResult", toolCallId: id, toolName: "t", content: [], isError },
      }) as Draft;
    const session = await open({
      entries: [
        ...EXAMPLE,
        at("G", "D", call("1", "write", "src/a.ts")),
        at("H", "G", answer("1")),
        at("I", "H", call("2", "read", "src/b.ts")),
        at("J", "I", answer("2")),
        at("K", "J", call("3", "edit", "src/c.ts")),
        at("L", "K", answer("3", true)),
      ],
    });
    const { summaryEntry: entry } = await session.navigate("F", { summarize: true });
    expect(entry?.details).toMatchObject({
      readFiles: ["src/b.ts"],
      modifiedFiles: ["src/a.ts"],
      espalier: { method: "extractive" },
    });
    expect(entry?.summary).toContain("try the other way");
    expect(entry?.summary).toMatch(
      /<read-files>\nsrc\/b\.ts\n<\/read-files>\n\n<modified-files>\nsrc\/a\.ts\n<\/modified-files>$/,
    );
  });

  it("[B1] a user's message that is gone back to is summarised with what follows, and handed back", async () => {
    const summarizer = scriptedSummarizer(["It was tried."]);
    const session = await open({ summarizer });
    const outcome = await session.navigate("B", { summarize: true });
    expect(outcome).toMatchObject({ editorText: "try the other way", summaryEntry: { parentId: "A", fromId: "D" } });
    expect(summarizer.requests[0]?.messages.map(({ entryId }) => entryId)).toEqual(["B", "C", "D"]);
  });

  it("[B1] instructions replace the prompt, or are added as focus", async () => {
    const summarizer = scriptedSummarizer(["Told."]);
    const session = await open({ summarizer });
    await session.navigate("F", { summarize: true, customInstructions: "Only the names." });
    await session.navigate("D", { summarize: false });
    await session.append({ role: "user", content: "more" });
    await session.navigate("F", { summarize: true, customInstructions: "the names", replaceInstructions: false });
    expect(summarizer.requests.map(({ prompt, focus }) => [prompt, focus])).toEqual([
      ["Only the names.", undefined],
      [undefined, "the names"],
    ]);
  });

  it("[B1] branchSummary.enabled decides where the call does not say", async () => {
    const settings = { branchSummary: { enabled: true } };
    expect(await (await open({ settings })).navigate("F")).toHaveProperty("summaryEntry");
    expect(await (await open({ settings })).navigate("F", { summarize: false })).not.toHaveProperty("summaryEntry");
    expect(await (await open()).navigate("F")).not.toHaveProperty("summaryEntry");
  });

  it("[B6] the label goes to the summary, without one to the target", async () => {
    const session = await open();
    const { summaryEntry, newLeafId } = await session.navigate("F", { summarize: true, label: "dead end" });
    expect((await session.tree()).label(summaryEntry?.id ?? "")).toBe("dead end");
    expect(session.leafId).toBe(newLeafId);
    expect(await said(session)).toEqual(["A", "E", "F", summaryEntry?.id]);
    await session.navigate("C", { label: "here" });
    expect((await session.tree()).label("C")).toBe("here");
  });

  it("[B6] back takes a summarised move back, and the ones before it", async () => {
    const session = await open();
    await session.navigate("C");
    await session.navigate("F", { summarize: true });
    expect(await session.back()).toMatchObject({ status: "moved", newLeafId: "C" });
    expect(await session.back()).toMatchObject({ status: "moved", newLeafId: "D" });
    expect(await session.back()).toMatchObject({ status: "unchanged" });
  });

  it("[B3] moves without a request where nothing was said", async () => {
    const summarizer = scriptedSummarizer(["Never asked."]);
    const entries = [...EXAMPLE, at("G", "F", marker("note"))];
    const session = await open({ summarizer, entries });
    const events = heardOf(session);
    expect(await session.navigate("F", { summarize: true })).toEqual({
      status: "moved",
      oldLeafId: "G",
      newLeafId: "F",
    });
    expect(await session.navigate("G", { summarize: true })).toMatchObject({ status: "moved" });
    expect(summarizer.requests).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["leaf_change", "leaf_change"]);
  });

  it("[B3] leaves a branch of 100,000 entries", async () => {
    const summarizer = scriptedSummarizer(["Long."]);
    const entries = [at("root", null, user("start"))];
    for (let n = 1; n <= 100_000; n++) entries.push(at(`n${n}`, n === 1 ? "root" : `n${n - 1}`, says(`step ${n}`)));
    const session = await open({ entries, summarizer });
    const { summaryEntry } = await session.navigate("n2", { summarize: true });
    expect(summaryEntry).toMatchObject({ parentId: "n2", fromId: "n100000" });
    expect(summarizer.requests[0]?.messages.at(-1)?.entryId).toBe("n100000");
  });

  it("[M12] keeps what the requests took", async () => {
    const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 };
    const spent = [{ model: "a/b", usage }];
    const summarizer = scriptedSummarizer([{ kind: "text", text: "Told.", method: "llm", model: "c/d", usage, spent }]);
    const session = await open({ summarizer });
    const { summaryEntry } = await session.navigate("F", { summarize: true });
    expect(summaryEntry).toMatchObject({ usage, details: { espalier: { method: "llm", model: "c/d" } } });
    const entries = (await linesOf(session)).map((line) => JSON.parse(line));
    expect(entries.find(({ type }) => type === "usage")).toMatchObject({
      parentId: "D",
      kind: "branch_summary",
      provider: "a",
      model: "b",
    });
    expect(await said(session)).toEqual(["A", "E", "F", summaryEntry?.id]);
  });
});

describe("a summary that does not come about", () => {
  it("[B4] aborted at any moment leaves the tree as it was", async () => {
    const moments = ["before", "hook", "asked", "answered"] as const;
    for (const moment of moments) {
      const abort = new AbortController();
      const when = (now: (typeof moments)[number]) => now === moment && abort.abort();
      const session = await open({
        hooks: { session_before_tree: () => void when("hook") },
        summarizer: {
          id: "slow",
          async summarize() {
            when("asked");
            await Promise.resolve();
            when("answered");
            return { kind: "text", text: "Too late.", method: "llm" };
          },
        },
      });
      const lines = await linesOf(session);
      const events = heardOf(session);
      when("before");
      const outcome = await session.navigate("F", { summarize: true, signal: abort.signal });
      expect(outcome).toEqual({ status: "cancelled", by: "signal", oldLeafId: "D", newLeafId: "D" });
      expect(session.leafId).toBe("D");
      expect(await linesOf(session)).toEqual(lines);
      const ends = events.filter(({ type }) => type === "branch_summary_end");
      expect(ends).toEqual(
        events.some(({ type }) => type === "branch_summary_start")
          ? [{ type: "branch_summary_end", aborted: true }]
          : [],
      );
    }
  });

  it("[B4] fails with a code, and the tree is as it was", async () => {
    const replies = [
      { kind: "failed" as const, reason: "The server is gone.", retryable: false },
      { kind: "text" as const, text: "  \n", method: "llm" as const },
    ];
    for (const reply of replies) {
      const session = await open({ summarizer: scriptedSummarizer([reply]) });
      const lines = await linesOf(session);
      const events = heardOf(session);
      await expect(session.navigate("F", { summarize: true })).rejects.toMatchObject({ code: "SUMMARY_FAILED" });
      expect(session.leafId).toBe("D");
      expect(await linesOf(session)).toEqual(lines);
      expect(events.map(({ type }) => type)).toEqual(["branch_summary_start", "branch_summary_end"]);
      expect(events[1]).toMatchObject({ aborted: false, errorMessage: expect.stringContaining("Nothing was changed") });
      // The lock is free again.
      expect(await session.navigate("F")).toMatchObject({ status: "moved" });
    }
  });

  it("[B4] is stale when the branch grew meanwhile, and what came stays", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const summarizer: Summarizer = {
      id: "slow",
      async summarize() {
        await late?.();
        return { kind: "text", text: "Without the news.", method: "llm" };
      },
    };
    const session = await open({ summarizer });
    late = () => session.append({ role: "user", content: "news" });
    await expect(session.navigate("F", { summarize: true })).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(await said(session)).toEqual(["A", "B", "C", "D", session.leafId]);
    late = () => session.append({ type: "session_info", name: "x" });
    expect(await session.navigate("F", { summarize: true })).toHaveProperty("summaryEntry");
  });
});

describe("hooks of a summary", () => {
  it("[H1] a hook's summary is stored as it is, marked as an extension's", async () => {
    const told: unknown[] = [];
    const summarizer = scriptedSummarizer(["Not asked."]);
    const session = await open({
      summarizer,
      hooks: {
        session_before_tree: [
          ({ preparation }) => {
            told.push(
              preparation.userWantsSummary,
              preparation.entriesToSummarize.map(({ id }) => id),
            );
          },
          () => ({ summary: { summary: "In my words.", details: { mine: 1 } } }),
          () => ({ cancel: true }),
        ],
        session_tree: (payload) => void told.push(payload),
      },
    });
    const { summaryEntry } = await session.navigate("F", { summarize: true });
    expect(summaryEntry).toMatchObject({
      summary: "In my words.",
      details: { mine: 1 },
      fromExtension: true,
      fromHook: true,
    });
    expect(summarizer.requests).toEqual([]);
    expect(told).toEqual([
      true,
      ["B", "C", "D"],
      { newLeafId: summaryEntry?.id, oldLeafId: "D", summaryEntry, fromExtension: true },
    ]);
  });

  it("[H1] a summary that nobody asked for is no opinion; a cancel is", async () => {
    const hooks: Hooks = { session_before_tree: () => ({ summary: { summary: "Unasked." } }) };
    expect(await (await open({ hooks })).navigate("F")).toEqual({ status: "moved", oldLeafId: "D", newLeafId: "F" });
    const session = await open({
      hooks: { session_before_tree: [() => ({ summary: { summary: "x" } }), () => ({ cancel: true })] },
    });
    expect(await session.navigate("F")).toMatchObject({ status: "cancelled", by: "hook" });
  });

  it("[H1, K4] nonsense stores nothing", async () => {
    for (const summary of [{ summary: "  " }, { summary: 5 }, {}] as never[]) {
      const session = await open({ hooks: { session_before_tree: () => ({ summary }) } });
      const lines = await linesOf(session);
      await expect(session.navigate("F", { summarize: true })).rejects.toMatchObject({ code: "HOOK_INVALID" });
      expect(await linesOf(session)).toEqual(lines);
    }
  });
});

describe("importBranch and diffBranches", () => {
  it("[B5] merges another branch back without leaving", async () => {
    const summarizer = scriptedSummarizer(["E and F were found out [#F]."]);
    const session = await open({ summarizer });
    const events = heardOf(session);
    const outcome = await session.importBranch("F", { label: "merged" });
    if (outcome.status !== "imported") throw new Error(outcome.status);
    expect(outcome.commonAncestorId).toBe("A");
    expect(outcome.entry).toMatchObject({ parentId: "D", fromId: "F", details: { espalier: { imported: true } } });
    expect(summarizer.requests[0]?.messages.map(({ entryId }) => entryId)).toEqual(["E", "F"]);
    expect(await said(session)).toEqual(["A", "B", "C", "D", outcome.entry.id]);
    expect(events.map(({ type }) => type)).toEqual(["branch_summary_start", "branch_summary_end"]);
    expect(await session.back()).toMatchObject({ status: "unchanged" });
  });

  it("[B5] has nothing to merge from the path itself, and says so", async () => {
    const session = await open({ entries: [...EXAMPLE, at("G", "F", marker("note"))].reverse().reverse() });
    await session.navigate("D");
    expect(await session.importBranch("B")).toEqual({ status: "skipped", because: "on-the-path" });
    await expect(session.importBranch("nobody")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
    await session.navigate("F");
    expect(await session.importBranch("G")).toEqual({ status: "skipped", because: "nothing-to-summarize" });
    const aborted = await session.importBranch("D", { signal: AbortSignal.abort() });
    expect(aborted).toEqual({ status: "cancelled", by: "signal" });
    expect(session.leafId).toBe("F");
  });

  it("[B5] lists what two branches have since they parted", async () => {
    const write = (id: string, path: string) =>
      ({
        type: "message",
        message: { role: "assistant", content: [{ type: "toolCall", id, name: "write", arguments: { path } }] },
      }) as Draft;
    const done = (id: string) =>
      ({
        type: "message",
        message: { role: "toolResult", toolCallId: id, toolName: "write", content: [], isError: false },
      }) as Draft;
    const session = await open({
      entries: [
        ...EXAMPLE,
        at("G", "D", write("1", "both.ts")),
        at("H", "G", done("1")),
        at("I", "F", write("2", "both.ts")),
        at("J", "I", done("2")),
      ],
    });
    const { a, b, ...both } = await session.diffBranches("H", "J");
    expect(both).toEqual({ commonAncestorId: "A", bothModified: ["both.ts"] });
    expect(a).toMatchObject({
      leafId: "H",
      entryIds: ["B", "C", "D", "G", "H"],
      modifiedFiles: ["both.ts"],
      readFiles: [],
    });
    expect(b).toMatchObject({ leafId: "J", entryIds: ["E", "F", "I", "J"] });
    expect(a.tokens).toBeGreaterThan(0);
    expect((await session.diffBranches("C", "D")).a.entryIds).toEqual([]);
    await expect(session.diffBranches("A", "nobody")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
  });
});
