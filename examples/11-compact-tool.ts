// The model decides itself when to make room: it calls `compact`, is told that it is accepted, and reads in the same
// result what came of it when it goes on.
import assert from "node:assert/strict";
import { openSession } from "espalier";
import { createAgentSession } from "espalier/agent";
import { scriptedChatModel } from "espalier/testing";

const model = scriptedChatModel((_messages, n) => {
  if (n < 8) return `Part ${n + 1} of the design: ${"it is decided as follows. ".repeat(60)}`;
  if (n === 8) return { toolCalls: [{ name: "compact", arguments: { focus: "the API design decisions" } }] };
  return "Now the implementation.";
});
const session = await openSession("compact.jsonl", {
  create: { cwd: "/" },
  settings: { compaction: { keepRecentTokens: 1_000 } },
});
const agent = await createAgentSession({ session, model, systemPrompt: "You design APIs." });
const focuses: (string | undefined)[] = [];
session.hook("session_before_compact", ({ customInstructions }) => {
  focuses.push(customInstructions);
  return undefined;
});

for (let part = 1; part <= 8; part++) await agent.prompt(`Design part ${part}.`);
const outcome = await agent.prompt("The design is done; implement it.");
assert.equal(outcome.status, "answered");
assert.deepEqual(focuses, ["the API design decisions"]);

const sent = JSON.stringify(model.requests.at(-1));
const told = /Compacted: \d+ tokens before, \d+ after\./.exec(sent)?.[0];
console.log(told);
assert(told, "the call is answered with what came of it");
assert.match(sent, /implement it/, "the request it was working on is still there");
await agent.dispose();
