import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { prepareCompaction } from "../../../src/core/plan/compaction.ts";
import { measureContext } from "../../../src/core/trigger/measure.ts";
import { checkCitations, coveredIds } from "../../../src/core/verify/citations.ts";
import { chars, compaction, type Draft, pathOf, says, settingsOf, user } from "../plan/entries.ts";

const covered = new Set(["a1", "b2", "ff-01:2"]);

describe("citations", () => {
  it("[V4] those of covered entries stay, others go and are counted", () => {
    const text = "- one [#a1]\n- two [#zz]\n- three [#b2, #zz, #a1] and more\n- four [#ff-01:2]";
    expect(checkCitations(text, covered)).toEqual({
      text: "- one [#a1]\n- two\n- three [#b2, #a1] and more\n- four [#ff-01:2]",
      kept: 4,
      removed: 2,
    });
  });

  it("[V4] links, attributes and open brackets are no citations", () => {
    for (const text of ["see [#12](https://x.org/12)", "#[derive] [# not", "[#a b]", "[#", "[#a1", "a [\\#zz]"]) {
      expect(checkCitations(text, covered)).toEqual({ text, kept: 0, removed: 0 });
    }
    const many = "[#".repeat(100_000);
    expect(checkCitations(many, covered).text).toBe(many);
  });

  it("[V4] a summary covers what it replaces and what the one before had cited, if that was checked", () => {
    const turns: Draft[] = Array.from({ length: 5 }, () => [user("x".repeat(600)), says("y".repeat(600))]).flat();
    const planOf = (details?: Record<string, unknown>) => {
      const path = pathOf(user("old"), compaction("e0", "- fact [#old1]", { ...(details && { details }) }), ...turns);
      const settings = settingsOf({ contextWindow: 40_000, compaction: { keepRecentTokens: 1000 } });
      const measure = measureContext(projectContext(path), path, { counter: chars });
      const plan = prepareCompaction(path, settings, measure, { counter: chars });
      if (plan.kind !== "plan") throw new Error(plan.because);
      return plan;
    };
    const ours = { citations: { kept: 1, removed: 0 }, espalier: {}, espalierState: { facts: [{ id: "old2" }] } };
    const ids = coveredIds(planOf(ours));
    for (const id of ["old1", "old2", "e0", "e2"]) expect(ids.has(id)).toBe(true);
    expect(ids.has("e11")).toBe(false);
    expect(coveredIds(planOf()).has("old1")).toBe(false);
  });
});
