import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Message, openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { calls, lastText, modelAt, stage, tool, until } from "./stage.ts";

const textsOf = async (session: Awaited<ReturnType<typeof stage>>["session"]) =>
  (await session.context()).messages.map(({ message }) => [message.role, JSON.stringify(message)] as const);

describe("a turn", () => {
  it("[A1] stores each message as it happens and answers the prompt", async () => {
    const { agent, session, server, end } = await stage({
      script: [calls("look", { path: "a.ts" }), "It is a file."],
      tools: [tool("look", ({ path }) => `text of ${path}`)],
    });
    const outcome = await agent.prompt("What is a.ts?");
    expect(outcome).toMatchObject({ status: "answered", reply: { stopReason: "stop" } });
    const roles = (await session.context()).messages.map(({ message }) => message.role);
    expect(roles).toEqual(["system", "user", "assistant", "toolResult", "assistant"]);
    expect(server.faults).toEqual([]);
    expect(server.requests[0]?.tools).toEqual(["look", "compact"]);
    expect(server.requests[0]?.system).toContain("You work on files.");
    expect(lastText(server.requests[1] as never)).toBe("text of a.ts");
    await end();
  });

  it("[A1, I3] goes on after a kill in the middle of a turn, and asks nothing twice", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "espalier-")), "s.jsonl");
    const session = await openSession(file, { create: { cwd: "/" } });
    await session.append(
      { role: "user", content: "Look at a.ts." },
      {
        role: "assistant",
        content: [{ type: "toolCall", id: "c1", name: "look", arguments: {} }],
        provider: "fake",
        model: "small",
        stopReason: "toolUse",
      },
    );
    await session.close();
    const { agent, server, end } = await stage({ script: ["Done."], session: await openSession(file) });
    expect(await agent.continue()).toMatchObject({ status: "answered" });
    expect(server.faults).toEqual([]);
    expect(server.requests[0]?.messages.filter(({ role }) => role === "user")).toHaveLength(1);
    expect(server.requests[0]?.messages.at(-1)?.results).toHaveLength(1);
    expect(await agent.continue()).toEqual({ status: "nothing", because: "answered" });
    const live = await textsOf(agent.session);
    await end();
    const reopened = await openSession(file);
    expect(await textsOf(reopened)).toEqual(live);
    await reopened.close();
  });

  it("[A1] declares prompt and tools once, and again only when they change", async () => {
    const first = await stage({ script: ["a", "b"], tools: [tool("look", () => "x")] });
    await first.agent.prompt("one");
    const before = first.session.leafId;
    const second = await stage({ script: ["c"], session: first.session, tools: [tool("look", () => "x")] });
    expect(first.session.leafId).toBe(before);
    await second.end();
    await first.server.close();
  });

  it("[M7, A3] tries again what may pass, and gives up with the reason", async () => {
    const { agent, order, end } = await stage({
      script: [{ status: 503, message: "overloaded" }, { status: 429, headers: { "retry-after": "0" } }, "Here."],
    });
    expect(await agent.prompt("Hello?")).toMatchObject({ status: "answered" });
    expect(order().filter((name) => name.startsWith("retry"))).toEqual([
      "retry_start",
      "retry_end",
      "retry_start",
      "retry_end",
    ]);
    await end();
    const dead = await stage({ script: [{ status: 401, message: "no such key" }] });
    expect(await dead.agent.prompt("Hello?")).toMatchObject({
      status: "failed",
      error: { code: "REQUEST_FAILED", message: expect.stringContaining("no such key") },
    });
    expect(dead.server.requests).toHaveLength(1);
    await dead.end();
  });

  it("[A1] stops at once when it is aborted, and the next prompt works", async () => {
    const { agent, server, events, end } = await stage({
      script: (_, number) => (number === 0 ? { fault: "hang" } : "Here."),
    });
    const asked = agent.prompt("Hello?");
    await until(() => server.requests.length === 1);
    await agent.abort();
    expect(await asked).toEqual({ status: "aborted" });
    expect(await agent.prompt("Again?")).toMatchObject({ status: "answered" });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count("agent_start")).toBe(count("agent_end"));
    expect(count("turn_start")).toBe(count("turn_end"));
    expect(server.faults).toEqual([]);
    await end();
  });

  it("[A1, T3] compacts before the first request to a model with a smaller window", async () => {
    const { agent, server, order, end } = await stage({
      script: () => `Answer. ${"words of an answer ".repeat(120)}`,
      contextWindow: 100_000,
      window: { small: 100_000, tiny: 8_000 },
    });
    for (let turn = 0; turn < 20; turn++) await agent.prompt(`Question ${turn}? ${"more words ".repeat(60)}`);
    expect(order()).not.toContain("compaction_start threshold");
    await agent.setModel(await modelAt(server, 8_000, "tiny"));
    const before = server.requests.length;
    expect(await agent.prompt("And now?")).toMatchObject({ status: "answered" });
    expect(order()).toContain("compaction_start threshold");
    expect(server.requests[before]?.model).toBe("tiny");
    expect(server.faults).toEqual([]);
    expect(agent.contextUsage()).toMatchObject({ contextWindow: 8_000, source: "usage" });
    await end();
  });

  it("[A2] a compaction asked for in the turn's last moment is made, whenever that is", async () => {
    const { agent, session, end } = await stage({ script: ["Hello."] });
    const { endTurn } = session;
    for (let steps = 0; steps < 8; steps++) {
      let asked: Promise<unknown> | undefined;
      Object.assign(session, {
        endTurn: () => {
          const ended = endTurn();
          void ended.then(async () => {
            for (let step = 0; step < steps; step++) await undefined;
            asked = agent.compact();
          });
          return ended;
        },
      });
      await agent.prompt("Hello?");
      expect(await asked).toMatchObject({ status: "skipped" });
    }
    await end();
  });

  it("[X3] begins on a session whose system message declares odd tools", async () => {
    for (const toolsAdded of [{}, [null, { name: 1 }], "look"]) {
      const session = await openSession(createMemoryStore());
      await session.append({ role: "system", content: "Be brief.", toolsAdded } as unknown as Message);
      const { agent, server, end } = await stage({ script: ["Here."], session });
      expect(await agent.prompt("Hello?")).toMatchObject({ status: "answered" });
      expect(server.faults).toEqual([]);
      await end();
    }
  });

  it("[A1] takes the result of a tool that answers at once", async () => {
    const quick = { ...tool("look", () => ""), execute: () => ({ content: [{ type: "text", text: "seen" }] }) };
    const { agent, server, end } = await stage({
      script: [calls("look"), "Done."],
      tools: [quick as unknown as ReturnType<typeof tool>],
    });
    expect(await agent.prompt("Look.")).toMatchObject({ status: "answered" });
    expect(lastText(server.requests[1] as never)).toBe("seen");
    await end();
  });

  it("[A1] says why when it is asked after its end, and on a session that is read-only", async () => {
    const { agent, session, end } = await stage({ script: ["x"] });
    await end();
    expect(await agent.prompt("Hello?")).toMatchObject({ status: "failed", error: { code: "SESSION_CLOSED" } });
    await expect(session.append({ role: "user", content: "x" })).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });
});
