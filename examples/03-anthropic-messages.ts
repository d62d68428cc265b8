// The three layers under somebody's own loop: an array of Anthropic messages, no session, no file.
// A real loop asks the API with `request`; this one plays a model that works for thirty rounds.
import assert from "node:assert/strict";
import { createPipeline } from "espalier/adapters";
import { transcriptsIn } from "espalier/stores/jsonl";

type Block = { type: string; [field: string]: unknown };
type Message = { role: "user" | "assistant"; content: Block[] };

const pipeline = createPipeline({ format: "anthropic", transcripts: transcriptsIn(".") });
let messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Design the API; never use XML." }] }];

for (let n = 1; n <= 30; n++) {
  const { messages: kept, request, tokens } = await pipeline.beforeRequest(messages);
  assert(tokens <= 50_000);
  messages = kept;
  const reply = playModel(n, request);
  messages.push(reply);
  const results = reply.content.filter(({ type, name }) => type === "tool_use" && name !== "compact").map(run);
  if (results.length > 0) messages.push({ role: "user", content: results });
  messages = (await pipeline.afterToolResults(messages)).messages;
}

const text = JSON.stringify(messages);
console.log(`${messages.length} messages left of 60`);
assert(messages.length < 20);
assert.match(text, /\[compressed\]/);
assert.match(text, /never use XML/, "the user's words are kept");
assert.match(text, /Compacted: \d+ tokens before, \d+ after\./, "the model's own call is answered");

function playModel(n: number, sent: readonly Message[]): Message {
  if (n > 4 && n < 8) assert.match(JSON.stringify(sent), /\[Previous: used bash\]/);
  const compact = { name: "compact", input: { focus: "keep the API design decisions" } };
  const call = n === 28 ? compact : { name: "bash", input: { command: `npm test -- ${n}` } };
  return { role: "assistant", content: [{ type: "tool_use", id: `call_${n}`, ...call }] };
}

function run({ id }: Block): Block {
  return { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "a line of output\n".repeat(3000) }] };
}
