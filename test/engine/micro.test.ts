import { describe, expect, it } from "vitest";
import { type Message, openSession, type Session, type SettingsInput } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

const open = (micro: object, more: SettingsInput = {}) =>
  openSession(createMemoryStore(), { clock: fixedClock(), settings: { contextWindow: 8192, micro, ...more } });

const calls = (...names: string[]): Message => ({
  role: "assistant",
  content: names.map((name) => ({ type: "toolCall", id: `${name}-id`, name, arguments: { path: "a.ts" } })),
});
const result = (name: string, text: string): Message => ({
  role: "toolResult",
  toolCallId: `${name}-id`,
  toolName: name,
  content: [{ type: "text", text }],
  isError: false,
});

async function rounds(session: Session, count: number, name = "bash", size = 500): Promise<void> {
  for (let round = 0; round < count; round++) {
    await session.append(calls(name), result(name, `${round} ${"out ".repeat(size / 4)}`));
  }
}

const shown = async (session: Session) =>
  (await session.context()).messages.flatMap(({ message }) =>
    message.role === "toolResult" ? message.content.map((block) => (block.type === "text" ? block.text : "image")) : [],
  );
const ids = async (session: Session) => (await session.context()).messages.map(({ entryId }) => entryId);
const marks = (texts: readonly string[]) => texts.filter((text) => text.startsWith("[Previous: used"));

describe("micro-compaction of a session", () => {
  it("[R6] shows marks for the results of older rounds and stores nothing", async () => {
    const session = await open({ enabled: true, minFill: 0 });
    await session.append({ role: "user", content: "Go." });
    await rounds(session, 6);
    const entries = (await session.tree()).size;
    const texts = await shown(session);
    expect(texts.map((text) => text.slice(0, 21))).toEqual([
      ...Array(3).fill("[Previous: used bash]"),
      ...texts.slice(3).map((text) => text.slice(0, 21)),
    ]);
    expect(marks(texts)).toHaveLength(3);
    expect((await session.tree()).size).toBe(entries);
    session.configure({ "micro.enabled": false });
    expect(marks(await shown(session))).toEqual([]);
  });

  it("[R6] is off by itself, and does nothing below `micro.minFill` of the window", async () => {
    const off = await open({});
    const early = await open({ enabled: true });
    for (const session of [off, early]) {
      await session.append({ role: "user", content: "Go." });
      await rounds(session, 6);
      expect(marks(await shown(session))).toEqual([]);
    }
    await rounds(early, 3, "bash", 8000);
    expect(marks(await shown(early))).toHaveLength(6);
  });

  it("[R6] does not let the marks go again when the provider counts what is left", async () => {
    const session = await open({ enabled: true });
    await session.append({ role: "user", content: "Go." });
    await rounds(session, 9, "bash", 2400);
    expect(marks(await shown(session))).toHaveLength(6);
    const usage = { input: 1500, output: 5, cacheRead: 0, cacheWrite: 0 };
    await session.append({ role: "assistant", content: [{ type: "text", text: "Well." }], usage });
    expect(session.measure().tokens).toBe(1505);
    expect(marks(await shown(session))).toHaveLength(6);
  });

  it("[R6] counts a reply with the results of all its calls as one round, and keeps what was read", async () => {
    const session = await open({ enabled: true, minFill: 0, keepRounds: 1 });
    await session.append({ role: "user", content: "Go." });
    const long = "x y ".repeat(100);
    for (let round = 0; round < 2; round++) {
      await session.append(calls("grep", "read", "ls"), ...["grep", "read", "ls"].map((name) => result(name, long)));
    }
    expect(await shown(session)).toEqual(["[Previous: used grep]", long, "[Previous: used ls]", long, long, long]);
    session.configure({ "micro.preserveTools": ["grep"] });
    expect((await shown(session)).slice(0, 3)).toEqual([long, "[Previous: used read]", "[Previous: used ls]"]);
  });

  it("[R6, X1] changes no message but the aged results, and measures what is sent", async () => {
    const session = await open({ enabled: true, minFill: 0 });
    await session.append({ role: "user", content: "Go." });
    await rounds(session, 5);
    const micro = await session.context();
    const before = await ids(session);
    session.configure({ "micro.enabled": false });
    expect(await ids(session)).toEqual(before);
    expect(micro.tokens).toBeLessThan((await session.context()).tokens);
  });

  it("[R6, C6] does not take the marks for an error of the estimate", async () => {
    const session = await open({ enabled: true, minFill: 0 });
    await session.append({ role: "user", content: "Go." });
    expect(session.measure().base).toBeUndefined();
    const usage = { input: 100, output: 5, cacheRead: 0, cacheWrite: 0 };
    await session.append({ role: "assistant", content: [{ type: "text", text: "Well." }], usage });
    expect(session.measure()).toMatchObject({ tokens: 105, source: "usage" });
    expect(session.measure().base).toBeUndefined();
  });
});
