import { describe, expect, it } from "vitest";
import type { Summarizer } from "../../src/index.ts";
import { calls, type Stage, stage, tool, until } from "./stage.ts";

const LONG = "some more words of it ".repeat(160);

/** Every start has one end, in order, and none is open at the end [I6]. */
function openOnes({ events }: Stage): string[] {
  const open: string[] = [];
  for (const { type } of events) {
    const [, what, edge] = /^(.*)_(start|end)$/.exec(type) ?? [];
    if (!what || what === "message" || what === "tool_execution") continue;
    if (edge === "start") open.push(what);
    else if (open.includes(what)) open.splice(open.lastIndexOf(what), 1);
    else open.push(`unstarted ${what}`);
  }
  return open;
}

const TURN = ["agent_start", "turn_start", "message user", "message assistant", "turn_end", "agent_end"];
const failing: Summarizer = {
  id: "dead",
  summarize: async () => ({ kind: "failed", reason: "the model is gone.", retryable: false }),
};
const slow = (ms: number): Summarizer => ({
  id: "slow",
  summarize: (_, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ kind: "text", text: "## Goal\nAll that.", method: "llm" }), ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve({ kind: "aborted" });
      });
    }),
});

async function filled(stage: Stage, turns: number): Promise<Stage> {
  for (let turn = 0; turn < turns; turn++) await stage.agent.prompt(`Question ${turn}? ${LONG}`);
  stage.events.length = 0;
  return stage;
}

describe("the order of events", () => {
  it("[H3, I6] of a plain turn", async () => {
    const on = await stage({ script: ["Yes."] });
    await on.agent.prompt("Is it?");
    expect(on.order()).toEqual(TURN);
    await on.end();
  });

  it("[I6, T5] of a threshold that is passed at the end of a turn", async () => {
    const on = await filled(await stage({ script: () => `It is. ${LONG}`, contextWindow: 8_000 }), 3);
    while (!on.order().includes("compaction_start threshold")) {
      on.events.length = 0;
      await on.agent.prompt(`And? ${LONG}`);
    }
    const compaction = [
      "compaction_start threshold",
      "auto_compaction_start",
      "compaction_end threshold",
      "auto_compaction_end",
    ];
    const order = on.order();
    const at = order.indexOf("compaction_start threshold");
    expect(order.slice(at, at + 4)).toEqual(compaction);
    const rest = [...order.slice(0, at), ...order.slice(at + 4)];
    expect(rest).toEqual(TURN);
    expect(openOnes(on)).toEqual([]);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[T5, I6] of a threshold that is passed between a tool's results and the next request", async () => {
    const on = await stage({
      script: (_, number) => (number < 12 ? calls("look", { path: `${number}.ts` }) : "Done."),
      tools: [tool("look", ({ path }) => `${path}: ${LONG}`)],
      contextWindow: 8_000,
      window: 8_000,
      settings: { compaction: { keepRecentTokens: 2_000 } },
    });
    expect(await on.agent.prompt("Look at all of them.")).toMatchObject({ status: "answered" });
    const order = on.order();
    const at = order.indexOf("compaction_start threshold");
    expect(at).toBeGreaterThan(0);
    expect(order.slice(at - 2, at)).toEqual(["message toolResult", "turn_end"]);
    expect(order.slice(at, at + 6)).toEqual([
      "compaction_start threshold",
      "auto_compaction_start",
      "compaction_end threshold",
      "auto_compaction_end",
      "turn_start",
      "message assistant",
    ]);
    expect(order.filter((name) => name === "agent_start")).toHaveLength(1);
    expect(openOnes(on)).toEqual([]);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[A3, I6] of an overflow: the failed reply, the compaction, the same request again", async () => {
    const on = await filled(
      await stage({ script: () => `It is. ${LONG}`, contextWindow: 64_000, overflowAt: 9_000 }),
      4,
    );
    let outcome = await on.agent.prompt(`And? ${LONG}`);
    while (!on.order().includes("compaction_start overflow")) {
      on.events.length = 0;
      outcome = await on.agent.prompt(`And? ${LONG}`);
    }
    expect(outcome.status).toBe("answered");
    const starts = on.events.filter((event) => event.type === "compaction_start");
    expect(starts).toMatchObject([{ reason: "overflow", willRetry: true }]);
    expect(on.order()).toEqual([
      ...TURN,
      "compaction_start overflow",
      "auto_compaction_start",
      "compaction_end overflow",
      "auto_compaction_end",
      "agent_start",
      "turn_start",
      "message assistant",
      "turn_end",
      "agent_end",
    ]);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[A2, I6] of a manual compaction without a turn, done and then nothing to do", async () => {
    const on = await filled(
      await stage({ script: () => `It is. ${LONG}`, settings: { compaction: { keepRecentTokens: 1_000 } } }),
      4,
    );
    expect(await on.agent.compact("the names")).toMatchObject({ status: "compacted" });
    expect(await on.agent.compact()).toMatchObject({ status: "skipped" });
    const pair = ["compaction_start manual", "compaction_end manual"];
    expect(on.order()).toEqual([...pair, ...pair]);
    await on.end();
  });

  it("[A6, I6] of one that fails: the reason is told once, the prompt is answered", async () => {
    const on = await filled(
      await stage({
        script: () => `It is. ${LONG}`,
        contextWindow: 8_000,
        summarizer: failing,
        settings: { fallback: "fail" },
      }),
      3,
    );
    while (!on.order().includes("compaction_start threshold")) {
      expect(await on.agent.prompt(`And? ${LONG}`)).toMatchObject({ status: "answered" });
    }
    expect(openOnes(on)).toEqual([]);
    const end = on.events.find((event) => event.type === "compaction_end");
    expect(end).toMatchObject({ aborted: false, errorMessage: expect.stringContaining("the model is gone") });
    const warnings = on.events.filter((event) => event.type === "warning");
    expect(JSON.stringify(warnings)).toContain("Auto-compaction failed: ");
    await on.end();
  });

  it("[A5, I6] of one that is cancelled by abortCompaction: the turn goes on", async () => {
    const on = await filled(
      await stage({ script: () => `It is. ${LONG}`, contextWindow: 8_000, summarizer: slow(60_000) }),
      3,
    );
    const cancel = on.agent.subscribe((event) => {
      if (event.type === "compaction_start") setTimeout(() => on.agent.abortCompaction(), 5);
    });
    while (!on.order().includes("compaction_end threshold")) {
      expect(await on.agent.prompt(`And? ${LONG}`)).toMatchObject({ status: "answered" });
    }
    cancel();
    expect(on.events.find((event) => event.type === "compaction_end")).toMatchObject({ aborted: true });
    expect(openOnes(on)).toEqual([]);
    await on.end();
  });

  it("[R8, I6] of one that the model asks for: after its batch, before the next request", async () => {
    const on = await filled(
      await stage({
        script: ({ prompt }, number) =>
          number === 4
            ? {
                toolCalls: [
                  { name: "compact", arguments: { focus: "the API" } },
                  { name: "look", arguments: {} },
                ],
              }
            : `It is ${prompt.length}. ${LONG}`,
        tools: [tool("look", () => "nothing")],
        settings: { compaction: { keepRecentTokens: 1_000 } },
      }),
      4,
    );
    expect(await on.agent.prompt("Go on.")).toMatchObject({ status: "answered" });
    const order = on.order().filter((name) => !name.startsWith("tool_execution"));
    expect(order).toEqual([
      "agent_start",
      "turn_start",
      "message user",
      "message assistant",
      "message toolResult",
      "message toolResult",
      "turn_end",
      "compaction_start tool",
      "auto_compaction_start",
      "compaction_end tool",
      "auto_compaction_end",
      "turn_start",
      "message assistant",
      "turn_end",
      "agent_end",
    ]);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[B4, I6] of a navigation with a summary that is called off", async () => {
    const on = await filled(await stage({ script: () => `It is. ${LONG}`, summarizer: slow(60_000) }), 2);
    const first = (await on.session.context()).messages.find(({ message }) => message.role === "assistant");
    const leaf = on.session.leafId;
    const gone = on.agent.branchWithSummary(first?.entryId ?? null);
    await until(() => on.order().includes("branch_summary_start"));
    on.agent.abortBranchSummary();
    expect(await gone).toMatchObject({ status: "cancelled" });
    expect(on.session.leafId).toBe(leaf);
    expect(on.order()).toEqual(["branch_summary_start", "branch_summary_end"]);
    await on.end();
  });
});
