import { expect, it } from "vitest";
import { type ProviderFormat, renderFor, toAnthropic } from "../../src/adapters/index.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { pruneToolOutputs } from "../../src/core/plan/prune.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { aiSdkFaults } from "../checkers/ai-sdk.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { openAiResponsesFaults } from "../checkers/openai-responses.ts";
import { assistant, chain, compaction, message, result, user } from "../core/context/chain.ts";
import { chars, settingsOf } from "../core/plan/entries.ts";

const CHECKERS: [ProviderFormat, (request: unknown) => string[]][] = [
  ["anthropic", anthropicFaults],
  ["openai-chat", openAiChatFaults],
  ["openai-responses", openAiResponsesFaults],
  ["ai-sdk", aiSdkFaults],
];

function expectSound(path: readonly Entry[], what: string) {
  const { messages } = projectContext(path);
  for (const [format, faultsOf] of CHECKERS) {
    expect(faultsOf(renderFor(format, messages)), `${what} as ${format}`).toEqual([]);
  }
}

const note = { type: "custom_message", customType: "note", content: "a note" };
const branch = { type: "branch_summary", fromId: "x", summary: "Of a branch." };
const empty = message({ role: "assistant", content: [], stopReason: "aborted" });

it("[PP-01] whatever stands where after a compaction, every provider takes the request", () => {
  const start = [user("a"), assistant("b", ["c1"]), result("c1"), assistant("d"), user("e")];
  for (const kept of ["e0", "e1", "e2", "e3", "e4", "e5"]) {
    expectSound(chain(...start, compaction(kept), user("next")), `kept from ${kept}`);
  }
  expectSound(chain(...start, compaction("e3"), branch, note, user("f"), user("g")), "summaries and users in a row");
  expectSound(chain(...start, compaction("e5"), empty, user("f"), empty, user("g")), "empty answers");
  expectSound(chain(...start, compaction("e4"), assistant("f", ["c2"]), user("g")), "a call left open");
  expectSound(chain(assistant("first"), user("a")), "an answer in front");
});

it("[PP-03] long and compound ids are made fit for calls and results alike, and stay apart", () => {
  const long = "call_".padEnd(90, "x");
  const ids = ["call_x|fc_y", "call_x|fc_z", `${long}1`, `${long}2`, "call:é", "call:è"];
  const path = chain(user("go"), assistant("", ids), ...ids.map((id) => result(id)), user("on"));
  expectSound(path, "foreign ids");
  const [, asked, answered] = toAnthropic(projectContext(path).messages).messages;
  const given = asked?.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  expect(new Set(given).size).toBe(ids.length);
  const texts = given?.map((id) =>
    answered?.content.flatMap((block) =>
      block.type === "tool_result" && block.tool_use_id === id ? block.content : [],
    ),
  );
  expect(texts).toEqual(ids.map((id) => [{ type: "text", text: `result of ${id}` }]));
});

it("[PP-04] an id that comes again names another call: each keeps its own result, and a prune takes the old one", () => {
  const turn = (n: number, name: string) => {
    const calls = [{ type: "toolCall", id: "call_0", name, arguments: { n } }];
    const text = `turn ${n} `.repeat(100);
    return [
      user(`request ${n}`),
      message({ role: "assistant", content: calls, stopReason: "toolUse" }),
      result("call_0", text, { toolName: name }),
    ];
  };
  const path = chain(...[1, 2, 3, 4].flatMap((n) => turn(n, n % 2 ? "bash" : "grep")), user("on"));
  expectSound(path, "ids that come again");
  const { messages } = toAnthropic(projectContext(path).messages);
  const pairs = messages.flatMap(({ content }, at) =>
    content.flatMap((block) => {
      if (block.type !== "tool_use") return [];
      const answer = messages[at + 1]?.content[0];
      return [[block.input.n, answer?.type === "tool_result" && answer.content[0]]];
    }),
  );
  expect(pairs).toEqual([1, 2, 3, 4].map((n) => [n, { type: "text", text: `turn ${n} `.repeat(100) }]));
  const settings = settingsOf({ pruning: { protectTokens: 1_000, minSavings: 100 } });
  const plan = pruneToolOutputs(path, settings, { counter: chars });
  expect(plan.kind === "prune" && plan.outputs.map(({ entryId, toolName }) => [entryId, toolName])).toEqual([
    ["e2", "bash"],
    ["e5", "grep"],
  ]);
});
