import { expect, it } from "vitest";
import { decide, limits } from "../../../src/core/trigger/decide.ts";
import type { Measure } from "../../../src/core/trigger/measure.ts";
import { settingsOf } from "../plan/entries.ts";

const of = (tokens: number): Measure => ({ tokens, source: "estimate", estimated: tokens, extra: 0 });

it("[T3] the threshold is thresholdTokens, else thresholdPercent, else the window without the reserve", () => {
  const compaction = { thresholdTokens: 50_000, thresholdPercent: 30 };
  expect(limits(settingsOf({ compaction })).threshold).toBe(50_000);
  expect(limits(settingsOf({ compaction: { thresholdPercent: 30 } })).threshold).toBe(60_000);
  expect(limits(settingsOf()).threshold).toBe(200_000 - 16_384);
  expect(limits(settingsOf({ contextWindow: 40_000, compaction })).threshold).toBe(39_999);
});

it("[T3] the reserve is at most a quarter of the window, what is kept at most half of the rest", () => {
  for (const contextWindow of [8192, 16_384, 60_000, 200_000, 1_000_000, 2_000_000]) {
    const { window, reserve, keepRecent, threshold, target } = limits(settingsOf({ contextWindow }));
    expect(reserve).toBe(Math.min(16_384, window / 4));
    expect(keepRecent).toBe(Math.min(20_000, (window - reserve) / 2));
    expect(threshold).toBe(window - reserve);
    expect(keepRecent + 0.8 * reserve).toBeLessThan(target);
  }
});

it("[T3] a low threshold caps what is kept too", () => {
  expect(limits(settingsOf({ compaction: { thresholdTokens: 10_000 } })).keepRecent).toBe(5000);
});

it("[T3] compaction is due strictly above the threshold", () => {
  const settings = settingsOf({ compaction: { thresholdTokens: 1000 } });
  expect(decide(of(1000), settings)).toEqual({ kind: "none", because: "under-threshold" });
  expect(decide(of(1001), settings)).toEqual({ kind: "threshold", tokens: 1001, threshold: 1000 });
});

it("[T6] the decision is a value with its reason", () => {
  const settings = settingsOf({ compaction: { enabled: false, thresholdTokens: 1000 } });
  expect(decide(of(5000), settings)).toEqual({ kind: "none", because: "disabled" });
  expect(decide(of(5000), settings, { reason: "manual" })).toEqual({ kind: "manual", tokens: 5000, threshold: 1000 });
  expect(decide(of(0), settingsOf())).toEqual({ kind: "none", because: "empty" });
});
