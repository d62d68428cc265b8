import { expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

it("[S10, X3, E3] behind a compaction that keeps nothing, model and thinking level are known, live and reopened", async () => {
  const store = createMemoryStore();
  const options = {
    clock: fixedClock(),
    settings: { contextWindow: 100_000, modelOverrides: { "p/*": { contextWindow: 20_000 } } },
  };
  const session = await openSession(store, options);
  await session.append(
    { type: "thinking_level_change", thinkingLevel: "high" },
    { role: "user", content: "word ".repeat(2000) },
    { role: "assistant", content: [{ type: "text", text: "word ".repeat(2000) }], provider: "p", model: "m" },
  );
  const outcome = await session.compact({ mode: "retain-none" });
  expect(outcome.status).toBe("compacted");
  const again = await openSession(store, options);
  for (const { context, settings } of [session, again]) {
    expect(await context()).toMatchObject({ model: { provider: "p", modelId: "m" }, thinkingLevel: "high" });
    expect(settings.contextWindow).toBe(20_000);
  }
  await again.append({ type: "model_change", provider: "q", modelId: "n" });
  expect((await again.context()).model).toEqual({ provider: "q", modelId: "n" });
  expect(again.settings.contextWindow).toBe(100_000);
});
