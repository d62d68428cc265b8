import { type Message, openSession, type Session, type SettingsInput } from "../../src/index.ts";
import type { SessionStore } from "../../src/ports/store.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";

/** A window in which a few turns make a compaction worth while. */
export const SMALL = { contextWindow: 16_000, compaction: { keepRecentTokens: 600 } };

export function open(settings: SettingsInput = SMALL, store: SessionStore = createMemoryStore()): Promise<Session> {
  return openSession(store, { settings, clock: fixedClock() });
}

export const user = (content: string): Message => ({ role: "user", content });
export const says = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  stopReason: "stop",
});

let round = 0;

/** Turns that need no directive to be told apart: each names a file of its own. */
export async function work(session: Session, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const n = ++round;
    const path = `src/part-${n}/module_${n}.ts`;
    await session.append(
      user(`Look at ${path} for problem ${n}.`),
      {
        role: "assistant",
        content: [{ type: "toolCall", id: `call-${n}`, name: "read", arguments: { path } }],
        stopReason: "toolUse",
      },
      {
        role: "toolResult",
        toolCallId: `call-${n}`,
        toolName: "read",
        content: [{ type: "text", text: `export const value_${n} = ${n};\n`.repeat(30) }],
        isError: false,
      },
      says(`Problem ${n} came from value_${n}; it is solved in ${path}.`),
    );
  }
}

/** A compaction that must come about. */
export async function compacted(session: Session) {
  const outcome = await session.compact();
  if (outcome.status !== "compacted") throw new Error(JSON.stringify(outcome));
  return outcome;
}
