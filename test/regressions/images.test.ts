import { expect, it } from "vitest";
import { type ProviderFormat, renderFor, toAnthropic, toOpenAiResponses } from "../../src/adapters/index.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { pruneToolOutputs } from "../../src/core/plan/prune.ts";
import { serializeConversation } from "../../src/core/summary/transcript.ts";
import { aiSdkFaults } from "../checkers/ai-sdk.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { openAiResponsesFaults } from "../checkers/openai-responses.ts";
import { assistant, chain, compaction, edit, message, result, user } from "../core/context/chain.ts";
import { chars, settingsOf } from "../core/plan/entries.ts";

const FAULTS: [ProviderFormat, (request: unknown) => string[]][] = [
  ["anthropic", anthropicFaults],
  ["openai-chat", openAiChatFaults],
  ["openai-responses", openAiResponsesFaults],
  ["ai-sdk", aiSdkFaults],
];
const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: { command: "ls" } });
const signed = (n: number) => ({ type: "thinking", thinking: `secret thought ${n}`, thinkingSignature: `sig${n}==` });
const CLAUDE = { api: "anthropic-messages", provider: "anthropic", model: "claude-a" };
const thinks = (n: number, more: object = CLAUDE) =>
  message({ role: "assistant", content: [signed(n), call(`c${n}`)], stopReason: "toolUse", ...more });

it("[IM-01] signed thinking is replayed as it came, and the summariser gets none of it", () => {
  const redacted = { type: "thinking", thinking: "", thinkingSignature: "cipher", redacted: true };
  const both = { role: "assistant", content: [signed(0), redacted, call("c0")], stopReason: "toolUse", ...CLAUDE };
  const more = Array.from({ length: 100 }, (_, n) => [thinks(n + 1), result(`c${n + 1}`)]).flat();
  const { messages } = projectContext(chain(user("go"), message(both), result("c0"), ...more));
  const request = toAnthropic(messages);
  expect(anthropicFaults(request)).toEqual([]);
  const thoughts = request.messages.flatMap(({ content }) => content.filter(({ type }) => /thinking/.test(type)));
  expect(thoughts.slice(0, 3)).toEqual([
    { type: "thinking", thinking: "secret thought 0", signature: "sig0==" },
    { type: "redacted_thinking", data: "cipher" },
    { type: "thinking", thinking: "secret thought 1", signature: "sig1==" },
  ]);
  expect(thoughts).toHaveLength(102);
  const transcript = serializeConversation(messages);
  expect(transcript).toContain("[Assistant tool calls]");
  expect(transcript).not.toMatch(/secret thought|sig\d|cipher/);
});

it("[IM-02] a prune leaves each call and the reasoning in front of it", () => {
  const reasoning = (n: number) => {
    const item = { id: `rs_${n}`, type: "reasoning", summary: [], encrypted_content: `enc${n}` };
    return { type: "thinking", thinking: "hm", thinkingSignature: JSON.stringify(item) };
  };
  const turn = (n: number) => [
    message({
      role: "assistant",
      content: [reasoning(n), call(`c${n}|fc_${n}`)],
      api: "openai-responses",
      stopReason: "toolUse",
    }),
    result(`c${n}|fc_${n}`, "output ".repeat(300), { toolName: "bash" }),
  ];
  const path = [user("go"), ...turn(1), ...turn(2), user("next"), ...turn(3)];
  const settings = settingsOf({ pruning: { protectTokens: 100, minSavings: 100 } });
  const plan = pruneToolOutputs(chain(...path), settings, { counter: chars });
  if (plan.kind !== "prune") throw new Error(plan.because);
  const edits = plan.outputs.map(({ entryId, content }) => edit(entryId, { content }));
  expect(edits).toHaveLength(2);
  const request = toOpenAiResponses(projectContext(chain(...path, ...edits)).messages);
  expect(openAiResponsesFaults(request)).toEqual([]);
  const kinds = request.messages.flatMap((item) => ("type" in item ? [item.type] : []));
  expect(kinds).toEqual(Array(3).fill(["reasoning", "function_call", "function_call_output"]).flat());
});

it("[IM-03] after a compaction and a change of model no signature of the old one is sent", () => {
  const path = chain(
    user("go"),
    thinks(1),
    result("c1"),
    compaction("e1"),
    { type: "model_change", provider: "anthropic", modelId: "claude-b" },
    user("on"),
  );
  const { messages, model } = projectContext(path);
  expect(model).toMatchObject({ modelId: "claude-b" });
  const request = toAnthropic(messages, model);
  expect(anthropicFaults(request)).toEqual([]);
  expect(JSON.stringify(request)).not.toContain("sig1");
  expect(JSON.stringify(request)).toContain('"tool_use"');
  expect(JSON.stringify(toOpenAiResponses(messages, model))).not.toContain("sig1");
  const own = toAnthropic(messages, { provider: "anthropic", modelId: "claude-a" });
  expect(JSON.stringify(own)).toContain("sig1");
});

it("[IM-05] an image that no provider takes is a text in every request, and none in that for a summary", () => {
  const bad = [
    { type: "image", data: "not*base64é", mimeType: "image/png" },
    { type: "image", data: "AAAA", mimeType: "image/tiff" },
    { type: "image", data: "", mimeType: "image/png" },
  ];
  const shot = message({ role: "toolResult", toolCallId: "c1", toolName: "read", content: bad, isError: false });
  const { messages } = projectContext(chain(user(bad), assistant("", ["c1"]), shot, user("and?")));
  for (const [format, faultsOf] of FAULTS) {
    const request = renderFor(format, messages);
    expect(faultsOf(request), format).toEqual([]);
    expect(JSON.stringify(request), format).toContain("[image left out: image/tiff]");
    expect(JSON.stringify(request), format).not.toContain("not*base64");
  }
  expect(serializeConversation(messages)).not.toContain("not*base64");
});
