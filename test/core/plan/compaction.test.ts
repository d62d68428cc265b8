import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { prepareCompaction } from "../../../src/core/plan/compaction.ts";
import { assertPartition } from "../../../src/core/plan/partition.ts";
import type { CompactionMode, CompactionPlan } from "../../../src/core/plan/plan.ts";
import { recut } from "../../../src/core/plan/recut.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { SettingsInput } from "../../../src/core/settings.ts";
import { limits } from "../../../src/core/trigger/decide.ts";
import { measureContext } from "../../../src/core/trigger/measure.ts";
import {
  calls,
  callsTool,
  chars,
  compaction,
  custom,
  type Draft,
  extend,
  label,
  message,
  pathOf,
  result,
  says,
  settingsOf,
  state,
  usage,
  user,
} from "./entries.ts";

const WINDOW = { contextWindow: 20_000, compaction: { reserveTokens: 4000, keepRecentTokens: 2000 } };
const text = (length: number) => "x".repeat(length);

function prepare(path: readonly Entry[], input: SettingsInput = WINDOW, mode?: CompactionMode) {
  const settings = settingsOf(input);
  const measure = measureContext(projectContext(path), path, { counter: chars });
  return prepareCompaction(path, settings, measure, { counter: chars, ...(mode && { mode }) });
}

function planOf(path: readonly Entry[], input?: SettingsInput, mode?: CompactionMode): CompactionPlan {
  const plan = prepare(path, input, mode);
  if (plan.kind !== "plan") throw new Error(`no plan: ${plan.because}`);
  return plan;
}

const turns = (count: number, size = 500): Draft[] =>
  Array.from({ length: count }, (_, n) => [user(`${n} ${text(size)}`), says(`${n} ${text(size)}`)]).flat();

describe("what is considered", () => {
  it("[P1] starts at what the previous compaction had kept", () => {
    const path = pathOf(...turns(4), compaction("e6"), ...turns(4));
    const plan = planOf(path);
    expect(plan.summarizedIds.slice(0, 3)).toEqual(["e6", "e7", "e9"]);
    expect(plan.previous?.id).toBe("e8");
    expect(plan.keptIds).toEqual(["e13", "e14", "e15", "e16"].slice(-plan.keptIds.length));
  });

  it("[P1] passes over entries and messages that are not live", () => {
    const path = pathOf(...turns(6), { type: "context_edit", targetId: "e2", replacement: null });
    const plan = planOf(path);
    expect(plan.summarizedIds).toContain("e2");
    expect(plan.messagesToSummarize.map((source) => source.entryId)).not.toContain("e2");
  });

  it("[P2] every live entry and message is in exactly one part", () => {
    const late = [calls("1"), custom("between"), label("e0"), result("1", text(900))];
    const path = pathOf(...turns(3), ...late, calls("2", "3"), result("3"), state(), user("v"), ...turns(2));
    const plan = planOf(path);
    expect([...plan.summarizedIds, ...plan.turnPrefixIds, ...plan.keptIds]).toEqual(path.map((entry) => entry.id));
    const parts = [...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...plan.keptMessages];
    expect(parts).toEqual(projectContext(path).messages);
    expect(parts.some((source) => source.synthetic)).toBe(true);
  });

  it("[P2] the assertion names the entry at which a plan is no partition", () => {
    const path = pathOf(...turns(6));
    const plan = planOf(path);
    const ids = path.map((entry) => entry.id);
    const messages = [...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...plan.keptMessages];
    expect(assertPartition(plan, ids, messages)).toBe(plan);
    const broken = [
      { ...plan, keptIds: plan.keptIds.slice(1) },
      { ...plan, turnPrefixIds: ["e0", ...plan.turnPrefixIds] },
      { ...plan, keptMessages: plan.keptMessages.slice(1) },
      { ...plan, keptMessages: [...plan.keptMessages, ...plan.keptMessages] },
    ];
    for (const fault of broken) {
      expect(() => assertPartition(fault, ids, messages)).toThrow(expect.objectContaining({ code: "PLAN_INVALID" }));
    }
  });

  it("[X3] system messages are in no part and lead the next context", () => {
    const path = pathOf(message({ role: "system", content: "be brief" }), ...turns(6));
    const plan = planOf(path);
    const parts = [...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...plan.keptMessages];
    expect(parts.some((source) => source.message.role === "system")).toBe(false);
    expect(plan.systemMessage?.content).toBe("be brief");
    expect(plan.tokens.system).toBeGreaterThan(0);
  });
});

describe("split turns", () => {
  const long = [
    user("do it"),
    ...Array.from({ length: 8 }, (_, n) => [calls(`c${n}`), result(`c${n}`, text(500))]).flat(),
  ];

  it("[C5] a cut inside a turn puts its beginning into the prefix", () => {
    const plan = planOf(pathOf(...turns(2), ...long));
    expect(plan.isSplitTurn).toBe(true);
    expect(plan.turnPrefixIds[0]).toBe("e4");
    expect(plan.summarizedIds).toEqual(["e0", "e1", "e2", "e3"]);
    expect(plan.budget.prefix).toBeGreaterThan(0);
  });

  it("[P3] a split turn right after a compaction has the previous summary as its history", () => {
    const plan = planOf(pathOf(...turns(1), compaction("e2", "## Goal\nold", { id: "e2" } as never), ...long));
    expect(plan.previous?.summary).toBe("## Goal\nold");
    expect(plan.messagesToSummarize).toEqual([]);
    expect(plan.turnPrefixMessages.length).toBeGreaterThan(0);
  });
});

describe("nothing to do", () => {
  it("[P4] says why", () => {
    expect(prepare([])).toEqual({ kind: "nothing", because: "too-small" });
    expect(prepare(pathOf(...turns(1)))).toEqual({ kind: "nothing", because: "too-small" });
    expect(prepare(pathOf(...turns(6), compaction("e10")))).toEqual({ kind: "nothing", because: "already-compacted" });
    expect(prepare(pathOf(...turns(6), compaction("e12")))).toEqual({ kind: "nothing", because: "already-compacted" });
    expect(prepare(pathOf(user(text(3000))))).toEqual({ kind: "nothing", because: "nothing-before-cut" });
  });

  it("[P4] entries that say nothing don't undo already-compacted", () => {
    const path = pathOf(...turns(6), compaction("e10"), label("e10"), state());
    expect(prepare(path)).toEqual({ kind: "nothing", because: "already-compacted" });
  });

  it("[C3] over the threshold the budget halves until something can go", () => {
    const path = pathOf(...turns(2), says("u", { usage: usage(19_000) }));
    expect(prepare(pathOf(...turns(2)), { ...WINDOW, compaction: { keepRecentTokens: 4000 } }).kind).toBe("nothing");
    const plan = planOf(path, { ...WINDOW, compaction: { keepRecentTokens: 4000 } });
    expect(plan.summarizedIds.length).toBeGreaterThan(0);
    expect(plan.tokensBefore).toBe(19_000);
  });

  it("[C3] trailing results above the budget still leave something to compact", () => {
    const path = pathOf(...turns(1, 4000), user("read"), calls("1", "2"), result("1", text(3000)), result("2"));
    const plan = planOf(path);
    expect(plan.keptIds).toEqual(["e3", "e4", "e5"]);
    expect(plan.turnPrefixIds).toEqual(["e2"]);
  });
});

describe("budgets", () => {
  it("[C6] keeps less where the provider counts more than we do", () => {
    const half = (first: number, second: number) =>
      pathOf(
        user("u"),
        says("a", { usage: usage(first) }),
        ...turns(6),
        says("b", { usage: usage(second) }),
        ...turns(6),
      );
    const even = planOf(half(100, 6250));
    const dense = planOf(half(100, 12_400));
    expect(dense.tokens.kept).toBeLessThan(even.tokens.kept * 0.7);
  });

  it("[T3] all parts together land under 80 % of the threshold, from small windows to large", () => {
    for (const contextWindow of [4096, 8192, 20_000, 60_000, 200_000]) {
      const settings = settingsOf({ contextWindow });
      const path = pathOf(
        message({ role: "system", content: text(Math.floor(contextWindow / 10)) }),
        ...turns(40, Math.floor(contextWindow / 60)),
      );
      const { tokens, budget, isSplitTurn } = planOf(path, { contextWindow });
      const after = tokens.system + tokens.kept + budget.text;
      expect(after).toBeLessThan(limits(settings).target);
      expect(budget.text).toBeLessThanOrEqual(0.8 * limits(settings).reserve);
      expect(budget.history + budget.prefix + budget.files).toBe(budget.text);
      expect(budget.prefix > 0).toBe(isSplitTurn);
      expect(budget.prefix).toBeLessThanOrEqual(0.5 * limits(settings).reserve);
    }
  });

  it("[T3] keeps less when one kept message would fill the target", () => {
    const path = pathOf(...turns(8), user(text(12_000)), says("done"));
    const plan = planOf(path, WINDOW);
    expect(plan.keptIds).toEqual(["e17"]);
    expect(plan.turnPrefixIds).toEqual(["e16"]);
  });
});

describe("retain-none", () => {
  it("[P5] keeps no entry and restates the last request and the open calls", () => {
    const open = callsTool("deploy", { to: "prod" }, "c1");
    const plan = planOf(pathOf(...turns(2), user("ship it, please"), open), WINDOW, "retain-none");
    expect(plan).toMatchObject({ mode: "retain-none", firstKeptEntryId: null, keptIds: [], keptMessages: [] });
    expect(plan.lastRequest).toEqual({ entryId: "e4", text: "ship it, please" });
    expect(plan.openCalls).toEqual([{ entryId: "e5", name: "deploy", arguments: { to: "prod" } }]);
    expect(plan.turnPrefixIds).toEqual([]);
  });

  it("[P5] an answered call is not open", () => {
    const plan = planOf(pathOf(...turns(1), user("x"), calls("1"), result("1")), WINDOW, "retain-none");
    expect(plan.openCalls).toBeUndefined();
  });

  it("[P5] a request restated before is restated again until there is a newer one", () => {
    const details = { espalier: { lastRequest: { entryId: "e0", text: "the first wish" } } };
    const own = { ...compaction("e1", "old", { details }), id: "e1" };
    const path = pathOf(user("the first wish"), own, says("working"), says(text(300)));
    expect(planOf(path, WINDOW, "retain-none").lastRequest?.text).toBe("the first wish");
    const work = extend(path, ...Array.from({ length: 40 }, () => says("work ".repeat(200))));
    expect(planOf(work, WINDOW).lastRequest?.text).toBe("the first wish");
    expect(planOf(extend(work, user("the second")), WINDOW).lastRequest).toBeUndefined();
    const more = extend(work, user("the second"), ...Array.from({ length: 40 }, () => says("work ".repeat(200))));
    expect(planOf(more, WINDOW).lastRequest?.text).toBe("the second");
    expect(planOf(extend(path, user("the second"), says("yes")), WINDOW, "retain-none").lastRequest?.text).toBe(
      "the second",
    );
  });

  it("[P5, V6] what a program put into the request is not restated as the user's", () => {
    const asked = "ship it\n<system-reminder>Never ship.</system-reminder>";
    const path = pathOf(...turns(2), user(asked), ...Array.from({ length: 20 }, () => says(text(300))));
    expect(planOf(path).lastRequest).toEqual({ entryId: "e4", text: "ship it" });
    expect(planOf(path, WINDOW, "retain-none").lastRequest?.text).toBe("ship it");
  });

  it("[P5] a request as large as the window leaves a plan that lands, with room for a summary", () => {
    const path = pathOf(...turns(2), user(text(11_000)), ...Array.from({ length: 20 }, () => says(text(300))));
    const { lastRequest, budget, tokens } = planOf(path);
    expect(lastRequest?.text).toHaveLength(11_000);
    expect(tokens.kept + budget.restated + budget.text).toBeLessThan(limits(settingsOf(WINDOW)).target);
    expect(budget.text).toBeGreaterThan(100);
  });

  it("[K4, P5] a boundary that a hook chose decides anew whether the request is kept", () => {
    const path = pathOf(...turns(2), user("ship it"), ...Array.from({ length: 20 }, () => says(text(300))));
    const plan = planOf(path);
    expect(plan.lastRequest?.text).toBe("ship it");
    expect(recut(plan, "e4")?.lastRequest).toBeUndefined();
    expect(recut(plan, "e20")?.lastRequest?.text).toBe("ship it");
  });

  it("[P5] is what the settings say unless asked otherwise", () => {
    const input = { ...WINDOW, compaction: { mode: "retain-none" } };
    expect(planOf(pathOf(...turns(3)), input).mode).toBe("retain-none");
    expect(prepare(pathOf(...turns(1)), input, "keep-recent")).toMatchObject({ because: "too-small" });
  });
});
