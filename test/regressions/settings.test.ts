import { describe, expect, it } from "vitest";
import { type Decision, decide, limits } from "../../src/core/trigger/decide.ts";
import { settingsOf } from "../core/plan/entries.ts";
import { compacted, open, user, work } from "../engine/long-session.ts";

describe("settings", () => {
  it("[SE-01] off is off for every automatic cause; an overflow is told; by hand it works", async () => {
    const session = await open({ contextWindow: 16_000, compaction: { enabled: false, keepRecentTokens: 600 } });
    await work(session, 60);
    const { size } = await session.tree();
    const off: Decision = { kind: "none", because: "disabled" };
    for (const reason of ["check", "idle"] as const) expect((await session.maintain({ reason })).decision).toEqual(off);
    await session.append(user("Go on."), {
      role: "assistant",
      content: [],
      stopReason: "error",
      errorMessage: "prompt is too long: 17000 tokens > 16000 maximum",
    });
    const { decision, message } = await session.maintain({ willRetry: true });
    expect(decision).toEqual(off);
    expect(message).toContain("compact by hand");
    expect((await session.tree()).size).toBe(size + 2);
    await compacted(session);
  });

  it("[SE-02] the threshold has settings of its own: tokens, or percent from 1 to 99; the reserve stays", () => {
    const at = (compaction: object) => limits(settingsOf({ contextWindow: 200_000, compaction }));
    expect(at({ thresholdTokens: 80_000 })).toMatchObject({ threshold: 80_000, reserve: 16_384 });
    expect(at({ thresholdPercent: 70 })).toMatchObject({ threshold: 140_000, reserve: 16_384 });
    expect(() => at({ thresholdPercent: 0.7 })).toThrow(/compaction\.thresholdPercent is 0\.7; .*1 to 99 \(percent\)/);
    const measure = { tokens: 100_000, source: "estimate", estimated: 100_000, extra: 0 } as const;
    const kind = (compaction: object) => decide(measure, settingsOf({ contextWindow: 200_000, compaction })).kind;
    expect([kind({}), kind({ thresholdTokens: 80_000 }), kind({ thresholdPercent: 40 })]).toEqual([
      "none",
      "threshold",
      "threshold",
    ]);
  });

  it("[SE-04] zero is refused by name, null leaves the default, and the least that may be kept works", async () => {
    for (const [key, value] of Object.entries({
      keepRecentTokens: 0,
      reserveTokens: 0,
      thresholdTokens: 0,
      timeout: 0,
    })) {
      expect(() => settingsOf({ compaction: { [key]: value } })).toThrow(`compaction.${key} is 0`);
    }
    expect(settingsOf({ compaction: { keepRecentTokens: null } })["compaction.keepRecentTokens"]).toBe(20_000);
    const session = await open({ contextWindow: 16_000, compaction: { keepRecentTokens: 1 } });
    for (let time = 0; time < 2; time++) {
      await work(session, 12);
      await compacted(session);
    }
    expect((await session.context()).messages[0]?.message.role).toBe("compactionSummary");
  });
});
