import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { scriptCounter } from "../../src/core/context/tokens.ts";
import { collectEntriesForBranchSummary, prepareBranchEntries } from "../../src/core/plan/branch.ts";
import { branchMessages } from "../../src/core/plan/branch-messages.ts";
import { treeInputOf } from "../../src/core/session/codec.ts";
import { Tree } from "../../src/core/session/tree.ts";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { pathTo, sessions } from "./sessions.ts";

function treeOf(entries: readonly Parameters<typeof treeInputOf>[0][]): Tree {
  const tree = new Tree();
  for (const entry of entries) tree.add(treeInputOf(entry));
  return tree;
}

describe("branches of random trees", () => {
  it("[B2] what is collected and what is kept are the old path, and nothing of the new path is collected", () => {
    fc.assert(
      fc.property(sessions(), fc.nat(), fc.nat(), ({ entries }, from, to) => {
        const old = entries[from % entries.length]?.id ?? "";
        const next = entries[to % entries.length]?.id ?? "";
        const tree = treeOf(entries);
        const { ids, commonAncestorId } = collectEntriesForBranchSummary(tree, old, next);
        expect([...tree.path(commonAncestorId), ...ids]).toEqual(tree.path(old));
        const onNew = new Set(tree.path(next));
        expect(ids.filter((id) => onNew.has(id))).toEqual([]);
        expect(commonAncestorId === null || onNew.has(commonAncestorId)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("[B3] what goes in is the newest of the branch, in order, within the budget; files don't depend on it", () => {
    fc.assert(
      fc.property(sessions(), fc.nat({ max: 4_000 }), ({ entries, leafId }, budget) => {
        const path = pathTo(entries, leafId);
        const all = branchMessages(path);
        const plan = prepareBranchEntries(path, budget, scriptCounter);
        if (plan.kind === "nothing") {
          expect(all).toEqual([]);
          return;
        }
        expect(plan.messages.length + plan.leftOut).toBe(all.length);
        const newest = all.slice(plan.leftOut).map(({ entryId }) => entryId);
        expect(plan.messages.map(({ entryId }) => entryId)).toEqual(newest);
        expect(plan.tokens).toBeLessThanOrEqual(Math.max(1_024, budget));
        const whole = prepareBranchEntries(path, 1e9, scriptCounter);
        expect(whole).toMatchObject({ details: plan.details, leftOut: 0 });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("navigating through random trees", () => {
  it("[I1, I2, B4] every entry stays, every leaf is acceptable, and what is left is where fromId says", async () => {
    await fc.assert(
      fc.asyncProperty(
        sessions(),
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 5 }),
        async (random, moves) => {
          const { entries } = random;
          const session = await openSession(createMemoryStore({ entries }), { clock: fixedClock() });
          for (const [pick, summarize] of moves) {
            const target = entries[pick % entries.length]?.id ?? null;
            const { status, oldLeafId, summaryEntry } = await session.navigate(target, { summarize });
            expect(status).not.toBe("cancelled");
            if (summaryEntry) {
              expect(summaryEntry.fromId).toBe(oldLeafId ?? "root");
              expect(session.leafId).toBe(summaryEntry.id);
            }
            const { messages } = await session.context();
            expect(anthropicFaults(renderFor("anthropic", messages))).toEqual([]);
            const { entries: path, counts } = await session.explain();
            expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(path.length);
          }
          const stored = new Map<string, unknown>();
          for await (const { entry } of session.store.entries()) stored.set(entry.id, entry);
          for (const entry of entries) expect(stored.get(entry.id)).toBe(entry);
        },
      ),
      { numRuns: 300 },
    );
  });
});
