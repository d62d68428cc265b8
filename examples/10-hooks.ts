// Hooks: one adds to the request, one says no, one brings a summary of its own.
import assert from "node:assert/strict";
import { openSession, type Summarizer } from "espalier";

const asked: string[] = [];
const summarizer: Summarizer = {
  id: "listening",
  async summarize({ context = [] }) {
    asked.push(...context);
    return { kind: "text", text: "## Goal\nWhat the model made of it.", method: "llm" };
  },
};
const settings = { contextWindow: 60_000, compaction: { keepRecentTokens: 8_000 } };
const session = await openSession("session.jsonl", { settings, summarizer });

const remove = session.hook("session_before_compact", () => ({ cancel: true }));
const refused = await session.compact();
assert(refused.status === "cancelled" && refused.by === "hook");
remove();

session.hook("session.compacting", () => ({ context: ["The release is on Friday."] }));
const made = await session.compact();
assert.equal(made.status, "compacted");
assert(asked.includes("The release is on Friday."));

await session.undo();
session.hook("session_before_compact", ({ preparation: { firstKeptEntryId } }) =>
  firstKeptEntryId === null ? undefined : { compaction: { summary: "## Goal\nOurs.", firstKeptEntryId } },
);
const own = await session.compact();
assert(own.status === "compacted");
console.log(own.entry.summary.split("\n").slice(0, 2).join(" "));
assert.match(own.entry.summary, /Ours\./);
await session.close();
