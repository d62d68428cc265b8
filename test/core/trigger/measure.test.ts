import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { estimateMessage } from "../../../src/core/context/tokens.ts";
import { type Entry, LEAF_MARKER, REDO_MARKER, UNDO_MARKER } from "../../../src/core/session/entry.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { extendMeasure } from "../../../src/core/trigger/extend.ts";
import { estimateRatio, measureContext } from "../../../src/core/trigger/measure.ts";
import { pathTo, plainSessions, sessions } from "../../properties/sessions.ts";
import {
  calls,
  chars,
  compaction,
  type Draft,
  extend,
  pathOf,
  result,
  says,
  state,
  usage,
  user,
} from "../plan/entries.ts";

const measured = (path: readonly Entry[], more = {}) =>
  measureContext(projectContext(path), path, { counter: chars, ...more });
const sizeOf = (...drafts: Draft[]) => measured(pathOf(...drafts)).estimated;

describe("measure", () => {
  it("[T2] is the newest valid usage and the estimate of what came after", () => {
    const path = pathOf(
      user("hello"),
      says("one", { usage: usage(5000) }),
      user("more"),
      says("two", { usage: usage(7000) }),
    );
    expect(measured(path)).toMatchObject({ tokens: 7000, source: "usage", newest: { entryId: "e3", measured: 7000 } });
    const longer = extend(path, user("a question"));
    expect(measured(longer).tokens).toBe(7000 + measured(longer).estimated - measured(path).estimated);
  });

  it("[T2] adds up the four parts where there is no total", () => {
    const parts = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4000 };
    expect(measured(pathOf(user("u"), says("a", { usage: parts }))).tokens).toBe(4321);
  });

  it("[T2] without a valid usage it is the estimate of everything, system prompt and tools included", () => {
    const path = pathOf(user("hello"), says("there"));
    expect(measured(path)).toMatchObject({ source: "estimate", tokens: sizeOf(user("hello"), says("there")) });
    expect(measured(path, { extraTokens: 900 }).tokens).toBe(measured(path).tokens + 900);
  });

  it("[T2] passes over aborted, failed, unfinished and odd usages", () => {
    const odd: Draft[] = [
      says("x", { usage: usage(9000), stopReason: "aborted" }),
      says("x", { usage: usage(9000), stopReason: "error" }),
      says("x", { usage: usage(0) }),
      says("x", { usage: usage(Number.NaN) }),
      says("x", { usage: { ...usage(9000), cacheRead: Number.POSITIVE_INFINITY } }),
      says("x", { usage: { ...usage(9000), output: -1 } }),
      says("x", { usage: null as never }),
      says("x", { usage: "9000" as never }),
    ];
    for (const draft of odd) {
      const path = pathOf(user("u"), says("a", { usage: usage(5000) }), user("v"), draft);
      expect(measured(path).newest?.entryId).toBe("e1");
    }
  });

  it("[T2] passes over usages of another model", () => {
    const path = pathOf(user("u"), says("a", { usage: usage(5000), provider: "p", model: "small" }));
    expect(measured(path, { model: { provider: "p", modelId: "large" } }).source).toBe("estimate");
    expect(measured(path, { model: { provider: "p", modelId: "small" } }).source).toBe("usage");
    const switched = extend(path, { type: "model_change", provider: "p", modelId: "large" });
    expect(measured(switched).source).toBe("estimate");
  });

  it("[T2] passes over usages from before a compaction, an edit, an undo, a redo or a leaf move", () => {
    const path = pathOf(user("u"), says("a", { usage: usage(5000) }));
    const changes: Draft[] = [
      compaction("e1"),
      { type: "context_edit", targetId: "e0", replacement: { content: "shorter" } },
      state(UNDO_MARKER, { compactionId: "e9" }),
      state(REDO_MARKER, { compactionId: "e9" }),
      state(LEAF_MARKER),
      { type: "branch_summary", fromId: "root", summary: "s" },
    ];
    expect(measured(extend(path, state("other"))).source).toBe("usage");
    for (const change of changes) {
      expect(measured(extend(path, change, user("v"))).source).toBe("estimate");
      const later = extend(path, change, user("v"), says("b", { usage: usage(3000) }));
      expect(measured(later)).toMatchObject({ tokens: 3000, source: "usage" });
    }
  });

  it("[T2] a result made up for the newest call comes after the usage", () => {
    const path = pathOf(user("u"), { ...calls("1") });
    const reply = path[1] as Extract<Entry, { type: "message" }>;
    const withUsage = [path[0] as Entry, { ...reply, message: { ...reply.message, usage: usage(5000) } } as Entry];
    expect(measured(withUsage).tokens).toBeGreaterThan(5000);
  });

  it("[T2] grows in constant time to the same figure as measuring anew", () => {
    let path = pathOf(user("hello"));
    let grown: ReturnType<typeof extended> = measured(path);
    const drafts = [
      says("one", { usage: usage(800) }),
      user("next"),
      calls("1"),
      result("1", "out"),
      says("three", { usage: usage(999) }),
      user("z"),
    ];
    for (const draft of drafts) {
      path = extend(path, draft);
      grown = extended(grown, path, path.length - 1);
      expect(grown).toEqual(measured(path));
    }
  });

  const edit = (targetId: string, content: string): Draft => ({
    type: "context_edit",
    targetId,
    replacement: { content },
  });
  const loop = pathOf(user("u"), { ...calls("1") }, result("1", "x".repeat(9000)));
  const reported = loop.map((entry) =>
    entry.id === "e1" && entry.type === "message"
      ? ({ ...entry, message: { ...entry.message, usage: usage(5000) } } as Entry)
      : entry,
  );

  it("[T2] keeps a usage that had not counted what an edit behind it changes", () => {
    const bounded = extend(reported, edit("e2", "short"));
    expect(measured(bounded)).toMatchObject({ source: "usage", newest: { entryId: "e1" } });
    expect(measured(bounded).tokens).toBeLessThan(5100);
    expect(measured(extend(reported, edit("e0", "other"))).source).toBe("estimate");
    const answered = extend(reported, says("done", { usage: usage(7000) }));
    const late = measured(extend(answered, edit("e2", "short")));
    expect(late).toMatchObject({ source: "usage", newest: { entryId: "e1" } });
    expect(late.tokens).toBeLessThan(5100);
  });

  it("[T2] sizes a result that is edited in the same batch, or later, without measuring anew", () => {
    const bounded = extend(reported, edit("e2", "short"));
    const before = measured(reported.slice(0, 2));
    expect(extended(before, bounded, 2)).toEqual(measured(bounded));
    expect(extended(measured(reported), bounded, 3)).toEqual(measured(bounded));
    const sized: string[] = [];
    const sizeOf = (message: Message) => {
      sized.push(JSON.stringify(message));
      return estimateMessage(message, chars);
    };
    extendMeasure(before, bounded, 2, { model: null, sizeOf });
    expect(sized.join("")).not.toContain("xxx");
  });

  it("[T2] measures anew where an edit is of what a usage had counted, or omits a message", () => {
    const answered = extend(reported, says("done", { usage: usage(7000) }));
    const whole = measured(answered);
    for (const odd of [edit("e2", "short"), edit("e0", "short"), { ...edit("e2", ""), replacement: null } as Draft]) {
      expect(extended(whole, extend(answered, odd), answered.length)).toBeUndefined();
    }
  });

  it.each([
    ["any session", sessions(), 0.2],
    ["a plain one", plainSessions(), 0.6],
  ])("[T2] %s measured in batches of any size is measured alike", (_, some, share) => {
    let grew = 0;
    let all = 0;
    const batches = fc.integer({ min: 1, max: 4 });
    const counts = fc.array(fc.nat(9000), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(some, batches, counts, ({ entries, leafId }, batch, usages) => {
        const path = pathTo(entries, leafId).map((entry, at) => counting(entry, usages[at % usages.length] ?? 0));
        for (let at = 1; at < path.length; at += batch) {
          const before = path.slice(0, at);
          const after = path.slice(0, at + batch);
          const longer = extendMeasure(measured(before), after, at, {
            model: projectContext(before).model,
            sizeOf: sizeOfMessage,
          });
          all++;
          if (longer === undefined) continue;
          grew++;
          expect(longer).toEqual(measured(after));
        }
      }),
      { numRuns: 300 },
    );
    expect(grew).toBeGreaterThan(all * share);
  });
});

/** The entry, with a usage where it is an assistant's and `total` is above 0. */
function counting(entry: Entry, total: number): Entry {
  if (entry.type !== "message" || entry.message.role !== "assistant" || total === 0) return entry;
  return { ...entry, message: { ...entry.message, usage: usage(total) } };
}

const sizeOfMessage = (message: Message) => estimateMessage(message, chars);
const extended = (measure: ReturnType<typeof measured> | undefined, path: readonly Entry[], from: number) =>
  measure && extendMeasure(measure, path, from, { model: projectContext(path).model, sizeOf: sizeOfMessage });

describe("ratio", () => {
  const text = "x".repeat(1000);
  const two = (first: number, second: number) =>
    pathOf(
      user("u"),
      says("a", { usage: usage(first) }),
      user(text),
      calls("1"),
      result("1", text),
      says("b", { usage: usage(second) }),
    );

  it("[C6] compares measured and estimated tokens of the same span, so that an unseen prompt does not count", () => {
    const span = measured(two(30_000, 32_000));
    const estimated = (span.newest?.estimated ?? 0) - (span.base?.estimated ?? 0);
    expect(estimated).toBeGreaterThan(2000);
    expect(estimateRatio(measured(two(30_000, 30_000 + estimated * 1.5)))).toBeCloseTo(1.5);
  });

  it("[C6] is clamped to 0.5 and 2", () => {
    expect(estimateRatio(measured(two(30_000, 90_000)))).toBe(2);
    expect(estimateRatio(measured(two(30_000, 30_010)))).toBe(0.5);
  });

  it("[C6] is 1 without a span that both have counted", () => {
    expect(estimateRatio(measured(pathOf(user("u"), says("a"))))).toBe(1);
    expect(estimateRatio(measured(pathOf(user("u"), says("a", { usage: usage(50_000) }))))).toBe(1);
    expect(estimateRatio(measured(two(30_000, 20_000)))).toBe(1);
  });

  it("[C6] the span begins at the beginning when the prompt's size is known", () => {
    const path = pathOf(user(text), says("a", { usage: usage(3000) }));
    const known = measured(path, { extraTokens: 1000 });
    expect(estimateRatio(known)).toBeCloseTo(3000 / known.estimated);
  });
});
