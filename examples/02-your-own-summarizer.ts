// Brings its own messages, store and summarizer: the engine asks for nothing else.
// A real summarizer would ask a model; this one names what it was given.
import assert from "node:assert/strict";
import { openSession, type Summarizer } from "espalier";
import { createMemoryStore } from "espalier/stores/memory";

const summarizer: Summarizer = {
  id: "counting",
  async summarize({ kind, messages }) {
    return { kind: "text", text: `## Goal\n${kind} of ${messages.length} messages.`, method: "hook" };
  },
};

const header = { type: "session", version: 3, id: "own", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" } as const;
const settings = { contextWindow: 8_000, compaction: { keepRecentTokens: 1_000 } };
const session = await openSession(createMemoryStore({ header }), { settings, summarizer });

for (let turn = 1; turn <= 40; turn++) {
  await session.append(
    { role: "user", content: `Question ${turn}: ${"what about this detail? ".repeat(10)}` },
    { role: "assistant", content: [{ type: "text", text: `Answer ${turn}. ${"It is as follows. ".repeat(10)}` }] },
  );
}
const outcome = await session.compact();
assert(outcome.status === "compacted");
assert.match(outcome.entry.summary, /^## Goal\nhistory of \d+ messages\./);

const { messages, tokens } = await session.context();
console.log(`${outcome.result.tokensBefore} tokens before, ${tokens} after`);
assert.equal(messages[0]?.message.role, "compactionSummary");
assert.deepEqual(messages.at(-1)?.message.role, "assistant", "the newest turn is kept as it is");
await session.close();
