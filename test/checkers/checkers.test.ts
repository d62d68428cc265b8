import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { projectContext } from "../../src/core/context/project.ts";
import type { ContextMessage } from "../../src/core/context/projection.ts";
import { assistant, chain, result, user } from "../core/context/chain.ts";
import { aiSdkFaults } from "./ai-sdk.ts";
import { anthropicFaults } from "./anthropic.ts";
import { openAiChatFaults } from "./openai-chat.ts";
import { openAiResponsesFaults } from "./openai-responses.ts";

const CHECKERS = {
  anthropic: anthropicFaults,
  "openai-chat": openAiChatFaults,
  "openai-responses": openAiResponsesFaults,
  "ai-sdk": aiSdkFaults,
} as const;

/** Messages as they are stored, without the repair that makes them acceptable. */
const unrepaired = (...entries: Record<string, unknown>[]) =>
  chain(...entries).map((entry) => ({
    entryId: entry.id,
    message: (entry as { message?: unknown }).message,
  })) as ContextMessage[];

const BROKEN: Record<string, Record<string, unknown>[]> = {
  "a call without a result": [user("a"), assistant("b", ["c1"]), user("c")],
  "a call without a result at the end": [user("a"), assistant("b", ["c1"])],
  "a result without a call": [user("a"), result("c1")],
  "two results of a call": [user("a"), assistant("b", ["c1"]), result("c1"), result("c1")],
  "a message between call and result": [user("a"), assistant("b", ["c1"]), user("x"), result("c1")],
  "an assistant at the start": [assistant("b"), user("a")],
};

describe.each(Object.keys(CHECKERS) as (keyof typeof CHECKERS)[])("the checker for %s", (format) => {
  it.each(Object.entries(BROKEN))("[X5] sees %s, and passes it repaired", (_, entries) => {
    expect(CHECKERS[format](renderFor(format, unrepaired(...entries)))).not.toEqual([]);
    expect(CHECKERS[format](renderFor(format, projectContext(chain(...entries)).messages))).toEqual([]);
  });
});

it("[X5] the checkers see empty texts, odd ids and thinking at the end", () => {
  const text = (value: string) => ({ type: "text", text: value });
  const faultsOf = (content: object[]) =>
    anthropicFaults({
      messages: [
        { role: "user", content: [text("a")] },
        { role: "assistant", content },
      ],
    });
  expect(faultsOf([text("b")])).toEqual([]);
  expect(faultsOf([text(" ")])).not.toEqual([]);
  expect(faultsOf([text("b ")])).not.toEqual([]);
  expect(faultsOf([])).not.toEqual([]);
  expect(faultsOf([{ type: "thinking", thinking: "x", signature: "s" }])).not.toEqual([]);
  expect(faultsOf([{ type: "thinking", thinking: "x", signature: "" }, text("b")])).not.toEqual([]);
  const call = (id: string) => ({ id, type: "function", function: { name: "n", arguments: "{}" } });
  const chat = (id: string) =>
    openAiChatFaults({
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: null, tool_calls: [call(id)] },
        { role: "tool", tool_call_id: id, content: "r" },
      ],
    });
  expect(chat("c")).toEqual([]);
  expect(chat("c".repeat(41))).not.toEqual([]);
});

it("[X5] the checkers know nothing of the code they check", async () => {
  const { filesBelow, ROOT } = await import("../sources.ts");
  for (const [name, source] of filesBelow(`${ROOT}test/checkers`, ".ts")) {
    if (!name.endsWith(".test.ts")) expect(source).not.toMatch(/^import/m);
  }
});
