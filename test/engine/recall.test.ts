import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/core/session/entry.ts";
import type { RecallRequest } from "../../src/engine/recall.ts";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { callsTool, compaction, type Draft, message, pathOf, says, user } from "../core/plan/entries.ts";

const output = (id: string, text: string): Draft =>
  message({ role: "toolResult", toolCallId: id, toolName: "bash", content: [{ type: "text", text }], isError: false });

const opened = (entries: readonly Entry[], pruning = {}) =>
  openSession(createMemoryStore({ entries }), { settings: { pruning }, clock: fixedClock() });

/** e0…e3 behind a summary, b1 on another branch, e5 and e6 live, e7 live with an edit. */
function everywhere(): Entry[] {
  const path = pathOf(
    user("Use the walrus port 7411"),
    callsTool("bash", { command: "walrus --init\n--fast", env: { MODE: "x" } }, "c1"),
    output("c1", "walrus: started"),
    says("The walrus is up"),
    compaction("e4", "nothing about animals"),
    user("live walrus"),
    callsTool("bash", { command: "cat log" }, "c2"),
    output("c2", "long walrus log"),
    { type: "context_edit", targetId: "e7", replacement: { content: "[gone]" } },
  );
  const branch = { ...path[0], id: "b1", parentId: "e3", message: { role: "user", content: "walrus branch" } } as Entry;
  return [...path.slice(0, 4), branch, ...path.slice(4)];
}

const placesOf = async (query: string | RecallRequest) => {
  const { hits } = await (await opened(everywhere())).recall(query);
  return Object.fromEntries(hits.map(({ entryId, where }) => [entryId, where]));
};

describe("session.recall", () => {
  it("[R9] finds what is summarised, edited and on other branches, and not what the model sees", async () => {
    expect(await placesOf({ words: "walrus", limit: 20 })).toEqual({
      e0: "summarised",
      e1: "summarised",
      e2: "summarised",
      e3: "summarised",
      b1: "branch",
      e7: "edited",
    });
  });
  it("[R9] searches the places asked for", async () => {
    expect(await placesOf({ words: "walrus", where: "live" })).toEqual({ e5: "live" });
    expect(await placesOf({ words: "walrus", where: ["branch", "edited"] })).toEqual({ b1: "branch", e7: "edited" });
    expect(await placesOf({ words: "animals", where: "live" })).toEqual({ e4: "live" });
  });
  it("[R9] gives original text, with the calls' arguments as they read", async () => {
    const session = await opened(everywhere());
    const [edited] = (await session.recall({ words: "walrus log", where: "edited" })).hits;
    expect(edited).toMatchObject({ entryId: "e7", role: "toolResult", text: "long walrus log", cut: 0 });
    const [call] = (await session.recall('"walrus --init --fast"')).hits;
    expect(call).toMatchObject({
      entryId: "e1",
      role: "assistant",
      text: "bash:\ncommand: walrus --init\n--fast\nMODE: x",
    });
  });
  it("[R9] fetches an entry by its id or its beginning, whole up to a limit, with the number cut", async () => {
    const session = await opened(everywhere());
    expect((await session.recall({ entryId: "#e7" })).hits).toEqual([
      { entryId: "e7", role: "toolResult", score: 1, where: "edited", text: "long walrus log", cut: 0 },
    ]);
    const { hits } = await session.recall({ entryId: "e7", maxChars: 4 });
    expect(hits[0]).toMatchObject({ text: "long", cut: 11 });
    expect((await session.recall({ entryId: "e", limit: 3 })).hits.map(({ entryId }) => entryId)).toEqual([
      "e0",
      "e1",
      "e2",
    ]);
    expect((await session.recall({ entryId: "e8" })).hits[0]).toMatchObject({ role: "context_edit", text: "" });
    await expect(session.recall({ entryId: "zz" })).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
    await expect(session.recall({})).rejects.toThrow(TypeError);
  });
  it("[R9] puts an entry first whose id stands among the words", async () => {
    const { hits } = await (await opened(everywhere())).recall("[#e5] walrus");
    expect(hits[0]).toMatchObject({ entryId: "e5", where: "live" });
  });
  it("[R9] bounds what it gives, and is the same at every run", async () => {
    const many = pathOf(
      ...Array.from({ length: 200 }, (_, i) => user(`needle ${"x ".repeat(i * 50)}`)),
      compaction("e200"),
    );
    const session = await opened(many);
    const first = await session.recall({ words: "needle", limit: 1e9 });
    expect(first.hits).toHaveLength(50);
    expect(first.found).toBe(200);
    for (const { text } of first.hits) expect(text.length).toBeLessThanOrEqual(604);
    expect(await session.recall({ words: "needle", limit: 1e9 })).toEqual(first);
    expect((await session.recall("needle")).hits).toHaveLength(5);
    expect((await session.recall("absent")).hits).toEqual([]);
  });
  it.each(["edits", "rewrite"])("[R9] gives back what a prune took: %s", async (persist) => {
    const turns = Array.from({ length: 6 }, (_, i) => [
      callsTool("bash", { command: `step ${i}` }, `c${i}`),
      output(`c${i}`, `unique-${i} of the run\n`.repeat(100)),
    ]).flat();
    const path = pathOf(user("go"), ...turns);
    const session = await opened(path, { protectTokens: 1000, minSavings: 100, persist });
    const outcome = await session.prune();
    if (outcome.status !== "pruned") throw new Error(outcome.status);
    const [hit] = (await session.recall('"unique-0 of"')).hits;
    expect(hit).toMatchObject({ entryId: "e2", where: "edited" });
    for (const { entryId } of outcome.outputs) {
      const [whole] = (await session.recall({ entryId })).hits;
      const { message: stored } = path.find(({ id }) => id === entryId) as {
        message: { content: { text: string }[] };
      } & Entry;
      expect(whole).toMatchObject({ text: stored.content[0]?.text, where: "edited", cut: 0 });
    }
  });
});
