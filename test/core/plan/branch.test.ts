import { describe, expect, it } from "vitest";
import { estimateMessage, scriptCounter } from "../../../src/core/context/tokens.ts";
import { branchBudget, collectEntriesForBranchSummary, prepareBranchEntries } from "../../../src/core/plan/branch.ts";
import { transcriptTokens } from "../../../src/core/plan/transcript-size.ts";
import { truncateMessage } from "../../../src/core/plan/truncate.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { Tree } from "../../../src/core/session/tree.ts";
import { serializeConversation } from "../../../src/core/summary/transcript.ts";
import {
  calls,
  callsTool,
  chars,
  compaction,
  type Draft,
  extend,
  message,
  pathOf,
  result,
  says,
  settingsOf,
  state,
  user,
} from "./entries.ts";

function treeOf(parents: Record<string, string | null>): Tree {
  const tree = new Tree();
  for (const [id, parentId] of Object.entries(parents)) tree.add({ id, parentId, type: "message" });
  return tree;
}

const EXAMPLE = treeOf({ A: null, B: "A", C: "B", D: "C", E: "A", F: "E" });
const branchSummary = (summary: string, more: object = {}): Draft =>
  ({ type: "branch_summary", fromId: "x", summary, ...more }) as Draft;
const edit = (targetId: string, content: string | null): Draft => ({
  type: "context_edit",
  targetId,
  replacement: content === null ? null : { content },
});

function idsOf(entries: readonly Entry[], budget = 100_000, before: readonly Entry[] = []): string[] {
  const plan = prepareBranchEntries(entries, budget, chars, before);
  return plan.kind === "branch" ? plan.messages.map(({ entryId }) => entryId) : [];
}

function planOf(entries: readonly Entry[], budget = 100_000) {
  const plan = prepareBranchEntries(entries, budget, chars);
  if (plan.kind !== "branch") throw new Error(plan.kind);
  return plan;
}

describe("collectEntriesForBranchSummary", () => {
  it("[B2] goes from the old leaf to the deepest common ancestor", () => {
    const collect = (from: string | null, to: string | null) => collectEntriesForBranchSummary(EXAMPLE, from, to);
    expect(collect("D", "F")).toEqual({ ids: ["B", "C", "D"], commonAncestorId: "A" });
    expect(collect("F", "D")).toEqual({ ids: ["E", "F"], commonAncestorId: "A" });
    expect(collect("D", "B")).toEqual({ ids: ["C", "D"], commonAncestorId: "B" });
    expect(collect("B", "D")).toEqual({ ids: [], commonAncestorId: "B" });
    expect(collect("D", null)).toEqual({ ids: ["A", "B", "C", "D"], commonAncestorId: null });
    expect(collect(null, "D")).toEqual({ ids: [], commonAncestorId: null });
    expect(collect("nobody", "D")).toEqual({ ids: [], commonAncestorId: null });
  });

  it("[B2] takes a branch of 100,000 entries, and trees with cycles and two roots", () => {
    const tree = new Tree();
    for (let n = 0; n <= 100_000; n++) tree.add({ id: `${n}`, parentId: n === 0 ? null : `${n - 1}`, type: "message" });
    tree.add({ id: "side", parentId: "0", type: "message" });
    const { ids } = collectEntriesForBranchSummary(tree, "100000", "side");
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100_000, "1", "100000"]);
    const odd = treeOf({ A: "B", B: "A", C: "B", R: null });
    expect(collectEntriesForBranchSummary(odd, "C", "R")).toEqual({ ids: ["A", "B", "C"], commonAncestorId: null });
  });
});

describe("branchBudget", () => {
  it("[B3] leaves the reserve of the window free, and never less than 1,024 for the entries", () => {
    const budgetOf = (contextWindow: number, reserveTokens = 16_384) =>
      branchBudget(settingsOf({ contextWindow, branchSummary: { reserveTokens } }));
    expect(budgetOf(200_000)).toEqual({ entries: 183_616, reply: 13_107 });
    expect(budgetOf(8_000).entries).toBe(1_024);
    expect(budgetOf(8_000).reply).toBe(1_600);
  });
});

describe("prepareBranchEntries", () => {
  it("[B3] gives nothing where nothing was said", () => {
    expect(prepareBranchEntries([], 5_000, chars)).toEqual({ kind: "nothing" });
    const quiet = pathOf(state(), { type: "label", targetId: "e0", label: "x" }, user("  "), branchSummary(" "));
    expect(prepareBranchEntries(quiet, 5_000, chars)).toEqual({ kind: "nothing" });
  });

  it("[B3] shows entries as the projection does: edited, failed attempts out, system messages out", () => {
    const path = pathOf(
      message({ role: "system", content: "be good" }),
      user("one"),
      says("broken", { stopReason: "error" }),
      calls("1"),
      result("1", "long output"),
      user("gone"),
      edit("e4", "[pruned]"),
      edit("e5", null),
    );
    const { messages } = planOf(path);
    expect(messages.map(({ entryId }) => entryId)).toEqual(["e1", "e3", "e4"]);
    expect(serializeConversation(messages)).toContain("[pruned]");
    expect(serializeConversation(messages)).not.toContain("long output");
  });

  it("[B3] keeps a result whose call stands right before the branch", () => {
    const path = pathOf(user("go"), callsTool("write", { path: "a.ts" }, "1"), result("1", "found"), says("done"));
    expect(idsOf(path.slice(2))).toEqual(["e3"]);
    expect(idsOf(path.slice(2), 100_000, path.slice(1, 2))).toEqual(["e2", "e3"]);
    const plan = prepareBranchEntries(path.slice(2), 5_000, chars, path.slice(1, 2));
    expect(plan).toMatchObject({ details: { modifiedFiles: ["a.ts"] } });
  });

  it("[B3] puts compactions in as their summaries where they stand, once, and not those that were undone", () => {
    const path = pathOf(
      user("one"),
      compaction("e0", "first summary", { details: { readFiles: ["first.ts"] } }),
      user("two"),
      compaction("e2", "second summary", { details: { readFiles: ["second.ts"] } }),
      state("espalier.undo", { compactionId: "e3" }),
      user("three"),
    );
    expect(idsOf(path)).toEqual(["e0", "e1", "e2", "e5"]);
    expect(planOf(path).details.readFiles).toEqual(["first.ts"]);
    const redone = extend(path, state("espalier.redo", { compactionId: "e3" }));
    expect(idsOf(redone)).toEqual(["e0", "e1", "e2", "e3", "e5"]);
  });

  it("[B3] takes the newest that fit, tool results too", () => {
    const path = pathOf(user("u".repeat(600)), calls("1"), result("1", "r".repeat(500)), says("s".repeat(400)));
    expect(idsOf(path, 1_024)).toEqual(["e1", "e2", "e3"]);
    expect(planOf(path, 1_024)).toMatchObject({ leftOut: 1 });
  });

  it("[B3, M2] sizes a tool result as the transcript shows it", () => {
    const path = pathOf(user("go"), calls("1"), result("1", "r".repeat(90_000)), says("done"));
    expect(idsOf(path, 5_000)).toEqual(["e0", "e1", "e2", "e3"]);
    const { messages, tokens } = planOf(path, 5_000);
    expect(serializeConversation(messages).match(/left out/g)).toHaveLength(1);
    expect(tokens).toBeLessThan(2_400);
  });

  it("[B3] cuts a summary at the edge to what remains, while under nine tenths are used", () => {
    const edge = (used: number) =>
      pathOf(user("old"), branchSummary(`${"s".repeat(3_000)} end`), says("a".repeat(used)));
    const { messages, tokens } = planOf(edge(400), 1_100);
    expect(messages.map(({ entryId }) => entryId)).toEqual(["e1", "e2"]);
    expect(tokens).toBeLessThanOrEqual(1_100);
    expect(serializeConversation(messages)).toContain("sss");
    expect(idsOf(edge(1_000), 1_100)).toEqual(["e2"]);
    // Anything else at the edge ends it.
    expect(idsOf(pathOf(user("u".repeat(2_000)), says("a".repeat(400))), 1_100)).toEqual(["e1"]);
  });

  it("[B3] cuts a newest message that is too large alone, and asks for it", () => {
    const { messages, tokens } = planOf(pathOf(user("before"), user("x".repeat(50_000))), 1_024);
    expect(messages.map(({ entryId }) => entryId)).toEqual(["e1"]);
    expect(tokens).toBeLessThanOrEqual(1_024);
    expect(tokens).toBeGreaterThan(700);
    expect(planOf(pathOf(user("x".repeat(50_000))), Number.NaN).tokens).toBeLessThanOrEqual(1_024);
  });

  it("[B3, F2] lists the files of all entries, whatever the budget was, and of summaries that are ours", () => {
    const path = pathOf(
      callsTool("read", { path: "old.ts" }, "1"),
      result("1", "r".repeat(2_000)),
      branchSummary("ours", { details: { modifiedFiles: ["nested.ts"] } }),
      branchSummary("theirs", { details: { modifiedFiles: ["theirs.ts"] }, fromExtension: true }),
      user("u".repeat(900)),
    );
    const plan = planOf(path, 1_024);
    expect(plan.messages.map(({ entryId }) => entryId)).not.toContain("e1");
    expect(plan.details).toEqual({ readFiles: ["old.ts"], modifiedFiles: ["nested.ts"] });
  });
});

describe("truncateMessage", () => {
  const long = "字🙂 word ".repeat(4_000);
  const MESSAGES: readonly Message[] = [
    { role: "user", content: long },
    { role: "developer", content: long },
    {
      role: "custom",
      customType: "note",
      content: [
        { type: "text", text: long },
        { type: "text", text: long },
      ],
    },
    { role: "toolResult", toolCallId: "1", toolName: "bash", isError: false, content: [{ type: "text", text: long }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: long },
        { type: "text", text: long },
        { type: "toolCall", id: "1", name: "write", arguments: { path: "a.ts", content: long, deep: { long } } },
      ],
    },
    { role: "bashExecution", command: `cat ${long}`, output: long },
    { role: "pythonExecution", code: long, output: long },
    { role: "fileMention", files: [{ path: "a.ts", content: long }, { path: "b.ts" }] },
    { role: "branchSummary", summary: long, fromId: "x" },
    { role: "compactionSummary", summary: long, tokensBefore: 1 },
  ];

  it.each(MESSAGES)("[B3, X6] cuts a $role to the budget, between graphemes, and nothing is cut twice", (given) => {
    for (const budget of [200, 1_024]) {
      const short = truncateMessage(given, budget, scriptCounter);
      expect(short.role).toBe(given.role);
      expect(transcriptTokens(short, scriptCounter)).toBeLessThanOrEqual(budget);
      const text = serializeConversation([{ entryId: "", message: short }]);
      expect(text).not.toMatch(/\p{Surrogate}/u);
      expect(text).toContain("word");
      expect(text).not.toMatch(/left out[^\]]*left out \.\.\.\]\n[^[]*\[\.\.\./);
    }
    expect(estimateMessage(given, scriptCounter)).toBeGreaterThan(1_024);
  });
});
