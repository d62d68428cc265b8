import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { type Entry, openSession, type Session } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { SMALL, work } from "../engine/long-session.ts";

const STEPS = [
  "work",
  "work",
  "compact",
  "compact",
  "undo",
  "undo",
  "redo",
  "navigate",
  "pin",
  "fork",
  "label",
] as const;
const steps = fc.array(fc.record({ does: fc.constantFrom(...STEPS), pick: fc.nat(1000) }), {
  minLength: 4,
  maxLength: 18,
});

/** One clock for a session and its forks: ids stay their own. */
async function take(
  session: Session,
  clock: ReturnType<typeof fixedClock>,
  does: string,
  pick: number,
): Promise<Session> {
  const ids = [...(await session.tree()).ids()];
  const some = ids[pick % Math.max(1, ids.length)];
  switch (does) {
    case "work":
      await work(session, 1 + (pick % 3));
      return session;
    case "compact":
      await session.compact(pick % 5 === 0 ? { mode: "retain-none" } : {});
      return session;
    case "undo":
      await session.undo();
      return session;
    case "redo":
      await session.redo();
      return session;
    case "navigate":
      if (some !== undefined) await session.navigate(some);
      return session;
    case "pin":
      await session.pin({ text: `Pinned words ${pick}` });
      return session;
    case "label":
      if (some !== undefined) await session.append({ type: "label", targetId: some, label: "here" });
      return session;
    default: {
      if (session.leafId === null) return session;
      const { header, lines } = await session.fork(session.leafId);
      const entries: Entry[] = [];
      for await (const line of lines) entries.push(JSON.parse(line));
      const forked = new Set(entries.map(({ id }) => id));
      const { entries: path } = await session.explain();
      expect(path.filter(({ id, type }) => type === "message" && !forked.has(id))).toEqual([]);
      return openSession(createMemoryStore({ header, entries }), { settings: SMALL, clock });
    }
  }
}

async function check(session: Session): Promise<void> {
  const { messages } = await session.context();
  expect(anthropicFaults(renderFor("anthropic", messages))).toEqual([]);
  expect(openAiChatFaults(renderFor("openai-chat", messages))).toEqual([]);

  const { entries, counts } = await session.explain();
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(entries.length);
  const shown = new Set(messages.filter(({ synthetic }) => !synthetic).map(({ entryId }) => entryId));
  const ruling = messages.find(({ message }) => message.role === "compactionSummary")?.entryId;
  for (const { id, type, fate, by, why } of entries) {
    if (type !== "message") continue;
    if (fate === "summarised") expect(by).toBe(ruling);
    else if (fate === "dropped") expect(why).toBeTruthy();
    else expect(shown.has(id)).toBe(true);
  }

  const again = await openSession(session.store, { settings: SMALL });
  expect(await again.context()).toEqual(await session.context());
  expect(again.leafId).toBe(session.leafId);
  expect(await again.pins()).toEqual(await session.pins());
}

describe("compact, undo, redo, navigate, pin and fork in random order", () => {
  it("[V3, I1, I2] lose no entry, stay acceptable, and read the same when opened again", async () => {
    const holds = fc.asyncProperty(steps, async (list) => {
      const clock = fixedClock();
      let session = await openSession(createMemoryStore(), { settings: SMALL, clock });
      await work(session, 5);
      for (const { does, pick } of list) {
        session = await take(session, clock, does, pick);
        await check(session);
      }
    });
    await fc.assert(holds, { numRuns: 40 });
  }, 120_000);

  it("[V3, I1] undoing all of it shows every entry of the path again", async () => {
    const holds = fc.asyncProperty(steps, async (list) => {
      const clock = fixedClock();
      let session = await openSession(createMemoryStore(), { settings: SMALL, clock });
      await work(session, 5);
      for (const { does, pick } of list) session = await take(session, clock, does, pick);
      for (let left = 50; (await session.undo()).status === "undone"; left--) expect(left).toBeGreaterThan(0);
      const { counts } = await session.explain();
      expect(counts.summarised).toBe(0);
    });
    await fc.assert(holds, { numRuns: 40 });
  }, 120_000);
});
