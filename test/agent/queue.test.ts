import { describe, expect, it } from "vitest";
import type { SettingsInput, Summarizer } from "../../src/index.ts";
import { calls, type Stage, stage, timesAsked, tool, until } from "./stage.ts";

const LONG = "some more words of it ".repeat(160);
const SMALL = { compaction: { keepRecentTokens: 1_000 } };

type Ending = "done" | "failed" | "aborted";

/** A summarizer that waits until it is told how to end. */
function held(): Summarizer & { asked: boolean; end(how: Ending): void } {
  let end: ((how: Ending) => void) | undefined;
  return {
    id: "held",
    asked: false,
    async summarize(_request, signal) {
      this.asked = true;
      const how = await new Promise<Ending>((resolve) => {
        end = resolve;
        signal.addEventListener("abort", () => resolve("aborted"), { once: true });
      });
      if (how === "aborted") return { kind: "aborted" };
      if (how === "failed") return { kind: "failed", reason: "the model is gone.", retryable: false };
      return { kind: "text", text: "## Goal\nAll that.", method: "llm" };
    },
    end: (how) => end?.(how),
  };
}

/** A session in which the next maintenance of the kind is about to happen. */
async function before(kind: string, summarizer: Summarizer): Promise<Stage> {
  const settings: SettingsInput = { ...SMALL, fallback: "fail" };
  const script = (_: unknown, number: number) =>
    kind === "tool" && number === 3
      ? calls("compact")
      : kind === "overflow" && number === 3
        ? { fault: "overflow" as const }
        : `Yes. ${LONG}`;
  const on = await stage({ script, settings, summarizer, ...(kind === "threshold" && { contextWindow: 8_000 }) });
  const turns = kind === "threshold" ? 2 : 3;
  for (let turn = 0; turn < turns; turn++) await on.agent.prompt(`Question ${turn}? ${LONG}`);
  return on;
}

/** Begins it; resolves when its summary is being written. */
async function begin(kind: string, on: Stage, summarizer: { asked: boolean }): Promise<void> {
  const target = async () => {
    const { messages } = await on.session.context();
    return messages.find(({ message }) => message.role === "assistant")?.entryId ?? null;
  };
  const prompts = async () => {
    while (!summarizer.asked) await on.agent.prompt(`And now? ${LONG}`);
  };
  if (kind === "manual") void on.agent.compact();
  // A branch summary that fails rejects.
  else if (kind === "branch summary") on.agent.branchWithSummary(await target()).catch(() => undefined);
  else void prompts();
  await until(() => summarizer.asked);
}

const ENDINGS: readonly Ending[] = ["done", "failed", "aborted"];

describe("input that is typed while maintenance runs", () => {
  for (const kind of ["manual", "threshold", "overflow", "tool", "branch summary"]) {
    for (const ending of ENDINGS) {
      it(`[A4, I6] [CI-01] [CI-02] is delivered once and in order: ${kind}, ${ending}`, async () => {
        const summarizer = held();
        const on = await before(kind, summarizer);
        await begin(kind, on, summarizer);
        const asked = ["first words", "second words", "third words"].map((text, index) =>
          index === 1 ? on.agent.steer(text) : on.agent.prompt(text),
        );
        expect(on.events.filter(({ type }) => type === "queue_change").length).toBeGreaterThan(0);
        if (ending === "aborted") {
          on.agent.abortCompaction();
          on.agent.abortBranchSummary();
        } else {
          summarizer.end(ending);
        }
        const release = setInterval(() => summarizer.end("done"), 5);
        const outcomes = await Promise.all(asked);
        clearInterval(release);
        for (const outcome of outcomes) expect(outcome.status).toMatch(/^(answered|failed)$/);
        const said: string[] = [];
        for await (const { entry } of on.session.store.entries()) {
          const [text] =
            /(first|second|third) words/.exec(JSON.stringify(entry.type === "message" && entry.message)) ?? [];
          if (text) said.push(text);
        }
        expect([...said].sort()).toEqual(["first words", "second words", "third words"]);
        expect(said.indexOf("third words")).toBeGreaterThan(said.indexOf("first words"));
        // A turn that goes on takes up steering first; without one the order of typing is all there is.
        if (kind === "manual" || kind === "branch summary") expect(said[1]).toBe("second words");
        expect(timesAsked(on.server, "third words")).toBeLessThanOrEqual(1);
        expect(on.server.faults).toEqual([]);
        await on.end();
      });
    }
  }
});

describe("input that is typed while a turn runs", () => {
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { opened, open: () => open() };
  };

  it("[A1, A4] goes into the turn when it steers, and after it when it follows up", async () => {
    const { opened, open } = gate();
    const on = await stage({
      script: (_, number) => (number === 0 ? calls("wait") : `Answer ${number}.`),
      tools: [tool("wait", () => opened.then(() => "waited"))],
    });
    const asked = on.agent.prompt("Begin.");
    await until(() => on.order().includes("tool_execution_start"));
    const followed = on.agent.followUp("And after that?");
    const steered = on.agent.steer("Rather this way.");
    open();
    expect(await Promise.all([asked, steered, followed])).toMatchObject([
      { status: "answered", reply: { content: [{ text: "Answer 1." }] } },
      { status: "answered", reply: { content: [{ text: "Answer 1." }] } },
      { status: "answered", reply: { content: [{ text: "Answer 2." }] } },
    ]);
    expect(on.server.requests[1]?.messages.at(-1)?.text).toContain("Rather this way.");
    expect(on.server.requests[1]?.prompt).not.toContain("And after that?");
    expect(on.server.requests[2]?.prompt).toContain("And after that?");
    await on.end();
  });

  it("[A4, I6] is given back by an abort, and not delivered then", async () => {
    const { opened, open } = gate();
    const on = await stage({
      script: (_, number) => (number === 0 ? calls("wait") : "Yes."),
      tools: [
        tool("wait", (_, signal) =>
          Promise.race([opened, new Promise<void>((end) => signal?.addEventListener("abort", () => end()))]).then(
            () => "waited",
          ),
        ),
      ],
    });
    const asked = on.agent.prompt("Begin.");
    await until(() => on.order().includes("tool_execution_start"));
    const steered = on.agent.steer("Rather this way.");
    const followed = on.agent.prompt("And after that?");
    expect((await on.agent.abort()).map((input) => JSON.stringify(input))).toEqual([
      expect.stringContaining("Rather this way."),
      expect.stringContaining("And after that?"),
    ]);
    open();
    expect(await Promise.all([asked, steered, followed])).toEqual(Array(3).fill({ status: "aborted" }));
    expect(await on.agent.prompt("What now?")).toMatchObject({ status: "answered" });
    expect(on.server.requests.at(-1)?.prompt).not.toContain("after that");
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[A4, I6] is given back by an abort that comes before its turn has begun", async () => {
    const { agent, server, end } = await stage({ script: ["Yes."] });
    const asked = agent.prompt("Really?");
    const aborts = [agent.abort(), agent.abort()];
    expect(await Promise.all(aborts)).toEqual([[[{ type: "text", text: "Really?" }]], []]);
    expect(await asked).toEqual({ status: "aborted" });
    expect(server.requests).toHaveLength(0);
    expect(await agent.prompt("And now?")).toMatchObject({ status: "answered" });
    await end();
  });

  it("[A4] [A5] a turn without input that waits behind a compaction is called off with it", async () => {
    const { agent, session, server, end } = await stage({ script: ["Yes."] });
    await session.append({ role: "user", content: "Are you there?" });
    const compacted = agent.compact();
    const gone = agent.continue();
    await agent.abort();
    await compacted;
    expect(await gone).toEqual({ status: "aborted" });
    expect(server.requests).toHaveLength(0);
    await end();
  });

  it("[A4] is delivered after a turn that failed", async () => {
    const on = await stage({ script: (_, number) => (number === 0 ? { status: 400, message: "odd" } : "Yes.") });
    const asked = on.agent.prompt("Begin.");
    const followed = on.agent.followUp("And after that?");
    expect(await asked).toMatchObject({ status: "failed" });
    expect(await followed).toMatchObject({ status: "answered" });
    expect(on.server.requests.at(-1)?.prompt).toContain("Begin.");
    await on.end();
  });

  it("[A1] refuses what is no input", async () => {
    const on = await stage({ script: ["x"] });
    for (const odd of [undefined, 7, {}, [7]]) await expect(on.agent.prompt(odd as never)).rejects.toThrow(TypeError);
    await expect(on.agent.prompt("  ")).rejects.toThrow(TypeError);
    expect(on.server.requests).toHaveLength(0);
    await on.end();
  });
});
