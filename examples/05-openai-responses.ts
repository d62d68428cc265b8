// Responses API items: the layers one by one, as plain functions.
import assert from "node:assert/strict";
import { autoCompact, microCompact } from "espalier/adapters";

const format = "openai-responses";
const output = "a line of output\n".repeat(2000);
const items: object[] = [{ role: "user", content: [{ type: "input_text", text: "Why is the build slow?" }] }];
for (let n = 1; n <= 10; n++) {
  const name = n === 2 ? "read_file" : "bash";
  items.push(
    { type: "function_call", call_id: `c${n}`, name, arguments: `{"path":"step-${n}"}` },
    { type: "function_call_output", call_id: `c${n}`, output },
  );
}

// Before each request: what is older than three rounds is marked in what is sent, not in `items`.
const sent = microCompact(items, { format });
const outputs = sent.flatMap((item) => ("output" in item ? [item.output] : []));
assert.deepEqual(outputs.slice(0, 3), ["[Previous: used bash]", output, "[Previous: used bash]"]);
assert.deepEqual(outputs.slice(-3), [output, output, output]);
assert.equal(sent[1], items[1], "what is not changed is the same object");

// When even that is too much: the whole array becomes one message.
const transcript: string[] = [];
const outcome = await autoCompact(items, {
  format,
  transcripts: async (name, lines) => {
    transcript.push(...lines);
    return name;
  },
});
assert(outcome.status === "compacted");
console.log(`${outcome.tokensBefore} tokens before, ${outcome.tokensAfter} after`);
assert.equal(outcome.messages.length, 1);
assert.match(outcome.summary, /Why is the build slow\?/);
assert.equal(transcript.length, items.length, "nothing is lost");
