import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Message, openSession, type Session } from "../../src/index.ts";

async function made(): Promise<{ file: string; session: Session }> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-append-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "session.jsonl");
  const session = await openSession(file, { create: { cwd: "/" } });
  onTestFinished(() => session.close());
  return { file, session };
}

it.each([
  ["nothing", null],
  ["a text", "hello"],
  ["a message without a role", { content: "x" }],
  ["an array of messages", [{ role: "user", content: "x" }]],
])("[S5] %s is refused as misuse, and nothing is stored", async (_, given) => {
  const { file, session } = await made();
  const before = readFileSync(file, "utf8");
  const good: Message = { role: "user", content: "good" };
  await expect(session.append(good, given as unknown as Message)).rejects.toThrow(TypeError);
  expect(readFileSync(file, "utf8")).toBe(before);
  await expect(session.pin({} as { text: string })).rejects.toThrow(TypeError);
});

it("[S5] what no JSON can hold is ENTRY_INVALID, the batch is stored whole or not at all, and the next one is", async () => {
  const { file, session } = await made();
  const before = readFileSync(file, "utf8");
  const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (const odd of [deep, cyclic]) {
    const call = { type: "toolCall" as const, id: "c", name: "x", arguments: { odd } };
    const batch: Message[] = [
      { role: "user", content: "x" },
      { role: "assistant", content: [call] },
    ];
    await expect(session.append(...batch)).rejects.toMatchObject({ code: "ENTRY_INVALID" });
    expect(readFileSync(file, "utf8")).toBe(before);
  }
  expect(await session.append({ role: "user", content: "next" })).toHaveLength(1);
});

it("[I3, X6] lone surrogates are the same now as when the session is opened again", async () => {
  const { file, session } = await made();
  await session.append(
    { role: "user", content: "half \ud800 of one" },
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "c\udfff", name: "x", arguments: { "k\ud800": "\udc00" } }],
    },
    {
      role: "toolResult",
      toolCallId: "c\udfff",
      toolName: "x",
      content: [{ type: "text", text: "\ud83d" }],
    } as Message,
  );
  const live = JSON.stringify((await session.context()).messages);
  expect(live).not.toMatch(/\\ud[89a-f]/);
  const again = await openSession(file, { readOnly: true });
  onTestFinished(() => again.close());
  expect(JSON.stringify((await again.context()).messages)).toBe(live);
});

it("[I3] what was appended is the session's own: whoever changes a message afterwards changes nothing", async () => {
  const { file, session } = await made();
  const at = new Date(0);
  const odd = JSON.parse('{"__proto__": {"x": 1}, "at": null}');
  odd.at = at;
  const message: Message = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "x", arguments: odd }] };
  await session.append({ role: "user", content: "x" }, message);
  odd.late = true;
  message.content = [];
  const live = JSON.stringify((await session.context()).messages);
  expect(live).toContain('{"__proto__":{"x":1},"at":"1970-01-01T00:00:00.000Z"}');
  const again = await openSession(file, { readOnly: true });
  onTestFinished(() => again.close());
  expect(JSON.stringify((await again.context()).messages)).toBe(live);
});

it("[S5] closing waits for what was appended before, and takes nothing after", async () => {
  const { file, session } = await made();
  const before = [session.append({ role: "user", content: "one" }), session.append({ role: "user", content: "two" })];
  const closed = session.close();
  const after = session.append({ role: "user", content: "three" });
  await expect(after).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  await Promise.all([...before, closed, session.close()]);
  expect(readFileSync(file, "utf8").match(/"(one|two|three)"/g)).toEqual(['"one"', '"two"']);
});

it("[H3] a listener that is async and rejects disturbs nothing", async () => {
  const { session } = await made();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  session.on("*", async () => {
    throw new Error("listener");
  });
  await session.append({ role: "user", content: "x" });
  await session.navigate(null);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
});
