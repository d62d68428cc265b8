// Compacts a session file in place and shows that not a byte of what was there has changed.
// Run by test/examples.test.ts in a folder that holds a copy of the example session.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openSession } from "espalier";

const file = "session.jsonl";
const bytesBefore = readFileSync(file, "utf8");

const settings = { contextWindow: 60_000, compaction: { keepRecentTokens: 8_000 } };
const session = await openSession(file, { settings });
const before = await session.context();
const outcome = await session.compact({ focus: "what the user ruled out" });
const after = await session.context();
const { counts, entries } = await session.explain();
await session.close();

assert(outcome.status === "compacted");
console.log(`${before.tokens} tokens before, ${after.tokens} after`);
assert(after.tokens < before.tokens / 2);
assert(after.messages.some(({ message }) => message.role === "compactionSummary"));

const bytesAfter = readFileSync(file, "utf8");
assert(bytesAfter.startsWith(bytesBefore), "the file only grew");
assert.equal(bytesAfter.slice(bytesBefore.length).trim().split("\n").length, 1, "by one entry");

const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
assert.equal(total, entries.length, "every entry of the path is accounted for");
