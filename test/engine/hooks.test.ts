import { describe, expect, it, vi } from "vitest";
import { type CompactionOutcome, type Hooks, openSession, type Session, type SessionEvent } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

const SETTINGS = { contextWindow: 8000, compaction: { keepRecentTokens: 400 }, hooks: { timeout: 50 } };

/** A session of `turns` turns, each about 150 tokens. */
async function talk(hooks: Hooks = {}, turns = 12): Promise<Session> {
  const session = await openSession(createMemoryStore(), { hooks, settings: SETTINGS, clock: fixedClock() });
  for (let turn = 0; turn < turns; turn++) {
    await session.append(
      { role: "user", content: `Please look at part ${turn} of src/part-${turn}.ts and tell me what it does.` },
      {
        role: "assistant",
        content: [{ type: "toolCall", id: `c${turn}`, name: "read", arguments: { path: `p${turn}` } }],
      },
      {
        role: "toolResult",
        toolCallId: `c${turn}`,
        toolName: "read",
        content: [{ type: "text", text: `export const part${turn} = ${turn};\n`.repeat(10) }],
        isError: false,
      },
      { role: "assistant", content: [{ type: "text", text: `Part ${turn} exports the number ${turn}.` }] },
    );
  }
  return session;
}

async function compact(session: Session): Promise<{ outcome: CompactionOutcome; events: SessionEvent[] }> {
  const events: SessionEvent[] = [];
  session.on("*", (event) => events.push(event));
  const outcome = await session.compact();
  return { outcome, events };
}

const userEntries = async (session: Session) =>
  (await session.context()).messages.filter(({ message }) => message.role === "user");

describe("hooks of a compaction", () => {
  it("[H1] tells before, while and after, with what each is to know", async () => {
    const told: string[] = [];
    const session = await talk({
      session_before_compact: ({ preparation, branchEntries, reason, willRetry, customInstructions }) => {
        told.push(`before ${reason} ${willRetry} ${customInstructions} ${preparation.kind} ${branchEntries.length}`);
      },
      "session.compacting": ({ sessionId, messages }) => {
        told.push(`compacting ${sessionId} ${messages.length > 0}`);
      },
      session_compact: ({ compactionEntry, fromExtension }) => {
        told.push(`after ${compactionEntry.type} ${fromExtension}`);
      },
    });
    await session.compact({ focus: "the numbers" });
    expect(told).toEqual([
      "before manual false the numbers plan 48",
      "compacting memory true",
      "after compaction false",
    ]);
  });

  it("[H1, H2] stores nothing when the first opinion is a cancel", async () => {
    const second = vi.fn();
    const session = await talk({ session_before_compact: [() => ({}), () => ({ cancel: true }), second] });
    const before = await session.context();
    const { outcome, events } = await compact(session);
    expect(outcome).toEqual({ status: "cancelled", by: "hook" });
    expect(second).not.toHaveBeenCalled();
    expect((await session.context()).messages).toEqual(before.messages);
    expect(events.filter(({ type }) => type === "compaction_end")).toHaveLength(1);
  });

  it("[H1, K4] stores the first compaction that a hook gives, marked as an extension's", async () => {
    const session = await talk();
    const kept = (await userEntries(session)).at(-1)?.entryId ?? "";
    session.hook("session_before_compact", () => ({
      compaction: { summary: "All parts export numbers.", firstKeptEntryId: kept, preserveData: { mine: 1 } },
    }));
    session.hook("session_before_compact", () => ({ cancel: true }));
    const { outcome } = await compact(session);
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(outcome.entry).toMatchObject({
      summary: "All parts export numbers.",
      firstKeptEntryId: kept,
      fromExtension: true,
      fromHook: true,
      method: "hook",
      preserveData: { mine: 1 },
    });
    expect((await session.context()).messages[1]?.entryId).toBe(kept);
  });

  it.each([
    ["an empty summary", { summary: " ", firstKeptEntryId: "last-user" }],
    ["a boundary that is not on the path", { summary: "s", firstKeptEntryId: "nowhere" }],
    ["a boundary at a tool result", { summary: "s", firstKeptEntryId: "result" }],
    ["a summary that is no text", { summary: 5, firstKeptEntryId: "last-user" }],
  ])("[K4] refuses %s and writes nothing", async (_, wrong) => {
    const session = await talk();
    const { messages } = await session.context();
    const ids: Record<string, string | undefined> = {
      "last-user": messages.findLast(({ message }) => message.role === "user")?.entryId,
      result: messages.findLast(({ message }) => message.role === "toolResult")?.entryId,
    };
    const firstKeptEntryId = ids[wrong.firstKeptEntryId] ?? wrong.firstKeptEntryId;
    session.hook("session_before_compact", () => ({ compaction: { ...wrong, firstKeptEntryId } as never }));
    const failed = vi.fn();
    session.hook("session_compact_failed", failed);
    const { outcome } = await compact(session);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "HOOK_INVALID" } });
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: "manual", aborted: false }));
    expect((await session.context()).messages).toEqual(messages);
  });

  it("[H2] goes on without a hook that throws, hangs or answers nonsense, and names it", async () => {
    const session = await talk({
      session_before_compact: [
        function thrower() {
          throw new Error("broken");
        },
        function hanger() {
          return new Promise(() => {});
        },
        function talker() {
          return "yes" as never;
        },
      ],
    });
    const { outcome, events } = await compact(session);
    expect(outcome.status).toBe("compacted");
    const warned = events.flatMap((event) => (event.type === "warning" ? [event.warning.message] : []));
    expect(warned).toEqual([
      expect.stringContaining("(thrower) failed: broken"),
      expect.stringContaining("(hanger) failed: no answer within 50 ms"),
      expect.stringContaining("(talker) failed: it answered string"),
    ]);
  });

  it("[H2] cancels when a gate throws or hangs", async () => {
    const session = await talk();
    session.hook("session_before_compact", () => new Promise(() => {}), { gate: true });
    expect((await compact(session)).outcome).toEqual({ status: "cancelled", by: "hook" });
  });

  it("[H2, M5] adds up contexts; the first prompt wins", async () => {
    const requests: unknown[] = [];
    const session = await openSession(createMemoryStore(), {
      settings: SETTINGS,
      clock: fixedClock(),
      hooks: {
        "session.compacting": [
          () => ({ context: ["one"], preserveData: { a: 1, b: 1 } }),
          () => ({ context: ["two"], prompt: "mine", preserveData: { b: 2 } }),
          () => ({ prompt: "too late" }),
        ],
      },
      summarizer: {
        id: "scripted",
        async summarize({ kind, context, prompt }) {
          requests.push({ kind, context, prompt });
          return { kind: "text", text: "- short", method: "llm" };
        },
      },
    });
    for (let turn = 0; turn < 6; turn++) {
      await session.append(
        { role: "user", content: `Question ${turn}: ${"what does it do and why? ".repeat(20)}` },
        { role: "assistant", content: [{ type: "text", text: "An answer of some length. ".repeat(20) }] },
      );
    }
    const { outcome } = await compact(session);
    expect(requests).toContainEqual({ kind: "history", context: ["one", "two"], prompt: "mine" });
    expect(outcome).toMatchObject({ status: "compacted", entry: { preserveData: { a: 1, b: 2 } } });
  });

  it("[K3] merges previous data under the result's and the hook's", async () => {
    const session = await talk({ "session.compacting": () => ({ preserveData: { round: 1, first: true } }) });
    await session.compact();
    for (let turn = 0; turn < 8; turn++) {
      await session.append(
        { role: "user", content: `More of ${turn}: ${"words and words ".repeat(30)}` },
        { role: "assistant", content: [{ type: "text", text: "Done with that part. ".repeat(20) }] },
      );
    }
    session.hook("session.compacting", () => ({ preserveData: { round: 2 } }));
    const { outcome } = await compact(session);
    expect(outcome).toMatchObject({ status: "compacted", entry: { preserveData: { round: 2, first: true } } });
  });

  it("[A5, H2] refuses maintenance that a hook asks for while it is waited for", async () => {
    const inner: unknown[] = [];
    const session = await talk();
    session.hook("session_before_compact", async () => {
      inner.push(await session.compact().catch((error: unknown) => error));
    });
    expect((await compact(session)).outcome.status).toBe("compacted");
    expect(inner).toEqual([expect.objectContaining({ code: "HOOK_REENTRANT" })]);
  });

  it("[H1] refuses a name that no hook has, whose gate would never be asked", async () => {
    const session = await talk();
    const misspelt = "session_before_compaction" as "session_before_compact";
    expect(() => session.hook(misspelt, () => ({ cancel: true }), { gate: true })).toThrow(
      /there is no hook session_before_compaction; there are session_before_compact, /,
    );
    await expect(talk({ [misspelt]: () => ({ cancel: true }) } as Hooks)).rejects.toThrow(TypeError);
  });

  it("[H1] removes a hook and an abort reaches the waiting", async () => {
    const session = await talk();
    const controller = new AbortController();
    const remove = session.hook("session_before_compact", () => ({ cancel: true }));
    remove();
    session.hook("session_before_compact", () => {
      controller.abort();
      return new Promise(() => {});
    });
    expect(await session.compact({ signal: controller.signal })).toEqual({ status: "cancelled", by: "signal" });
  });
});
