// ModelMessages of the AI SDK: the model calls `compact` itself when a phase of its work is over.
// With the SDK the tool is `{ compact: tool({ description, inputSchema: jsonSchema(inputSchema) }) }`, without `execute`.
import assert from "node:assert/strict";
import { compactTool, handleCompactTool } from "espalier/adapters";

const format = "ai-sdk";
const { name, inputSchema } = compactTool(format);
assert.equal(name, "compact");
assert("focus" in inputSchema.properties);

const asks = (id: string, toolName: string, input: object) => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName, input }],
});
const answers = (id: string, toolName: string, value: string) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: id, toolName, output: { type: "text", value } }],
});

const messages: object[] = [{ role: "user", content: "Design the API, then build it." }];
for (let n = 1; n <= 5; n++) {
  messages.push(asks(`r${n}`, "read_file", { path: `src/api-${n}.ts` }));
  messages.push(answers(`r${n}`, "read_file", "export function route() {}\n".repeat(300)));
}
messages.push(asks("c1", "compact", { focus: "keep the API design decisions" }));

const outcome = await handleCompactTool(messages, { format });
assert(outcome.status === "compacted");
const [compressed, call, result] = outcome.messages;
console.log(JSON.stringify(result));
assert.match(JSON.stringify(compressed), /\[compressed\].*Design the API, then build it\./);
assert.equal(call, messages.at(-1), "the call stays");
const { tokensBefore, tokensAfter } = outcome;
assert.deepEqual(result, answers("c1", name, `Compacted: ${tokensBefore} tokens before, ${tokensAfter} after.`));

const again = await handleCompactTool([...outcome.messages, asks("c2", "compact", {})], { format });
assert.equal(again.status, "refused", "nothing has been added since");
