import { describe, expect, it } from "vitest";
import { projectContext } from "../../../src/core/context/project.ts";
import { estimateMessage } from "../../../src/core/context/tokens.ts";
import { type Entry, LEAF_MARKER, REDO_MARKER, UNDO_MARKER } from "../../../src/core/session/entry.ts";
import { estimateRatio, extendMeasure, measureContext } from "../../../src/core/trigger/measure.ts";
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
    let grown = measured(path);
    const drafts = [
      says("one", { usage: usage(800) }),
      user("next"),
      says("two"),
      says("three", { usage: usage(999) }),
      user("z"),
    ];
    for (const draft of drafts) {
      path = extend(path, draft);
      const added = projectContext(path).messages.at(-1);
      if (!added) throw new Error("no message");
      grown = extendMeasure(grown, added, estimateMessage(added.message, chars), null);
      expect(grown).toEqual(measured(path));
    }
  });
});

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
