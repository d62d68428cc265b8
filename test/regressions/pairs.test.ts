import { describe, expect, it } from "vitest";
import { convertToLlm } from "../../src/core/context/render.ts";
import type { Message, Session } from "../../src/index.ts";
import { open, says, user, work } from "../engine/long-session.ts";

const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "toolCall", id, name: "bash", arguments: { id } })),
  stopReason: "toolUse",
});
const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "bash",
  content: [{ type: "text", text: `out of ${toolCallId}` }],
  isError: false,
});

async function tail(session: Session, count: number): Promise<string[]> {
  const sent = convertToLlm((await session.context()).messages);
  return sent
    .slice(-count)
    .map((message) =>
      message.role === "toolResult" ? `${message.toolCallId}${message.isError ? " failed" : ""}` : message.role,
    );
}

describe("calls and their results", () => {
  it("[TP-02] parallel results stored out of order, with a note between, come right after their calls in call order", async () => {
    const session = await open();
    await work(session, 12);
    await session.append(
      user("Do both."),
      calls("a", "b", "c"),
      result("c"),
      user("And hurry."),
      result("a"),
      result("b"),
    );
    expect(await tail(session, 6)).toEqual(["user", "assistant", "a", "b", "c", "user"]);
    expect((await session.compact()).status).toBe("compacted");
    expect(await tail(session, 5)).toEqual(["assistant", "a", "b", "c", "user"]);
  });

  it("[TP-03] an interrupted call is answered in the context and not in the store, before and after a compaction", async () => {
    const session = await open();
    await work(session, 12);
    await session.append(user("Deploy."), calls("x"), user("Go on."));
    const { size } = await session.tree();
    expect(await tail(session, 4)).toEqual(["user", "assistant", "x failed", "user"]);
    expect((await session.compact()).status).toBe("compacted");
    expect(await tail(session, 3)).toEqual(["assistant", "x failed", "user"]);
    expect((await session.tree()).size).toBe(size + 1);
  });

  it("[TP-04] a call whose result is still to come is kept by an automatic compaction, and gets its result", async () => {
    const session = await open();
    await work(session, 60);
    await session.append(user("Run it."), calls("live"));
    expect((await session.maintain()).compaction?.status).toBe("compacted");
    await session.append(result("live"), says("Ran."));
    expect(await tail(session, 3)).toEqual(["assistant", "live", "assistant"]);
  });
});
