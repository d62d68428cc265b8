import { describe, expect, it } from "vitest";
import { calls, stage, tool, until } from "./stage.ts";

const LONG = "some more words of it ".repeat(160);
const SMALL = { compaction: { keepRecentTokens: 1_000 } };
const CONTINUE = "Continue if you have next steps.";

describe("recovery from overflow", () => {
  it("[A3, T4, I4] is tried once for each prompt, then stops with the reason", async () => {
    let sick = false;
    const on = await stage({ script: () => (sick ? { fault: "overflow" as const } : `Yes. ${LONG}`), settings: SMALL });
    for (let turn = 0; turn < 4; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
    sick = true;
    const before = on.server.requests.length;
    const outcome = await on.agent.prompt("And now?");
    expect(outcome).toMatchObject({
      status: "failed",
      error: { code: "REQUEST_FAILED", message: expect.stringContaining("Context overflow recovery failed: ") },
    });
    expect(on.server.requests.length - before).toBeLessThanOrEqual(2);
    expect(on.order().filter((name) => name === "retry_start")).toEqual([]);
    sick = false;
    expect(await on.agent.prompt("Better?")).toMatchObject({ status: "answered" });
    await on.end();
  });

  it("[T4] learns a window that is smaller than the declared one, and keeps to it from then on", async () => {
    const on = await stage({
      script: () => `Yes. ${LONG}`,
      contextWindow: 100_000,
      overflowAt: 9_000,
      settings: SMALL,
    });
    for (let turn = 0; turn < 24; turn++) {
      expect(await on.agent.prompt(`Question ${turn}? ${LONG}`)).toMatchObject({ status: "answered" });
    }
    expect(on.session.settings.contextWindow).toBeLessThanOrEqual(9_000);
    const refused = on.events.filter((event) => event.type === "message_end" && "errorMessage" in event.message);
    expect(refused).toHaveLength(1);
    await on.end();
  });

  it("[T7, I5] [SE-01] does nothing where compaction is off, and says so", async () => {
    const on = await stage({ script: [{ fault: "overflow" }], settings: { compaction: { enabled: false } } });
    const outcome = await on.agent.prompt("Hello?");
    expect(outcome).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("compaction.enabled") },
    });
    expect(on.order()).not.toContain("compaction_start overflow");
    await on.end();
  });

  it("[T8, I4] sends no request that is over the window, and says what fills it", async () => {
    const on = await stage({ script: ["Yes."], contextWindow: 4_000, window: 4_000 });
    const outcome = await on.agent.prompt("word ".repeat(9_000));
    if (outcome.status === "failed") expect(outcome.error.code).toBe("CONTEXT_FULL");
    expect(on.server.faults).toEqual([]);
    await on.end();
  });
});

describe("an undo that leaves more than the window", () => {
  it("[T7, I4] does not hold compaction back: the next prompt is answered", async () => {
    const on = await stage({ script: () => `Yes. ${LONG}`, contextWindow: 8_000, window: 8_000, settings: SMALL });
    for (let turn = 0; turn < 9; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
    while ((await on.session.undo()).status === "undone");
    expect(on.agent.contextUsage().percent).toBeGreaterThan(100);
    for (let turn = 0; turn < 3; turn++) {
      expect(await on.agent.prompt(`Once more, ${turn}?`)).toMatchObject({ status: "answered" });
    }
    expect(on.server.faults).toEqual([]);
    await on.end();
  });
});

describe("a request that is too large in bytes", () => {
  const image = { type: "image" as const, data: "iVBORw0K".repeat(100), mimeType: "image/png" };

  it("[TC-03] is sent again without its oldest images, and fails with the reason where there are none", async () => {
    const refused = { status: 413, message: "Request Entity Too Large" };
    const on = await stage({ script: (_, number) => (number < 2 ? refused : "I see.") });
    for (const words of ["One.", "Two."]) {
      await on.session.append({ role: "user", content: [{ type: "text", text: words }, image] });
    }
    expect(await on.agent.prompt("And now?")).toMatchObject({ status: "answered" });
    expect(on.server.requests).toHaveLength(3);
    expect(JSON.stringify((await on.session.context()).messages)).not.toContain(image.data);
    expect(on.order().filter((name) => name.startsWith("compaction"))).toEqual([]);
    await on.end();
    const bare = await stage({ script: () => refused });
    expect(await bare.agent.prompt("Hello?")).toMatchObject({ status: "failed" });
    expect(bare.server.requests).toHaveLength(1);
    await bare.end();
  });
});

describe("going on by itself", () => {
  const cut = (stop: "stop" | "length", text = "And so on") =>
    stage({
      script: ({ prompt }) => (prompt.includes(CONTINUE) ? "Done." : { text: `${text} ${LONG}`, stop }),
      contextWindow: 9_000,
      settings: { compaction: { keepRecentTokens: 1_000 } },
    });

  async function turns(on: Awaited<ReturnType<typeof stage>>): Promise<void> {
    while (!on.order().includes("compaction_start threshold")) {
      await on.agent.prompt(`Question ${on.server.requests.length}? ${"more words ".repeat(40)}`);
    }
  }

  it("[A3, V6] [TR-11] happens when a reply was cut and its context compacted; the words are not the user's", async () => {
    const on = await cut("length");
    await turns(on);
    const { messages } = await on.session.context();
    expect(messages.filter(({ message }) => message.role === "custom")).toHaveLength(1);
    expect(on.server.requests.at(-1)?.messages.at(-1)?.text).toContain(CONTINUE);
    expect(on.order().at(-1)).toBe("agent_end");
    await on.end();
  });

  it("[A3] [TR-11] does not happen where compaction.autoContinue is off", async () => {
    const on = await cut("length");
    on.session.configure({ "compaction.autoContinue": false });
    await turns(on);
    expect(on.server.requests.at(-1)?.prompt).not.toContain(CONTINUE);
    await on.end();
  });

  it("[A3] [TR-12] does not happen after a finished answer or a question to the user", async () => {
    const on = await cut("stop", "Shall I run the migration?");
    await turns(on);
    expect(on.server.requests.at(-1)?.prompt).not.toContain(CONTINUE);
    await on.end();
  });

  it("[A2] [TR-11] [AC-02] [LT-04] a turn that a manual compaction breaks off goes on, with one compaction", async () => {
    const on = await stage({
      script: (_, number) => (number < 6 ? `Yes. ${LONG}` : number === 6 ? { text: LONG, delayMs: 20 } : "Here it is."),
      contextWindow: 9_000,
      settings: { compaction: { keepRecentTokens: 1_000 } },
    });
    for (let turn = 0; turn < 3; turn++) await on.agent.prompt(`Question ${turn}? ${"more words ".repeat(40)}`);
    while (on.server.requests.length < 6) await on.agent.prompt("And?");
    on.events.length = 0;
    const asked = on.agent.prompt("Write it all down.");
    await until(() => on.events.some(({ type }) => type === "message_update"));
    expect(await on.agent.compact("the migration")).toMatchObject({ status: "compacted" });
    expect(await asked).toMatchObject({ status: "answered", reply: { content: [{ text: "Here it is." }] } });
    expect(on.order().filter((name) => name.startsWith("compaction_start"))).toEqual(["compaction_start manual"]);
    expect(on.server.requests.at(-1)?.messages.at(-1)?.text).toContain("Write it all down.");
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[A2, A5] [AC-01] [AC-02] a manual compaction during the recovery from an overflow takes it over", async () => {
    const on = await stage({
      script: (_, number) => (number === 4 ? { fault: "overflow" } : `Yes. ${LONG}`),
      settings: SMALL,
    });
    for (let turn = 0; turn < 4; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
    let waited = 0;
    on.session.hook("session_before_compact", async () => {
      if (waited++ === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      return undefined;
    });
    const asked = on.agent.prompt("And now?");
    await until(() => on.order().includes("compaction_start overflow"));
    const compacted = on.agent.compact();
    expect(await compacted).toMatchObject({ status: "compacted" });
    expect(await asked).toMatchObject({ status: "answered" });
    const ends = on.events.filter((event) => event.type === "compaction_end");
    expect(ends).toMatchObject([
      { reason: "overflow", aborted: true },
      { reason: "manual", aborted: false },
    ]);
    expect(on.order().at(-1)).toBe("agent_end");
    await on.end();
  });

  it("[A2] [TR-11] a manual compaction while nothing runs begins no turn", async () => {
    const on = await stage({ script: () => `Yes. ${LONG}`, settings: SMALL });
    for (let turn = 0; turn < 4; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
    const before = on.server.requests.length;
    await on.agent.compact();
    await on.agent.whenIdle();
    expect(on.server.requests).toHaveLength(before);
    await on.end();
  });
});

describe("the compact tool", () => {
  const ask = (number: number, at: number) =>
    number === at
      ? {
          toolCalls: [
            { name: "compact", arguments: { focus: "the API design" } },
            { name: "compact", arguments: { focus: "the tests" } },
          ],
        }
      : number === at + 1
        ? calls("compact")
        : `Yes. ${LONG}`;

  it("[R8] [TP-06] merges two of a batch, tells the tokens, and refuses one right after it", async () => {
    const asked: string[] = [];
    const on = await stage({ script: (_, number) => ask(number, 4), settings: SMALL });
    on.session.hook("session_before_compact", ({ customInstructions }) => {
      asked.push(customInstructions ?? "");
      return undefined;
    });
    for (let turn = 0; turn < 4; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
    expect(await on.agent.prompt("Make room.")).toMatchObject({ status: "answered" });
    expect(asked).toEqual(["the API design\nthe tests"]);
    const { messages } = await on.session.context();
    const results = messages
      .filter(({ message }) => message.role === "toolResult")
      .map(({ message }) => JSON.stringify(message));
    expect(results).toHaveLength(3);
    expect(results[0]).toMatch(/Compacted: \d+ tokens before, \d+ after\./);
    expect(results[1]).toMatch(/Compacted: \d+ tokens before, \d+ after\./);
    expect(results[2]).toContain("Not compacted: the conversation was compacted just now");
    expect(on.order().filter((name) => name === "compaction_start tool")).toHaveLength(1);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[R8] goes on with the task when it comes to nothing", async () => {
    const on = await stage({ script: [calls("compact"), "Then without."] });
    expect(await on.agent.prompt("Make room.")).toMatchObject({ status: "answered" });
    const { messages } = await on.session.context();
    expect(JSON.stringify(messages)).toContain("Not compacted: there is too little to replace.");
    await on.end();
  });
});

describe("a tool that does not end when it is told to", () => {
  it("[A7] [TB-01] has its result stored on the branch it was called on", async () => {
    let finish = (_: string) => {};
    const work = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const on = await stage({
      script: (_, number) => (number === 1 ? calls("stubborn") : "Yes."),
      tools: [tool("stubborn", () => work)],
    });
    await on.agent.prompt("First?");
    const first = on.session.leafId;
    const asked = on.agent.prompt("Second?");
    await until(() => on.order().includes("tool_execution_start"));
    const callId = on.session.leafId;
    await on.agent.navigateTree(first);
    expect(await asked).toEqual({ status: "aborted" });
    await on.agent.prompt("Elsewhere?");
    const leaf = on.session.leafId;
    finish("late words");
    await until(() => on.session.store.position().tipId !== leaf);
    expect(on.session.leafId).toBe(leaf);
    expect(JSON.stringify((await on.session.context()).messages)).not.toContain("late words");
    await on.agent.navigateTree(callId);
    const { messages } = await on.session.context();
    expect(messages.filter(({ message }) => message.role === "toolResult")).toHaveLength(1);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  describe("and whose output is cut", () => {
    const stubborn = (work: Promise<string>) => ({
      ...tool("stubborn", () => ""),
      async execute() {
        await work;
        return { content: [{ type: "text" as const, text: "cut" }], details: { fullOutput: "the whole of it" } };
      },
    });

    it("[A7, R9] shows the cut output of a late result, not the whole", async () => {
      let finish = (_: string) => {};
      const work = new Promise<string>((resolve) => {
        finish = resolve;
      });
      const on = await stage({
        script: (_, number) => (number === 0 ? calls("stubborn") : "Yes."),
        tools: [stubborn(work)],
      });
      const asked = on.agent.prompt("Run it.");
      await until(() => on.order().includes("tool_execution_start"));
      await on.agent.abort();
      expect(await asked).toEqual({ status: "aborted" });
      const leaf = on.session.leafId;
      finish("");
      await until(() => on.session.leafId !== leaf);
      const results = (await on.session.context()).messages.filter(({ message }) => message.role === "toolResult");
      expect(results).toMatchObject([{ edited: true, message: { content: [{ text: "cut" }] } }]);
      expect((await on.session.recall("whole")).hits[0]).toMatchObject({ where: "edited" });
      await on.end();
    });

    it("[A7, R9] does the same on the branch that was left, where recall finds the whole by words and by id", async () => {
      let finish = (_: string) => {};
      const work = new Promise<string>((resolve) => {
        finish = resolve;
      });
      const on = await stage({
        script: (_, number) => (number === 1 ? calls("stubborn") : "Yes."),
        tools: [stubborn(work)],
      });
      await on.agent.prompt("First?");
      const first = on.session.leafId;
      const asked = on.agent.prompt("Second?");
      await until(() => on.order().includes("tool_execution_start"));
      await on.agent.navigateTree(first);
      expect(await asked).toEqual({ status: "aborted" });
      await on.agent.prompt("Elsewhere?");
      const { leafId } = on.session;
      const { tipId } = on.session.store.position();
      finish("");
      await until(() => on.session.store.position().tipId !== tipId);
      expect(on.session.leafId).toBe(leafId);
      const [hit] = (await on.session.recall("whole")).hits;
      expect(hit).toMatchObject({ where: "branch", role: "toolResult", text: "the whole of it" });
      expect((await on.session.recall({ entryId: hit?.entryId ?? "" })).hits[0]?.text).toBe("the whole of it");
      const [edit] = (await on.session.tree()).children(hit?.entryId ?? "");
      await on.agent.navigateTree(edit ?? "");
      const results = (await on.session.context()).messages.filter(({ message }) => message.role === "toolResult");
      expect(results).toMatchObject([{ edited: true, message: { content: [{ text: "cut" }] } }]);
      expect(on.server.faults).toEqual([]);
      await on.end();
    });
  });
});

describe("a tool's output that was cut", () => {
  it("[R9, A1] is kept whole, shown cut, and found again by recall", async () => {
    const whole = `${"noise line\n".repeat(4_000)}the needle xk42\n${"noise line\n".repeat(4_000)}`;
    const long = {
      ...tool("long", () => ""),
      execute: async () => ({
        content: [{ type: "text" as const, text: "noise line … cut" }],
        details: { fullOutput: whole },
      }),
    };
    const on = await stage({ script: [calls("long"), "I see."], tools: [long] });
    expect(await on.agent.prompt("Run it.")).toMatchObject({ status: "answered" });
    expect(on.server.requests[1]?.messages.at(-1)?.results[0]?.text).toBe("noise line … cut");
    const { hits } = await on.session.recall("needle xk42");
    expect(hits[0]).toMatchObject({ where: "edited", text: expect.stringContaining("the needle xk42") });
    expect(on.agent.contextUsage().source).toBe("usage");
    await on.end();
  });
});
