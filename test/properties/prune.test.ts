import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { entryText } from "../../src/core/recall/entry-text.ts";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { chars } from "../core/plan/entries.ts";
import { sessions } from "./sessions.ts";

describe("random sessions, pruned as hard as can be", () => {
  const pruning = { protectTokens: 0, minSavings: 1, minTokens: 1, protectTools: [], staleReads: true };

  it.each(["edits", "rewrite"])("[R3, X5] stay acceptable, lose nothing, and prune once: %s", async (persist) => {
    const holds = fc.asyncProperty(sessions({ maxSteps: 60 }), async ({ entries, leafId }) => {
      const large = entries.map((entry) =>
        entry.type === "message" && entry.message.role === "toolResult" && entry.message.content.length > 0
          ? {
              ...entry,
              message: {
                ...entry.message,
                content: [...entry.message.content, { type: "text" as const, text: "out ".repeat(50) }],
              },
            }
          : entry,
      );
      const store = createMemoryStore({ entries: large });
      const settings = { pruning: { ...pruning, persist } };
      const session = await openSession(store, { settings, clock: fixedClock(), counter: chars, leafId });
      const before = projectContext(await store.readPath(leafId)).messages;
      const outcome = await session.prune();
      if (outcome.status !== "pruned") return;
      const { messages } = await session.context();
      expect(messages.map(({ entryId }) => entryId)).toEqual(before.map(({ entryId }) => entryId));
      expect(anthropicFaults(renderFor("anthropic", messages))).toEqual([]);
      expect(openAiChatFaults(renderFor("openai-chat", messages))).toEqual([]);
      expect((await session.prune()).status).toBe("skipped");
      const originals = new Map(large.map((entry) => [entry.id, entryText(entry)?.text]));
      for (const { entryId } of outcome.outputs) {
        const { hits } = await session.recall({ entryId });
        expect(hits).toMatchObject([{ entryId, where: "edited", text: originals.get(entryId), cut: 0 }]);
      }
    });
    await fc.assert(holds, { numRuns: 150 });
  });
});
