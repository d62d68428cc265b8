// Chat Completions: old results are marked in what is sent, and the array itself is compacted over a threshold by a
// summarizer of one's own. A real loop asks the API with `request`.
import assert from "node:assert/strict";
import type { Summarizer } from "espalier";
import { createPipeline } from "espalier/adapters";

const summarizer: Summarizer = {
  id: "own",
  async summarize({ messages }) {
    return { kind: "text", text: `## Goal\nGreen tests, after ${messages.length} messages.`, method: "hook" };
  },
};

const call = (n: number) => ({
  id: `call_${n}`,
  type: "function",
  function: { name: n % 2 ? "bash" : "read_file", arguments: `{"path":"src/part-${n}.ts"}` },
});

const pipeline = createPipeline({ format: "openai-chat", threshold: 8_000, summarizer });
let messages: object[] = [
  { role: "system", content: "You fix tests." },
  { role: "user", content: "Make all tests pass." },
];
let compactions = 0;
for (let n = 1; n <= 20; n++) {
  const { messages: kept, request, tokens, outcome } = await pipeline.beforeRequest(messages);
  assert(tokens <= 8_000 && request.length === kept.length);
  if (outcome.status === "compacted") compactions++;
  messages = kept;
  messages.push({ role: "assistant", content: null, tool_calls: [call(n)] });
  messages.push({ role: "tool", tool_call_id: `call_${n}`, content: "a line of output\n".repeat(400) });
}

console.log(`${compactions} compactions, ${messages.length} messages left of 42`);
assert(compactions > 0);
assert.deepEqual(messages[0], { role: "system", content: "You fix tests." });
assert.match(JSON.stringify(messages[1]), /\[compressed\].*Green tests.*Make all tests pass\./);
