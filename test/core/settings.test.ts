import { describe, expect, it } from "vitest";
import {
  allowedValues,
  DEFAULT_SETTINGS,
  resolveSettings,
  SETTINGS,
  type SettingKey,
} from "../../src/core/settings.ts";

const keys = Object.keys(SETTINGS) as SettingKey[];

describe("table", () => {
  it("[E1] every default is a value that the table allows, and every row has its sentence", () => {
    for (const key of keys) {
      const row = SETTINGS[key];
      expect(row.sentence, key).toMatch(/^[A-Z].*\.$/);
      expect(allowedValues(key), key).not.toBe("");
      if (row.default !== undefined) {
        expect(resolveSettings([{ source: "defaults", values: { [key]: row.default } }]).settings[key]).toEqual(
          row.default,
        );
      }
    }
  });

  it("[E1] has the defaults of the rule", () => {
    expect(DEFAULT_SETTINGS).toMatchObject({
      contextWindow: 200_000,
      "compaction.enabled": true,
      "compaction.reserveTokens": 16_384,
      "compaction.keepRecentTokens": 20_000,
      "compaction.thresholdTokens": undefined,
      "compaction.mode": "keep-recent",
    });
  });
});

describe("layers", () => {
  it("[E2] a later layer wins, key by key, and each value says where it comes from", () => {
    const { settings, origins, warnings } = resolveSettings([
      {
        source: "user.json",
        values: { contextWindow: 100_000, compaction: { reserveTokens: 1, keepRecentTokens: 2 } },
      },
      { source: "project.json", values: { compaction: { keepRecentTokens: 3 } } },
      { source: "flags", values: { "compaction.mode": "retain-none", contextWindow: undefined } },
    ]);
    expect(settings).toMatchObject({
      contextWindow: 100_000,
      "compaction.reserveTokens": 1,
      "compaction.keepRecentTokens": 3,
      "compaction.mode": "retain-none",
    });
    expect(origins).toMatchObject({
      contextWindow: "user.json",
      "compaction.keepRecentTokens": "project.json",
      "compaction.mode": "flags",
      "compaction.enabled": "default",
    });
    expect(warnings).toEqual([]);
  });

  it("[E2] null and undefined leave a value as it was", () => {
    const { settings } = resolveSettings([
      { source: "a", values: { contextWindow: 50_000 } },
      { source: "b", values: { contextWindow: null } },
    ]);
    expect(settings.contextWindow).toBe(50_000);
  });

  it("[E2] an unknown key warns with the nearest known name", () => {
    const { warnings } = resolveSettings([
      { source: "a.json", values: { contextWindw: 1, compaction: { keepRecent: 5, enabld: true } } },
    ]);
    expect(warnings).toEqual([
      'a.json: unknown setting "contextWindw"; did you mean "contextWindow"?',
      'a.json: unknown setting "compaction.keepRecent"; did you mean "compaction.keepRecentTokens"?',
      'a.json: unknown setting "compaction.enabld"; did you mean "compaction.enabled"?',
    ]);
  });

  it("[E2] a wrong value is an error that names source, key, value and what is allowed", () => {
    const wrong: [SettingKey, unknown, string][] = [
      ["contextWindow", 12, "an integer of at least 1024 (tokens)"],
      ["contextWindow", "200000", "an integer of at least 1024 (tokens)"],
      ["contextWindow", 2000.5, "an integer of at least 1024 (tokens)"],
      ["contextWindow", Number.NaN, "an integer of at least 1024 (tokens)"],
      ["compaction.enabled", "yes", "true or false"],
      ["compaction.thresholdPercent", 100, "a number from 1 to 99 (percent)"],
      ["compaction.mode", "none", "one of keep-recent, retain-none"],
      ["compaction.mode", ["keep-recent"], "one of keep-recent, retain-none"],
    ];
    for (const [key, value, allowed] of wrong) {
      const resolve = () => resolveSettings([{ source: "a.json", values: { [key]: value } }]);
      expect(resolve, key).toThrow(
        expect.objectContaining({
          code: "SETTING_INVALID",
          message: `a.json: ${key} is ${JSON.stringify(value)}; it must be ${allowed}.`,
          data: { source: "a.json", key, value, allowed },
        }),
      );
    }
  });

  it("[E2] a group that is no object, and names of object members, are unknown settings", () => {
    const { warnings, settings } = resolveSettings([
      { source: "a", values: { compaction: 5, toString: 1, other: { a: 1 }, constructor: [] } },
    ]);
    expect(warnings).toHaveLength(4);
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  it("[E2] odd layers neither crash nor hang", () => {
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let n = 0; n < 5000; n++) at = at.a = {} as Record<string, unknown>;
    at.end = 1;
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const values of [deep, circle, { "": 1 }, { ["x".repeat(10_000)]: 1 }]) {
      expect(resolveSettings([{ source: "odd", values }]).settings).toEqual(DEFAULT_SETTINGS);
    }
    expect(() => resolveSettings([{ source: "odd", values: { contextWindow: 1n } }])).toThrow(/contextWindow is 1n;/);
  });
});
