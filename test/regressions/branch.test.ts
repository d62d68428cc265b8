import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertToLlm } from "../../src/core/context/render.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { type NewEntry, openSession, type Session } from "../../src/index.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { calls, compaction, type Draft, result, says, user } from "../core/plan/entries.ts";
import { HEADER, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
let files = 0;

type Placed = readonly [id: string, parentId: string | null, draft: Draft];

async function open(
  entries: readonly Placed[],
  summary = "Told.",
): Promise<{ file: string; session: Session; asked: () => string[][] }> {
  const file = join(folder, `branch-${++files}.jsonl`);
  const records = entries.map(([id, parentId, draft]) => ({ ...draft, id, parentId, timestamp: HEADER.timestamp }));
  writeFileSync(file, `${[HEADER, ...records].map((record) => JSON.stringify(record)).join("\n")}\n`);
  const summarizer = scriptedSummarizer([summary]);
  const session = await openSession(file, { clock: fixedClock(), summarizer });
  const asked = () => summarizer.requests.map(({ messages }) => messages.map(({ entryId }) => entryId));
  return { file, session, asked };
}

const said = async (session: Session) => (await session.context()).messages.map(({ entryId }) => entryId);
const CHAIN: readonly Placed[] = [
  ["A", null, user("a")],
  ["B", "A", says("b")],
  ["C", "B", user("c")],
  ["D", "C", says("d")],
];

describe("field cases of trees and branches", () => {
  it("[B4] TB-01: a result that comes late goes to the branch of its call", async () => {
    const { session } = await open([...CHAIN, ["E", "D", calls("x")]]);
    await session.navigate("B", { summarize: true });
    const leaf = session.leafId;
    await session.appendAt("E", { role: "toolResult", toolCallId: "x", toolName: "bash", content: [], isError: false });
    expect(session.leafId).toBe(leaf);
    expect(await said(session)).toEqual(["A", "B", leaf]);
    await session.navigate("E");
    expect(convertToLlm((await session.context()).messages).at(-1)).toMatchObject({
      role: "toolResult",
      isError: true,
    });
    await session.close();
  });

  it("[B4] TB-02: a leaf whose call has no result is left and summarised; the other end is whole", async () => {
    const { session, asked } = await open([...CHAIN, ["E", "D", calls("x", "y")], ["F", "E", result("y")]]);
    await session.navigate("B", { summarize: true });
    expect(asked()).toEqual([["C", "D", "E", "E", "F"]]);
    await session.back();
    const roles = convertToLlm((await session.context()).messages).map(({ role }) => role);
    expect(roles.slice(-3)).toEqual(["assistant", "toolResult", "toolResult"]);
    await session.close();
  });

  it("[B4] TB-03: fromId is the old leaf, the parent is the target", async () => {
    const { session } = await open([...CHAIN, ["E", "A", says("e")], ["F", "E", says("f")]]);
    await session.navigate("D");
    const { summaryEntry } = await session.navigate("F", { summarize: true });
    expect(summaryEntry).toMatchObject({ fromId: "D", parentId: "F" });
    expect(session.leafId).toBe(summaryEntry?.id);
    await session.close();
  });

  it("[B4] TB-06: a compaction right after a navigation belongs to the new leaf, also after reopening", async () => {
    const long = "words of a long answer ".repeat(400);
    const { file, session } = await open(
      [
        ["A", null, user("a")],
        ["B", "A", says(long)],
        ["C", "B", user("c")],
        ["D", "C", says(long)],
        ["E", "D", user("e")],
        ["F", "E", says(long)],
      ],
      "## Goal\nShort.",
    );
    const { summaryEntry } = await session.navigate("D", { summarize: true });
    const outcome = await session.compact({ mode: "retain-none" });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(outcome.entry.parentId).toBe(summaryEntry?.id);
    await session.close();
    const again = await openSession(file);
    expect(again.leafId).toBe(outcome.entry.id);
    await again.close();
  });

  it("[S8] TB-07: the leaf outlives the process, the root too, and a summary serves as its marker", async () => {
    for (const target of ["B", null]) {
      for (const summarize of [true, false]) {
        const { file, session } = await open(CHAIN);
        await session.navigate(target, { summarize });
        const [leaf, context] = [session.leafId, await said(session)];
        await session.close();
        const again = await openSession(file);
        expect([again.leafId, await said(again)]).toEqual([leaf, context]);
        await again.close();
      }
    }
  });

  it("[B2] TB-08: what is left is summarised once, forward there is nothing, and siblings stay out", async () => {
    const tree: readonly Placed[] = [
      ...CHAIN,
      ["S", "A", says("a sibling")],
      ["K", "D", compaction("C", "summed up")],
      ["M", "K", { type: "branch_summary", fromId: "S", summary: "of the sibling" } as NewEntry],
    ];
    const { session, asked } = await open(tree);
    await session.navigate("B", { summarize: true });
    expect(asked()).toEqual([["C", "D", "K", "M"]]);
    await session.navigate("B");
    await session.navigate("M", { summarize: true });
    expect(asked()).toHaveLength(1);
    await session.close();
  });

  it("[B4] CI-03: what is stored while a summary is made is never dropped", async () => {
    const { session } = await open(CHAIN);
    const navigation = session.navigate("B", { summarize: true });
    const arrived = await session.append({ role: "user", content: "meanwhile" }).catch(() => []);
    await navigation.catch((error: unknown) => expect(error).toMatchObject({ code: "PLAN_STALE" }));
    const tree = await session.tree();
    const [entry] = arrived as readonly Entry[];
    expect(tree.has(entry?.id ?? "")).toBe(true);
    await session.close();
  });

  it("[B4] AC-05: cancelled half-way, the leaf and the file are as they were", async () => {
    const { session } = await open(CHAIN);
    const abort = new AbortController();
    session.on("branch_summary_start", () => abort.abort());
    const outcome = await session.navigate("C", { summarize: true, signal: abort.signal });
    expect(outcome).toEqual({ status: "cancelled", by: "signal", oldLeafId: "D", newLeafId: "D" });
    expect((await session.tree()).size).toBe(4);
    await session.close();
  });

  it("[B3] SO-04: a branch whose newest output is larger than the window is summarised all the same", async () => {
    const huge: Draft = result("x", "output ".repeat(150_000));
    const { session, asked } = await open([...CHAIN, ["E", "D", calls("x")], ["F", "E", huge]]);
    const { summaryEntry } = await session.navigate("B", { summarize: true });
    expect(asked()).toEqual([["C", "D", "E", "F"]]);
    expect(summaryEntry?.summary).toContain("Told.");
    await session.close();
  });
});
