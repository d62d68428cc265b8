import { describe, expect, it } from "vitest";
import { type Hooks, openSession, type Session } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { compacted, SMALL, work } from "../engine/long-session.ts";

async function talk(hooks: Hooks = {}, turns = 12): Promise<Session> {
  const session = await openSession(createMemoryStore(), { settings: SMALL, clock: fixedClock(), hooks });
  await work(session, turns);
  return session;
}

describe("hooks", () => {
  it("[HK-01] a hook without an opinion takes nothing from another's compaction, before it or behind it", async () => {
    const none = [() => ({}), () => undefined, () => null as never, () => ({ cancel: false })];
    for (const opinion of none) {
      const session = await talk();
      const { messages } = await session.context();
      const kept = messages.findLast(({ message }) => message.role === "user")?.entryId ?? "";
      session.hook("session_before_compact", opinion);
      session.hook("session_before_compact", () => ({ compaction: { summary: "Mine.", firstKeptEntryId: kept } }));
      session.hook("session_before_compact", opinion);
      expect((await compacted(session)).entry).toMatchObject({ summary: "Mine.", fromExtension: true });
    }
  });

  it("[HK-05] our lists of files and what is preserved go on behind an extension's compaction", async () => {
    const store = createMemoryStore();
    const options = { settings: SMALL, clock: fixedClock() };
    const session = await openSession(store, options);
    await session.append({ role: "user", content: "Look at a, change b." });
    const uses = [
      ["read", "a.ts"],
      ["edit", "b.ts"],
      ["read", "b.ts"],
    ];
    for (const [name = "", path] of uses) {
      const id = `${name}-${path}`;
      await session.append(
        { role: "assistant", content: [{ type: "toolCall", id, name, arguments: { path } }] },
        { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text: "ok" }], isError: false },
      );
    }
    await work(session, 12);
    const lists = (details: object | undefined) => {
      const { readFiles, modifiedFiles } = details as { readFiles: string[]; modifiedFiles: string[] };
      return [readFiles.includes("a.ts"), modifiedFiles.includes("b.ts"), readFiles.includes("b.ts")];
    };
    expect(lists((await compacted(session)).entry.details)).toEqual([true, true, false]);

    await work(session, 12);
    const preserved: unknown[] = [];
    const remove = session.hook("session_before_compact", ({ preparation }) => {
      preserved.push(preparation.previous?.preserveData);
      const details = { readFiles: ["theirs.ts"], modifiedFiles: [] };
      const firstKeptEntryId = preparation.keptIds[0] ?? "";
      return { compaction: { summary: "Mine.", firstKeptEntryId, details, preserveData: { todo: 1 } } };
    });
    const theirs = (await compacted(session)).entry;
    expect(theirs).toMatchObject({ fromExtension: true, details: { readFiles: ["theirs.ts"] } });

    await work(session, 12);
    expect((await compacted(session)).entry).toMatchObject({ fromExtension: true });
    remove();
    expect(preserved).toEqual([undefined, { todo: 1 }]);
    const again = await openSession(store, options);
    await work(again, 12);
    const { entry } = await compacted(again);
    expect(lists(entry.details)).toEqual([true, true, false]);
    expect(entry.details?.readFiles).not.toContain("theirs.ts");
    expect(entry.preserveData).toEqual({ todo: 1 });
  });

  it("[HK-03] success, cancel, failure and nothing to do are each told once", async () => {
    const heard = async (turns: number, hooks: Hooks) => {
      const told: string[] = [];
      const session = await talk(
        {
          ...hooks,
          session_compact: () => void told.push("stored"),
          session_compact_failed: ({ aborted }) => void told.push(aborted ? "cancelled" : "failed"),
        },
        turns,
      );
      session.on("compaction_end", ({ result, skipped, aborted }) =>
        told.push(`end ${result ? "result" : (skipped ?? (aborted ? "aborted" : "error"))}`),
      );
      await session.compact();
      return told.sort();
    };
    const wrong = { compaction: { summary: " ", firstKeptEntryId: "x" } };
    expect(await heard(12, {})).toEqual(["end result", "stored"]);
    expect(await heard(12, { session_before_compact: () => ({ cancel: true }) })).toEqual(["cancelled", "end aborted"]);
    expect(await heard(12, { session_before_compact: () => wrong })).toEqual(["end error", "failed"]);
    expect((await heard(0, {})).filter((line) => line.startsWith("end"))).toHaveLength(1);
  });
});
