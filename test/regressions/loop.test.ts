import { describe, expect, it } from "vitest";
import { microCompact } from "../../src/adapters/index.ts";
import type { Message, Session } from "../../src/index.ts";
import { open, says, user, work } from "../engine/long-session.ts";

const overflow: Message = {
  role: "assistant",
  content: [],
  stopReason: "error",
  errorMessage: "prompt is too long: 17000 tokens > 16000 maximum",
};

function heard(session: Session, type: "compaction_start" | "compaction_end"): unknown[] {
  const events: unknown[] = [];
  session.on(type, (event) => events.push(event));
  return events;
}

async function compactions(session: Session): Promise<number> {
  let count = 0;
  for await (const { entry } of session.store.entries()) if (entry.type === "compaction") count++;
  return count;
}

describe("compaction that goes round in circles", () => {
  it("[LT-01] what can't shrink enough is tried a bounded number of times, and the user is told what fills the window", async () => {
    const session = await open({ contextWindow: 8000 });
    await session.append({ role: "system", content: "rule ".repeat(7000) });
    const starts = heard(session, "compaction_start");
    const told: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      await work(session, 1);
      const { message } = await session.maintain();
      if (message) told.push(message);
    }
    expect(starts.length).toBeLessThanOrEqual(3);
    expect(told[0]).toMatch(/system \d+, tools 0, summary \d+, kept messages \d+/);
    expect(told.length).toBeLessThanOrEqual(3);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "breaker-open" });
  });

  it("[LT-04] /compact while the automatic check runs writes one compaction", async () => {
    const session = await open();
    await work(session, 60);
    const both = await Promise.allSettled([session.compact(), session.maintain()]);
    expect(both[0].status).toBe("fulfilled");
    expect(await compactions(session)).toBe(1);
    expect((await session.maintain()).decision).toEqual({ kind: "none", because: "under-threshold" });
    expect(await compactions(session)).toBe(1);
  });

  it("[LT-06] with nothing to forget an overflow stores no compaction and is told", async () => {
    const session = await open();
    await work(session, 60);
    await session.compact({ mode: "retain-none" });
    await session.append(user("Go on."), overflow);
    const ends = heard(session, "compaction_end");
    const outcome = await session.maintain({ willRetry: true });
    expect(await compactions(session)).toBe(1);
    expect(outcome.compaction?.status).not.toBe("compacted");
    expect(outcome.message).toMatch(/^Context overflow recovery failed/);
    expect(ends.length).toBeLessThanOrEqual(1);
  });

  it("[LT-07] nothing is cleared without pressure, however many calls a turn has", async () => {
    const session = await open({ contextWindow: 200_000 });
    await session.append(user("Search everywhere."));
    const sent: object[] = [{ role: "user", content: "Search everywhere." }];
    for (let n = 0; n < 30; n++) {
      const text = `hit ${n} in the text\n`.repeat(160);
      await session.append(
        { role: "assistant", content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { n } }] },
        {
          role: "toolResult",
          toolCallId: `c${n}`,
          toolName: "bash",
          content: [{ type: "text", text }],
          isError: false,
        },
      );
      sent.push(
        { role: "assistant", content: [{ type: "tool_use", id: `c${n}`, name: "bash", input: { n } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `c${n}`, content: [{ type: "text", text }] }] },
      );
    }
    const before = await session.context();
    const { decision, pruned } = await session.maintain();
    expect([decision, pruned]).toEqual([{ kind: "none", because: "under-threshold" }, undefined]);
    expect((await session.context()).messages).toEqual(before.messages);
    const options = { format: "anthropic", minFill: 0.5 } as const;
    expect(microCompact(sent, { ...options, contextWindow: 200_000 })).toEqual(sent);
    const pressed = microCompact(sent, { ...options, contextWindow: 40_000 });
    expect(pressed).not.toEqual(sent);
    expect(pressed.slice(-6)).toEqual(sent.slice(-6));
    await session.append(says("Found."));
  });
});
