// An agent of your own on `AgentSession`: tools, a long task in a small window, and a session that goes on after a restart.
// A real one opens its model with `openChatModel` of espalier/models; this one plays a model that works for forty rounds.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { openSession } from "espalier";
import { createAgentSession, createTools, systemPrompt } from "espalier/agent";
import { scriptedChatModel } from "espalier/testing";

const cwd = process.cwd();
for (let n = 1; n <= 40; n++) writeFileSync(`part-${n}.txt`, `part ${n}: ${"some text of it ".repeat(120)}`);

const model = scriptedChatModel(
  (_messages, n) =>
    n < 40 ? { toolCalls: [{ name: "read", arguments: { path: `part-${n + 1}.txt` } }] } : "All forty are read.",
  { contextWindow: 16_000 },
);

const session = await openSession("agent.jsonl", { create: { cwd } });
const agent = await createAgentSession({
  session,
  model,
  tools: createTools({ cwd, session, allow: ["write(notes/**)", "bash(npm test)"] }),
  systemPrompt: systemPrompt({ cwd }),
});
let compactions = 0;
agent.subscribe((event) => {
  if (event.type === "compaction_end" && event.result) compactions++;
});

const outcome = await agent.prompt("Read all the parts. Never delete one.");
const { tokens, contextWindow } = agent.contextUsage();
console.log(`${outcome.status}: ${compactions} compactions, ${tokens} of ${contextWindow} tokens`);
assert.equal(outcome.status, "answered");
assert(compactions > 0 && tokens < contextWindow);
await agent.dispose();

const lines = readFileSync("agent.jsonl", "utf8").trim().split("\n");
assert(lines.length > 80, "every call and result is kept");
const reopened = await openSession("agent.jsonl");
const seen = JSON.stringify((await reopened.context()).messages);
assert.match(seen, /Never delete one/, "what the user forbade is carried word for word");
const { hits } = await reopened.recall("part 3");
assert(hits.length > 0, "what was summarised is found again");
await reopened.close();
