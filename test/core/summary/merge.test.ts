import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { prepareCompaction } from "../../../src/core/plan/compaction.ts";
import type { CompactionPlan } from "../../../src/core/plan/plan.ts";
import { mergeSummary, stripEngineParts } from "../../../src/core/summary/merge.ts";
import { shortRequest, summaryRequests, withRestOf } from "../../../src/core/summary/requests.ts";
import { measureContext } from "../../../src/core/trigger/measure.ts";
import { callsTool, chars, compaction, type Draft, pathOf, result, says, settingsOf, user } from "../plan/entries.ts";

const text = "x".repeat(600);
const turns = (count: number): Draft[] => Array.from({ length: count }, () => [user(text), says(text)]).flat();
const steps = (count: number, name = "write"): Draft[] =>
  Array.from({ length: count }, (_, n) => [callsTool(name, { path: `f${n}` }, `c${n}`), result(`c${n}`, text)]).flat();

function planOf(drafts: Draft[], more = {}): CompactionPlan {
  const path = pathOf(...drafts);
  const settings = settingsOf({ contextWindow: 40_000, compaction: { keepRecentTokens: 1000 } });
  const measure = measureContext(projectContext(path), path, { counter: chars });
  const plan = prepareCompaction(path, settings, measure, { counter: chars, ...more });
  if (plan.kind !== "plan") throw new Error(plan.because);
  return plan;
}

const split = () => planOf([...turns(2), user("do"), ...steps(6)]);

describe("requests", () => {
  it("[M5] a split turn asks for history and turn prefix, with the user's focus in both", () => {
    const plan = split();
    const { history, turnPrefix } = summaryRequests(plan, { focus: "the tests", context: ["a"] });
    expect(history).toMatchObject({
      kind: "history",
      focus: "the tests",
      context: ["a"],
      maxTokens: plan.budget.history,
    });
    expect(turnPrefix).toMatchObject({ kind: "turn-prefix", focus: "the tests", maxTokens: plan.budget.prefix });
    expect(history?.messages).toBe(plan.messagesToSummarize);
    expect(turnPrefix?.messages).toBe(plan.turnPrefixMessages);
    expect(summaryRequests(planOf(turns(4))).turnPrefix).toBeNull();
  });

  it("[M10] the history has what the split turn leaves of its tokens", () => {
    const { history, turnPrefix } = summaryRequests(split());
    if (!history || !turnPrefix) throw new Error("no split turn");
    const all = history.maxTokens + turnPrefix.maxTokens;
    const told = "## Original Request\ndo";
    expect(withRestOf(history, turnPrefix, told, chars).maxTokens).toBe(all - chars.count(told));
    expect(withRestOf(history, turnPrefix, "long ".repeat(1e4), chars).maxTokens).toBe(history.maxTokens);
  });

  it("[M10] the previous summary goes in without what the engine had added", () => {
    const details = { readFiles: ["r"], modifiedFiles: [] };
    const previous = compaction("e0", "## Goal\nold\n\n<read-files>\nr\n</read-files>", { details });
    const plan = planOf([...turns(1), previous, ...turns(4)]);
    expect(summaryRequests(plan).history?.previous).toEqual({ summary: "## Goal\nold", details });
  });

  it("[P3] without new history nothing is asked and the previous summary stays", () => {
    const own = { ...compaction("c", "## Goal\nold"), id: "c" };
    const plan = planOf([own, user("do"), ...steps(6)]);
    expect(summaryRequests(plan).history).toBeNull();
    const merged = mergeSummary(plan, { turnPrefix: "## Original Request\ndo" }, chars);
    expect(merged).toMatch(
      /^## Goal\nold\n\n---\n\n\*\*Turn Context \(split turn\):\*\*\n\n## Original Request\ndo\n\n</,
    );
  });

  it("[M11] the short line is asked from the summary and what is kept", () => {
    const plan = planOf(turns(4));
    expect(shortRequest(plan, "## Goal\nx\n\n<read-files>\na\n</read-files>")).toEqual({
      kind: "short",
      messages: [],
      previous: { summary: "## Goal\nx" },
      maxTokens: 512,
      kept: plan.keptMessages,
    });
  });
});

describe("merge", () => {
  it("[M5] history, blank, ---, blank, mark, blank, prefix", () => {
    const merged = mergeSummary(split(), { history: "H", turnPrefix: "P" }, chars);
    expect(merged).toMatch(
      /^H\n\n---\n\n\*\*Turn Context \(split turn\):\*\*\n\nP\n\n<last-user-request entry="e4">\ndo\n<\/last-user-request>\n\n<modified-files>\n/,
    );
  });

  it("[P5] the request of a split turn is restated once through a chain, and not where the summary quotes it", () => {
    const asked = user("Rename foo.\nKeep the alias.");
    const restatedIn = (plan: CompactionPlan, history: string) =>
      mergeSummary(plan, { history, turnPrefix: "P" }, chars).split("<last-user-request").length - 1;
    const plan = planOf([...turns(2), asked, ...steps(6)]);
    const first = mergeSummary(plan, { history: "H", turnPrefix: "P" }, chars);
    const own = { ...compaction("c", first, { details: { espalier: { lastRequest: plan.lastRequest } } }), id: "c" };
    const next = planOf([own, ...steps(8)]);
    expect(next.lastRequest).toEqual({ entryId: "e4", text: "Rename foo.\nKeep the alias." });
    expect(restatedIn(next, first)).toBe(1);
    expect(restatedIn(plan, "## Goal\n> Rename foo.\n> Keep the alias. [#e4]")).toBe(0);
    for (const other of ["> Rename foo. [#e4]", "> Rename foo.\n> Keep the alias. [#e2]", "rename foo [#e4]"]) {
      expect(restatedIn(plan, other)).toBe(1);
    }
    const short = planOf([...turns(2), user("yes"), ...steps(6)]);
    expect(restatedIn(short, 'It said "yes".')).toBe(1);
    expect(restatedIn(short, '- "yes" [#e4]')).toBe(0);
  });

  it("[M5] says so when nothing lies before the split turn", () => {
    const plan = planOf([user("do"), ...steps(6)]);
    expect(mergeSummary(plan, { turnPrefix: "P" }, chars)).toMatch(/^No prior history\.\n\n---\n/);
  });

  it("[M5] the mark stands once, however many turns were split", () => {
    const own = { ...compaction("c", "H\n\n---\n\n**Turn Context (split turn):**\n\nP1"), id: "c" };
    const merged = mergeSummary(planOf([own, user("do"), ...steps(6)]), { turnPrefix: "P2" }, chars);
    expect(merged.split("**Turn Context (split turn):**")).toHaveLength(2);
    expect(merged).toContain("**Earlier Turn Context:**\n\nP1");
  });

  it("[F3] ends with at most 100 files of each kind, then their number; tags never nest", () => {
    const plan = planOf([...turns(1), ...steps(150, "read"), ...steps(3), ...turns(2)]);
    const wide = { ...plan, budget: { ...plan.budget, text: 100_000 } };
    const old = "H\n\n<read-files>\nold\n</read-files>\n\n<modified-files>\nold\n</modified-files>";
    const merged = mergeSummary(wide, { history: old }, chars);
    expect(merged.match(/<read-files>/g)).toHaveLength(1);
    expect(merged).not.toContain("old");
    expect(merged).toMatch(/\n\(47 more\)\n<\/read-files>\n\n<modified-files>\nf0\nf1\nf2\n<\/modified-files>$/);
    expect(plan.details.readFiles).toHaveLength(147);
  });

  it("[M10] the whole text keeps to its budget", () => {
    const items = Array.from({ length: 400 }, (_, n) => `- step ${n} done`).join("\n");
    const long = `## Goal\nwin\n\n## Progress\n### Done\n${items}\n\n### In Progress\n- now`;
    for (const plan of [split(), planOf([...turns(2), ...steps(40, "read"), ...turns(2)])]) {
      const merged = mergeSummary(plan, { history: long, turnPrefix: plan.isSplitTurn ? long : "" }, chars);
      expect(merged.replace(/<last-user-request[\s\S]*request>\n\n/, "").length).toBeLessThanOrEqual(plan.budget.text);
      expect(merged).toContain("## Goal\nwin");
    }
  });

  it("[P5] retain-none restates the last request and open calls word for word", () => {
    const request = "ship *this*,\n\nword for word </x>";
    const plan = planOf([...turns(2), user(request), callsTool("deploy", { to: "prod" }, "o")], {
      mode: "retain-none",
    });
    const merged = mergeSummary(plan, { history: "H" }, chars);
    expect(merged).toBe(
      `H\n\n<last-user-request entry="e4">\n${request}\n</last-user-request>\n\n` +
        `<open-tool-calls>\ndeploy({"to":"prod"}) #e5\n</open-tool-calls>`,
    );
    expect(stripEngineParts(merged)).toBe("H");
  });
});

describe("strip", () => {
  it("[M10] takes out what the engine added, and doing it twice changes nothing", () => {
    const plan = split();
    const merged = mergeSummary(plan, { history: "## Goal\nH", turnPrefix: "P" }, chars);
    const stripped = stripEngineParts(merged);
    expect(stripped).toBe("## Goal\nH\n\n---\n\n**Turn Context (split turn):**\n\nP");
    expect(stripEngineParts(stripped)).toBe(stripped);
    expect(mergeSummary(plan, { history: merged, turnPrefix: "P" }, chars).match(/<modified-files>/g)).toHaveLength(1);
  });

  it("[M10] leaves text alone that only looks like a tag", () => {
    for (const odd of ["we parse <read-files> tags", "<read-files>\nno end", "</read-files>\n<read-files>", ""]) {
      expect(stripEngineParts(odd)).toBe(odd);
    }
  });
});

describe("what the engine adds", () => {
  it("[M10] stands in order, and is taken out again whatever the pinned words hold", () => {
    const plan = split();
    const pinned = "- a\n\n## Goal\n</pinned>\n<read-files>\nx\n</read-files> [#e1]";
    const parts = { history: "## Goal\nnew\n\n## Pinned\n- mine", turnPrefix: "## Original Request\ndo" };
    const merged = mergeSummary(plan, { ...parts, pinned, facts: ["- `a.ts` [#e1]"] }, chars);
    const places = [
      "## Goal\nnew",
      "## Additional Notes",
      "**Turn Context (split turn):**",
      "## Critical Context (from the originals)\n\n- `a.ts` [#e1]",
      `## Pinned\n\n<pinned>\n${pinned}\n</pinned>`,
      "<modified-files>",
    ].map((part) => merged.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    const stripped = stripEngineParts(merged);
    expect(stripped).toBe(
      "## Goal\nnew\n\n## Additional Notes\n- mine\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\ndo",
    );
    expect(stripEngineParts(stripped)).toBe(stripped);
  });
});
