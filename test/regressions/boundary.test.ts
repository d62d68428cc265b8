import { describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { compacted, open, SMALL, work } from "../engine/long-session.ts";

describe("where a compaction cuts", () => {
  it("[WB-02] without a user message since the last compaction it still finds a cut", async () => {
    const session = await open();
    await work(session, 12);
    await compacted(session);
    for (let n = 0; n < 60; n++) {
      await session.append(
        { role: "assistant", content: [{ type: "toolCall", id: `n${n}`, name: "bash", arguments: { n } }] },
        {
          role: "toolResult",
          toolCallId: `n${n}`,
          toolName: "bash",
          content: [{ type: "text", text: `row ${n}\n`.repeat(60) }],
          isError: false,
        },
      );
    }
    const { size } = await session.tree();
    const { result } = await compacted(session);
    expect(result.tokensAfter).toBeLessThan(result.tokensBefore / 2);
    await work(session, 12);
    await compacted(session);
    expect((await session.tree()).size).toBe(size + 1 + 48 + 1);
  });

  it("[WB-05] opened again the context is what it was, however often, without a new compaction", async () => {
    const store = createMemoryStore();
    const session = await open(SMALL, store);
    for (let time = 0; time < 2; time++) {
      await work(session, 12);
      await compacted(session);
    }
    await work(session, 1);
    const [live, { size }] = [await session.context(), await session.tree()];
    for (let time = 0; time < 2; time++) {
      const again = await openSession(store, { settings: SMALL, clock: fixedClock() });
      expect(await again.context()).toEqual(live);
      expect((await again.tree()).size).toBe(size);
    }
  });
});
