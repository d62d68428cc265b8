import { describe, expect, it } from "vitest";
import { summaryPrompt } from "../../src/core/summary/prompt.ts";
import type { SummaryKind } from "../../src/core/summary/request.ts";
import { type Message, openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { scriptedSummarizer } from "../../src/testing/scripted-summarizer.ts";
import { compacted, open, SMALL, user, work } from "../engine/long-session.ts";

const call = (n: number, text: string): Message[] => [
  { role: "assistant", content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { command: `ls ${n}` } }] },
  { role: "toolResult", toolCallId: `c${n}`, toolName: "bash", content: [{ type: "text", text }], isError: false },
];

describe("what a compaction may not lose", () => {
  it("[LC-02] the request that waits is the last message, word for word, and is in no summary's input", async () => {
    const session = await open();
    await work(session, 60);
    const [asked] = await session.append(user("Now rename foo to bar."));
    const { compaction } = await session.maintain();
    if (compaction?.status !== "compacted") throw new Error(compaction?.status);
    const { messages } = await session.context();
    expect(messages.at(-1)).toMatchObject({ entryId: asked?.id, message: user("Now rename foo to bar.") });
    expect(compaction.result.plan.messagesToSummarize.map(({ entryId }) => entryId)).not.toContain(asked?.id);
  });

  it("[LC-02] the one request of a long turn is quoted by the summary of its beginning", async () => {
    const session = await open();
    await session.append(user("Rename foo to bar in every module, and keep the old name as an alias."));
    for (let n = 0; n < 100; n++) await session.append(...call(n, `module ${n} of the list\n`.repeat(30)));
    const { compaction } = await session.maintain();
    if (compaction?.status !== "compacted") throw new Error(compaction?.status);
    expect(compaction.result.plan.isSplitTurn).toBe(true);
    expect(compaction.entry.summary).toContain("Rename foo to bar in every module, and keep the old name as an alias.");
  });

  it("[LC-02] a model that forgets the request does not make it forgotten, however often a turn is compacted", async () => {
    const vague = scriptedSummarizer(["## Goal\nSome work goes on."]);
    const session = await openSession(createMemoryStore(), { settings: SMALL, summarizer: vague });
    await work(session, 4);
    const [asked] = await session.append(user("Rename foo to bar.\nKeep the old name as an alias."));
    let compactions = 0;
    for (let n = 0; n < 160; n++) {
      await session.append(...call(n, `module ${n} of the list\n`.repeat(30)));
      const { compaction } = await session.maintain();
      if (compaction?.status !== "compacted") continue;
      compactions++;
      const { messages } = await session.context();
      const restated = `<last-user-request entry="${asked?.id}">\nRename foo to bar.\nKeep the old name as an alias.\n<`;
      expect(JSON.stringify(messages).split(JSON.stringify(restated).slice(1, -1))).toHaveLength(2);
      expect(JSON.stringify(messages).split("last-user-request entry")).toHaveLength(2);
    }
    expect(compactions).toBeGreaterThan(2);
    await session.append(user("Now the tests."));
    const { messages } = await compacted(session).then(() => session.context());
    expect(JSON.stringify(messages)).not.toContain("<last-user-request");
  });

  it("[LC-04] a compaction that was prepared before another one is refused, and stores nothing", async () => {
    const session = await open();
    await work(session, 20);
    const slow = await session.previewCompaction();
    if (slow.status !== "preview") throw new Error(slow.status);
    await compacted(session);
    const { size } = await session.tree();
    const late = await session.commitCompaction(slow).catch((error: unknown) => ({ status: "failed", error }));
    expect(late).toMatchObject({ status: "failed", error: { code: "PLAN_STALE" } });
    expect((await session.tree()).size).toBe(size);
  });

  it("[LC-07] where an output was, its size stands behind the call that made it, and the original is found", async () => {
    const session = await open({ contextWindow: 200_000 });
    const listing = "file-of-the-first-listing.ts\n".repeat(400);
    const [, first] = await session.append(...call(0, listing));
    for (let n = 1; n < 30; n++) await session.append(...call(n, `line ${n}\n`.repeat(1500)));
    expect((await session.prune()).status).toBe("pruned");
    const { messages } = await session.context();
    const at = messages.findIndex(({ entryId }) => entryId === first?.id);
    expect(messages[at]?.message).toMatchObject({
      content: [{ text: expect.stringMatching(/^\[Output truncated - \d+ tokens/) }],
    });
    expect(messages[at - 1]?.message).toMatchObject({ content: [{ name: "bash", arguments: { command: "ls 0" } }] });
    expect(JSON.stringify(await session.recall({ entryId: first?.id ?? "" }))).toContain(
      "file-of-the-first-listing.ts",
    );
  });

  it("[LC-11] every request for a summary says to write in the user's language", () => {
    const kinds: SummaryKind[] = ["history", "turn-prefix", "branch", "short"];
    for (const kind of kinds) {
      for (const previousSummary of [undefined, "## Goal\nVelho."]) {
        const request = { kind, messages: [], maxTokens: 100, ...(previousSummary && { previousSummary }) };
        expect(summaryPrompt(request).systemPrompt, kind).toContain("in the language that the user writes in");
      }
    }
  });

  it("[LC-14] /compact again with nothing new stores nothing and erases nothing", async () => {
    const session = await open(SMALL);
    await work(session, 12);
    await compacted(session);
    const [{ messages }, { size }] = [await session.context(), await session.tree()];
    for (let time = 0; time < 3; time++) {
      expect(await session.compact()).toEqual({ status: "skipped", because: "already-compacted" });
    }
    expect((await session.context()).messages).toEqual(messages);
    expect((await session.tree()).size).toBe(size);
  });
});
