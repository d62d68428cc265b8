import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { findCutPoint } from "../../../src/core/plan/cut-point.ts";
import { spanOf } from "../../../src/core/plan/span.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { Message } from "../../../src/core/session/message.ts";
import {
  bash,
  calls,
  compaction,
  custom,
  type Draft,
  label,
  message,
  pathOf,
  result,
  says,
  state,
  user,
} from "./entries.ts";

/** Every message costs 10, whatever it says; a text of digits costs that. */
const sizeOf = (message: Message): number => {
  const text = JSON.stringify("content" in message ? message.content : "");
  return Number(/\d+/.exec(text)?.[0] ?? 10);
};
const placesOf = (path: readonly Entry[]) => spanOf(projectContext(path), sizeOf);
const cutOf = (keep: number, ...drafts: Draft[]) => findCutPoint(placesOf(pathOf(...drafts)), keep);

describe("valid cut points", () => {
  it("[C1] allows a cut at every role and entry type that the rule names, and at no other", () => {
    const cuttable: Draft[] = [
      user("u"),
      says("a"),
      bash("ls"),
      message({ role: "pythonExecution", code: "1", output: "1" }),
      message({ role: "fileMention", files: [{ path: "a", content: "b" }] }),
      message({ role: "custom", customType: "x", content: "c" }),
      message({ role: "branchSummary", summary: "s", fromId: "root" }),
      message({ role: "compactionSummary", summary: "s", tokensBefore: 1 }),
      custom("m"),
      { type: "branch_summary", fromId: "root", summary: "s" },
    ];
    const path = pathOf(
      ...cuttable,
      message({ role: "developer", content: "d" }),
      calls("1"),
      result("1"),
      label("e0"),
    );
    const valid = placesOf(path).flatMap((place, index) => (place.cuttable ? [index] : []));
    expect(valid).toEqual([...cuttable.keys(), 11]);
  });

  it("[C2] never cuts at a tool result", () => {
    const cut = cutOf(15, user("u"), calls("1", "2"), result("1"), result("2"), says("end"));
    expect(cut).toEqual({ firstKept: 4, turnStart: 0 });
  });

  it("[C2] never cuts between a call and its results when other entries were appended between", () => {
    const drafts = [user("u"), says("x"), calls("1"), custom("late"), bash("pwd"), user("more"), result("1")];
    const valid = placesOf(pathOf(...drafts)).map((place) => place.cuttable);
    expect(valid).toEqual([true, true, true, false, false, false, false]);
  });

  it("[C2] a call without a result binds nothing", () => {
    const valid = placesOf(pathOf(user("u"), calls("1"), user("v"), says("x"))).map((place) => place.cuttable);
    expect(valid).toEqual([true, true, true, true]);
  });
});

describe("the walk", () => {
  const turns = [user("u"), says("a"), user("u"), says("a"), user("u"), says("a")];

  it("[C3] cuts at the first valid point at or after the entry that reaches the budget", () => {
    expect(cutOf(20, ...turns)?.firstKept).toBe(4);
    expect(cutOf(21, ...turns)?.firstKept).toBe(3);
    expect(cutOf(10, ...turns)?.firstKept).toBe(5);
  });

  it("[C3] goes to the nearest valid point before when the newest results alone reach it", () => {
    const cut = cutOf(2000, user("u"), says("a"), user("v"), calls("1", "2"), result("1", "3000"), result("2"));
    expect(cut).toEqual({ firstKept: 3, turnStart: 2 });
  });

  it("[C3] a budget that is never reached gives no cut", () => {
    expect(cutOf(61, ...turns)).toBeNull();
    expect(cutOf(60, ...turns)).toEqual({ firstKept: 0, turnStart: 0 });
    expect(findCutPoint([], 1)).toBeNull();
  });

  it("[C3] counts every role, custom messages and branch summaries too", () => {
    expect(cutOf(500, user("u"), says("a"), custom("600"), user("v"))?.firstKept).toBe(2);
  });

  it("[C4] metadata right before the cut moves to the kept side, content does not", () => {
    const drafts = [user("u"), says("a"), custom("note"), label("e0"), state(), user("v"), says("b")];
    expect(cutOf(20, ...drafts)).toEqual({ firstKept: 3, turnStart: 3 });
  });

  it("[C4] an older compaction is no metadata", () => {
    const path = pathOf(
      user("u"),
      says("a"),
      compaction("e0"),
      user("v"),
      says("b"),
      compaction("e1"),
      user("w"),
      says("c"),
    );
    expect(findCutPoint(placesOf(path), 40)?.firstKept).toBe(2);
  });
});

describe("turns", () => {
  it("[C5] a cut at a turn start splits nothing, whatever starts the turn", () => {
    for (const start of [
      user("v"),
      bash("ls"),
      custom("m"),
      { type: "branch_summary", fromId: "root", summary: "s" } as Draft,
    ]) {
      expect(cutOf(20, user("u"), says("a"), start, says("b"))).toEqual({ firstKept: 2, turnStart: 2 });
    }
  });

  it("[C5] a cut inside a turn splits it at the turn's start", () => {
    expect(cutOf(10, user("u"), says("a"), user("v"), says("b"), says("c"))).toEqual({ firstKept: 4, turnStart: 2 });
  });

  it("[C5] with no turn start in the span everything before the cut is history", () => {
    const path = pathOf(user("u"), says("a"), compaction("e1"), says("b"), says("c"));
    const cut = findCutPoint(placesOf(path), 10);
    expect(cut).toEqual({ firstKept: 2, turnStart: 2 });
  });

  it("[C2] a turn is not split where its start stands between a call and its results", () => {
    const drafts = [user("u"), calls("1"), custom("between"), result("1"), says("b"), says("c")];
    expect(cutOf(10, ...drafts)).toEqual({ firstKept: 5, turnStart: 0 });
  });
});
