import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compactionEntry } from "../../src/core/commit/compaction-entry.ts";
import { checkPlanFresh } from "../../src/core/commit/fresh.ts";
import { toolCallsOf } from "../../src/core/context/blocks.ts";
import { projectContext } from "../../src/core/context/project.ts";
import type { ContextMessage, Projection } from "../../src/core/context/projection.ts";
import { estimateContext } from "../../src/core/context/tokens.ts";
import { prepareCompaction } from "../../src/core/plan/compaction.ts";
import type { CompactionMode, CompactionPlan, Preparation } from "../../src/core/plan/plan.ts";
import { spanOf } from "../../src/core/plan/span.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { mergeSummary } from "../../src/core/summary/merge.ts";
import { summaryRequests } from "../../src/core/summary/requests.ts";
import { limits } from "../../src/core/trigger/decide.ts";
import { measureContext } from "../../src/core/trigger/measure.ts";
import {
  bash,
  calls,
  chars,
  custom,
  type Draft,
  extend,
  label,
  message,
  result,
  says,
  settingsOf,
  state,
  usage,
  user,
} from "../core/plan/entries.ts";

/** One thing that happens to a session. `call` is answered by `answers` of its calls, `late` of them after what follows. */
type Step =
  | { readonly do: "add"; readonly draft: Draft }
  | {
      readonly do: "call";
      readonly count: number;
      readonly answers: number;
      readonly late: number;
      readonly size: number;
    }
  | { readonly do: "edit"; readonly back: number; readonly omit: boolean }
  | { readonly do: "compact"; readonly mode: CompactionMode; readonly keep: number; readonly reply: number };

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2000, max: 9000 }) },
);
const text = size.map((length) => "t".repeat(length));

const add: fc.Arbitrary<Step> = fc
  .oneof(
    text.map(user),
    text.map((t) => says(t)),
    text.map((t) => says(t, { usage: usage(t.length * 20) })),
    text.map((t) => says(t, { stopReason: "aborted" })),
    text.map((t) => bash("ls", t)),
    text.map(custom),
    text.map((t): Draft => ({ type: "branch_summary", fromId: "root", summary: t })),
    text.map((t) => message({ role: "developer", content: t })),
    text.map((t) => message({ role: "system", content: t.slice(0, 50) })),
    text.map((t) => message({ role: "bashExecution", command: "ls", output: t, excludeFromContext: true })),
    fc.constant(result("nobody", "orphan")),
    fc.constant(label("e0")),
    fc.constant(state()),
    fc.constant<Draft>({ type: "model_change", provider: "p", modelId: "m" }),
  )
  .map((draft) => ({ do: "add", draft }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: add },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      count: fc.integer({ min: 1, max: 4 }),
      answers: fc.integer({ min: 0, max: 5 }),
      late: fc.integer({ min: 0, max: 2 }),
      size,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("edit" as const), back: fc.nat({ max: 20 }), omit: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("compact" as const),
      mode: fc.constantFrom<CompactionMode>("keep-recent", "keep-recent", "keep-recent", "retain-none"),
      keep: fc.integer({ min: 1, max: 2000 }),
      reply: fc.integer({ min: 1, max: 3000 }),
    }),
  },
);

interface Compacted {
  readonly path: readonly Entry[];
  readonly before: Projection;
  readonly plan: CompactionPlan;
  readonly after: Projection;
}

/** Plays the steps and hands every compaction to `check`; gives the path they end in. */
function play(steps: readonly Step[], check: (compacted: Compacted) => void = () => {}): Entry[] {
  let path: Entry[] = [];
  let late: Draft[] = [];
  for (const [n, step] of steps.entries()) {
    const delayed = late;
    late = [];
    switch (step.do) {
      case "add":
        path = extend(path, step.draft);
        break;
      case "call": {
        const ids = Array.from({ length: step.count }, (_, k) => `c${n}.${k}`);
        const answers = ids.slice(0, step.answers).map((id) => result(id, "r".repeat(step.size), step.size % 5 === 0));
        const cut = Math.max(0, answers.length - step.late);
        path = extend(path, calls(...ids), ...answers.slice(0, cut));
        late = answers.slice(cut);
        break;
      }
      case "edit": {
        const target = path.at(-1 - step.back);
        const editable =
          target?.type === "custom_message" || (target?.type === "message" && target.message.role !== "assistant");
        if (!target || !editable) break;
        const replacement = step.omit && target.type !== "message" ? null : { content: "[edited]" };
        path = extend(path, { type: "context_edit", targetId: target.id, replacement });
        break;
      }
      case "compact": {
        const before = projectContext(path);
        const plan = prepare(path, step.mode, step.keep);
        if (plan.kind !== "plan") break;
        const arrived = checkPlanFresh(plan, path);
        const summary = mergeSummary(plan, { history: "s".repeat(step.reply) }, chars);
        const stamp = { id: `e${path.length}`, timestamp: "2026-01-01T00:00:00.000Z" };
        const entry = compactionEntry({ plan, summary, stamp, arrived, parentId: plan.leafId, method: "llm" });
        const at = path;
        path = [...path, entry];
        check({ path: at, before, plan, after: projectContext(path) });
      }
    }
    path = extend(path, ...delayed);
  }
  return path;
}

function prepare(path: readonly Entry[], mode: CompactionMode, keepRecentTokens: number): Preparation {
  const settings = settingsOf({ contextWindow: 16_000, compaction: { keepRecentTokens } });
  const measure = measureContext(projectContext(path), path, { counter: chars });
  return prepareCompaction(path, settings, measure, { counter: chars, mode });
}

const parted = (plan: CompactionPlan) => [
  ...plan.messagesToSummarize,
  ...plan.turnPrefixMessages,
  ...plan.keptMessages,
];
const said = ({ messages, compaction }: Projection) =>
  messages.filter((source) => source.entryId !== compaction?.id && source.message.role !== "system");
const answersTo = (messages: readonly ContextMessage[]) =>
  new Set(messages.flatMap(({ message }) => (message.role === "toolResult" ? [message.toolCallId] : [])));
const callIds = (messages: readonly ContextMessage[]) =>
  new Set(messages.flatMap(({ message }) => toolCallsOf(message).map((call) => call.id)));

const steps = fc.array(step, { minLength: 5, maxLength: 80, size: "max" });
const always = (property: (steps: readonly Step[]) => void) =>
  fc.assert(fc.property(steps, property), { numRuns: 120 });

describe("over random sessions and many compactions", () => {
  it("[P2] a plan is a partition of the live entries and messages", () => {
    let plans = 0;
    always((steps) => {
      play(steps, ({ before, plan }) => {
        plans++;
        const ids = [...plan.summarizedIds, ...plan.turnPrefixIds, ...plan.keptIds];
        expect(ids).toEqual(before.live.map((entry) => entry.id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(parted(plan)).toEqual(said(before));
        expect(plan.isSplitTurn).toBe(plan.turnPrefixIds.length > 0);
        expect(plan.firstKeptEntryId).toBe(plan.keptIds[0] ?? null);
      });
    });
    expect(plans).toBeGreaterThan(300);
  });

  it("[C2] no part has a call without its results or a result without its call", () => {
    always((steps) => {
      play(steps, ({ plan }) => {
        for (const part of [plan.messagesToSummarize, plan.turnPrefixMessages, plan.keptMessages]) {
          expect(answersTo(part)).toEqual(callIds(part));
        }
      });
    });
  });

  it("[P3] the previous summary is always an input, or stays as it is", () => {
    always((steps) => {
      play(steps, ({ before, plan }) => {
        expect(plan.previous).toBe(before.compaction);
        if (!plan.previous) return;
        const told = plan.previous.summary.slice(0, 1);
        const { history } = summaryRequests(plan);
        if (history) expect(history.previous?.summary).toContain(told);
        else expect(mergeSummary(plan, { turnPrefix: "p" }, chars)).toMatch(new RegExp(`^${told}`));
      });
    });
  });

  it("[I1] what is kept stays word for word, and every entry is live or was input to a summary", () => {
    always((steps) => {
      const covered = new Set<string>();
      const path = play(steps, ({ plan, after }) => {
        const kept = said(after).filter((source) => source.message.role !== "user" || !source.synthetic);
        const expected = plan.keptMessages.filter((source) => source.message.role !== "user" || !source.synthetic);
        expect(kept).toEqual(expected);
        for (const id of [...plan.summarizedIds, ...plan.turnPrefixIds]) covered.add(id);
      });
      const { live, compaction } = projectContext(path);
      const alive = new Set(live.map((entry) => entry.id));
      for (const entry of path) {
        if (entry.type !== "compaction") expect(alive.has(entry.id) || covered.has(entry.id)).toBe(true);
        else if (entry.id !== compaction?.id)
          expect(alive.has(entry.id) || covered.has(entry.id) || hidden(path, entry.id)).toBe(true);
      }
    });
  });

  it("[I4] a compaction makes the context smaller, and a second at once has nothing to do", () => {
    always((steps) => {
      play(steps, ({ path, before, plan, after }) => {
        const replaced = plan.tokens.previous + plan.tokens.summarized + plan.tokens.turnPrefix;
        expect(plan.budget.text).toBeLessThanOrEqual(Math.max(1, replaced));
        expect(plan.keptMessages.length).toBeLessThan(said(before).length);
        const again = after.compaction ? [...path, after.compaction] : path;
        expect(prepare(again, "keep-recent", 1)).toEqual({ kind: "nothing", because: "already-compacted" });
      });
    });
  });

  it("[T3] the context lands under the target unless what can't be parted is in the way", () => {
    const { target } = limits(settingsOf({ contextWindow: 16_000 }));
    always((steps) => {
      play(steps, ({ before, plan, after }) => {
        const kept = new Set(plan.keptIds);
        const parts = spanOf(before, () => 1).filter((place) => place.cuttable && kept.has(place.entryId));
        if (parts.length > 1) expect(estimateContext(after.messages, chars)).toBeLessThanOrEqual(target);
      });
    });
  });
});

/** A compaction that a newer one replaced: its summary was that one's input. */
function hidden(path: readonly Entry[], id: string): boolean {
  const at = path.findIndex((entry) => entry.id === id);
  return path.slice(at + 1).some((entry) => entry.type === "compaction");
}
