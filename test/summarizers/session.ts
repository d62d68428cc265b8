import type { Entry } from "../../src/core/session/entry.ts";
import { openSession } from "../../src/index.ts";
import type { SessionEvent } from "../../src/ports/events.ts";
import type { Summarizer } from "../../src/ports/summarizer.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/clock.ts";

/** `turns` turns of a user's long request, a read and an answer, about 300 tokens each, on files `src/f0.ts` to `src/f4.ts`. */
export function turnEntries(turns: number, from = 0, parent: string | null = null): Entry[] {
  const entries: Entry[] = [];
  let parentId = parent;
  const add = (id: string, message: unknown) => {
    entries.push({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", message } as Entry);
    parentId = id;
  };
  for (let n = from; n < from + turns; n++) {
    const path = `src/f${n % 5}.ts`;
    const call = { type: "toolCall", id: `c${n}`, name: n % 2 ? "read" : "edit", arguments: { path } };
    const told = `Please look at ${path} for problem ${n}. Never touch legacy.ts.`;
    add(`u${n}`, { role: "user", content: `${told}\n\n${`line of ${path} in problem ${n}, `.repeat(30)}` });
    add(`a${n}`, { role: "assistant", content: [{ type: "text", text: "I look." }, call], stopReason: "toolUse" });
    const content = [{ type: "text", text: `${path} is read` }];
    add(`r${n}`, { role: "toolResult", toolCallId: `c${n}`, toolName: call.name, content });
    add(`b${n}`, {
      role: "assistant",
      content: [{ type: "text", text: `Problem ${n} is fixed.` }],
      stopReason: "stop",
    });
  }
  return entries;
}

/** So much that the cut falls between two turns. */
const KEEP = 1_000;

/** A session of `turns` turns over a memory store, with what it told its listeners. */
export async function sessionWith(summarizer: Summarizer, options: { turns?: number; settings?: object } = {}) {
  const store = createMemoryStore({ entries: turnEntries(options.turns ?? 30) });
  const settings = { contextWindow: 20_000, compaction: { keepRecentTokens: KEEP }, ...options.settings };
  const session = await openSession(store, { summarizer, settings, clock: fixedClock() });
  const events: SessionEvent[] = [];
  session.on("*", (event) => events.push(event));
  const stored = async () => {
    const entries: Entry[] = [];
    for await (const { entry } of store.entries()) entries.push(entry);
    return entries;
  };
  return { session, events, stored };
}

/** Patience that waits no time, and says how long it was asked to. */
export function hurried(waits: number[] = []) {
  return {
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
}
