import { describe, expect, it } from "vitest";
import { settingsSchema } from "../../../src/core/settings/schema.ts";
import { resolveSettings, SETTINGS, settingsFor } from "../../../src/core/settings.ts";

const layer = (values: Record<string, unknown>, source = "file") => ({ source, values });

describe("settings by model", () => {
  const overrides = {
    modelOverrides: {
      "anthropic/*": { compaction: { keepRecentTokens: 30_000 }, contextWindow: 150_000 },
      "anthropic/*haiku*": { compaction: { keepRecentTokens: 9000 } },
    },
  };

  it("[E3] apply by pattern, later patterns over earlier ones", () => {
    const { settings } = resolveSettings([layer(overrides)]);
    const of = (model: string) => settingsFor(settings, model)["compaction.keepRecentTokens"];
    expect([of("openai/gpt"), of("anthropic/claude-opus"), of("anthropic/claude-haiku-5")]).toEqual([
      20_000, 30_000, 9000,
    ]);
    expect(settingsFor(settings, "anthropic/x").contextWindow).toBe(150_000);
    expect(settingsFor(settings, "anthropicXx").contextWindow).toBe(200_000);
  });

  it("[E3, E2] give way to what a higher layer says plainly, and not to a lower one", () => {
    const flags = layer({ contextWindow: 60_000 }, "--window");
    const above = resolveSettings([layer(overrides), flags]).settings;
    expect(settingsFor(above, "anthropic/x").contextWindow).toBe(60_000);
    expect(settingsFor(above, "anthropic/x")["compaction.keepRecentTokens"]).toBe(30_000);
    const below = resolveSettings([layer({ contextWindow: 60_000 }), layer(overrides, "project")]).settings;
    expect(settingsFor(below, "anthropic/x").contextWindow).toBe(150_000);
  });

  it.each([
    ["an unknown key", { "a/*": { compaction: { keepRecent: 1 } } }, "compaction.keepRecent"],
    ["a wrong value", { "a/*": { contextWindow: "big" } }, "contextWindow"],
    ["where text goes", { "a/*": { compaction: { remoteEndpoint: "https://x" } } }, "compaction.remoteEndpoint"],
    ["no object", { "a/*": 5 }, "modelOverrides"],
  ])("[E3, E2] refuse %s", (_, modelOverrides, named) => {
    const refused = () => resolveSettings([layer({ modelOverrides }, "my.json")]);
    expect(refused).toThrow(
      expect.objectContaining({ code: "SETTING_INVALID", message: expect.stringContaining(named) }),
    );
    expect(refused).toThrow(/my\.json/);
  });
});

describe("the JSON Schema of settings", () => {
  it("[E1] has every key with its type, default and sentence", () => {
    const schema = settingsSchema();
    for (const [key, row] of Object.entries(SETTINGS)) {
      const at = key.split(".").reduce<Record<string, unknown>>((part, name) => {
        const properties = part.properties as Record<string, Record<string, unknown>>;
        return properties[name] ?? {};
      }, schema);
      expect(at.description, key).toContain(row.sentence);
      expect(at.default, key).toEqual(row.default);
      expect(at.type ?? at.enum, key).toBeDefined();
    }
  });
});
