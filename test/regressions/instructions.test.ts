import { describe, expect, it } from "vitest";
import { compacted, open, work } from "../engine/long-session.ts";

describe("instructions behind a compaction", () => {
  it("[LC-06] rules injected once and labelled stay word for word; model and thinking level stay in force", async () => {
    const session = await open();
    const [rules] = await session.append({
      type: "custom_message",
      customType: "rules",
      content: "Rules of the house:\n1. Every change has a test.\n2. Names are nouns.",
    });
    await session.append(
      { type: "model_change", provider: "anthropic", modelId: "claude-sonnet-4-5" },
      { type: "thinking_level_change", thinkingLevel: "high" },
    );
    await session.pin(rules?.id ?? "");
    for (let time = 0; time < 3; time++) {
      await work(session, 5);
      const { entry } = await compacted(session);
      expect(entry.summary).toContain("Rules of the house:\n1. Every change has a test.\n2. Names are nouns.");
      expect(await session.context()).toMatchObject({
        model: { provider: "anthropic", modelId: "claude-sonnet-4-5" },
        thinkingLevel: "high",
      });
    }
  });
});
