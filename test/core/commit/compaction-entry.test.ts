import { describe, expect, it } from "vitest";
import { compactionEntry } from "../../../src/core/commit/compaction-entry.ts";
import { checkPlanFresh } from "../../../src/core/commit/fresh.ts";
import { projectContext } from "../../../src/core/context/project.ts";
import { prepareCompaction } from "../../../src/core/plan/compaction.ts";
import type { CompactionMode, CompactionPlan } from "../../../src/core/plan/plan.ts";
import { type Entry, LEAF_MARKER, REDO_MARKER, UNDO_MARKER } from "../../../src/core/session/entry.ts";
import { measureContext } from "../../../src/core/trigger/measure.ts";
import {
  chars,
  compaction,
  type Draft,
  extend,
  label,
  message,
  pathOf,
  says,
  settingsOf,
  state,
  user,
} from "../plan/entries.ts";

const text = "x".repeat(600);
const turns = (count: number): Draft[] => Array.from({ length: count }, () => [user(text), says(text)]).flat();
const stamp = { id: "new1", timestamp: "2026-02-03T04:05:06.000Z" };

function planOf(path: readonly Entry[], mode?: CompactionMode): CompactionPlan {
  const settings = settingsOf({ contextWindow: 40_000, compaction: { keepRecentTokens: 1000 } });
  const measure = measureContext(projectContext(path), path, { counter: chars });
  const plan = prepareCompaction(path, settings, measure, { counter: chars, ...(mode && { mode }) });
  if (plan.kind !== "plan") throw new Error(plan.because);
  return plan;
}

describe("entry", () => {
  it("[K1] says all that the plan and the summary know", () => {
    const system = { role: "system", content: "be brief" } as const;
    const model: Draft = { type: "model_change", provider: "p", modelId: "m" };
    const level: Draft = { type: "thinking_level_change", thinkingLevel: "high" };
    const path = pathOf(message(system), model, level, ...turns(4));
    const plan = planOf(path);
    const entry = compactionEntry({
      plan,
      summary: "S",
      shortSummary: "s",
      stamp,
      parentId: plan.leafId,
      tokensAfter: 42,
      method: "extractive",
      details: { state: 1, readFiles: ["wrong"] },
      preserveData: { a: 1 },
    });
    expect(entry).toEqual({
      type: "compaction",
      ...stamp,
      parentId: "e10",
      summary: "S",
      shortSummary: "s",
      firstKeptEntryId: plan.keptIds[0],
      tokensBefore: plan.tokensBefore,
      tokensAfter: 42,
      details: {
        state: 1,
        readFiles: [],
        modifiedFiles: [],
        espalier: { model: { provider: "p", modelId: "m" }, thinkingLevel: "high" },
      },
      preserveData: { a: 1 },
      fromExtension: false,
      fromHook: false,
      systemMessage: system,
      method: "extractive",
    });
    const after = projectContext([...path, entry]);
    expect(after.compaction?.id).toBe("new1");
    expect(after.messages.map((source) => source.entryId)).toEqual(["new1", "new1", ...plan.keptIds]);
  });

  it("[K1] carries on the previous entry's preserveData under the new one's", () => {
    const plan = planOf(pathOf(...turns(2), compaction("e2", "old", { preserveData: { a: 1, b: 1 } }), ...turns(3)));
    const entry = compactionEntry({ plan, summary: "S", stamp, parentId: null, method: "llm", preserveData: { b: 2 } });
    expect(entry.preserveData).toEqual({ a: 1, b: 2 });
  });

  it("[K2] retain-none keeps from the first entry that arrived meanwhile, else nothing", () => {
    const plan = planOf(pathOf(...turns(3)), "retain-none");
    const facts = { plan, summary: "S", stamp, parentId: null, method: "llm" } as const;
    expect(compactionEntry(facts).firstKeptEntryId).toBe("new1");
    expect(compactionEntry({ ...facts, arrived: [] }).firstKeptEntryId).toBe("new1");
    expect(compactionEntry({ ...facts, arrived: ["x", "y"] }).firstKeptEntryId).toBe("x");
  });
});

describe("fresh", () => {
  const path = pathOf(...turns(4));
  const plan = planOf(path);
  const PLAN_STALE = expect.objectContaining({ code: "PLAN_STALE" });

  it("[K2] a plan stays valid while entries are only added", () => {
    expect(checkPlanFresh(plan, path)).toEqual([]);
    const edit: Draft = { type: "context_edit", targetId: "e8", replacement: null };
    const later = extend(path, user("v"), edit, label("e0"), state(LEAF_MARKER));
    expect(checkPlanFresh(plan, later)).toEqual(["e8", "e9", "e10", "e11"]);
  });

  it("[K2] a plan is stale once its leaf has left the path", () => {
    expect(() => checkPlanFresh(plan, path.slice(0, -1))).toThrow(PLAN_STALE);
    expect(() => checkPlanFresh(plan, [])).toThrow(PLAN_STALE);
  });

  it("[K2] a plan is stale after a compaction, an undo, a redo or an edit of a planned entry", () => {
    const edits: Draft[] = ["e0", "e7"].map((targetId) => ({ type: "context_edit", targetId, replacement: null }));
    for (const change of [compaction("e4"), state(UNDO_MARKER), state(REDO_MARKER), ...edits]) {
      expect(() => checkPlanFresh(plan, extend(path, user("v"), change))).toThrow(PLAN_STALE);
    }
  });
});
