import { describe, expect, it } from "vitest";
import { createCallIds } from "../../src/adapters/call-names.ts";
import {
  type ProviderFormat,
  renderFor,
  toAiSdk,
  toAnthropic,
  toOpenAiChat,
  toOpenAiResponses,
} from "../../src/adapters/index.ts";
import { projectContext } from "../../src/core/context/project.ts";
import type { Message } from "../../src/core/session/message.ts";
import { assistant, chain, message, result, system, user } from "../core/context/chain.ts";

const IMAGE = { type: "image", data: "AAAA", mimeType: "image/png" };
const SIGNED = { type: "thinking", thinking: "hm", thinkingSignature: "sig" };
const REASONING = {
  type: "thinking",
  thinking: "hm",
  thinkingSignature: JSON.stringify({ id: "rs_1", type: "reasoning", summary: [], encrypted_content: "xyz" }),
};

/** A context with a system prompt, two parallel calls, one failed with an image, and a user who goes on. */
const context = projectContext(
  chain(
    system("be brief"),
    user("hi"),
    assistant("on it \n", ["c1", "c2"]),
    result("c1", ""),
    message({ role: "toolResult", toolCallId: "c2", toolName: "read", content: [IMAGE], isError: true }),
    user("and?"),
  ),
).messages;

const said = (content: unknown[], fields: object = {}) =>
  [
    { role: "user", content: "x" },
    { role: "assistant", content, ...fields },
  ] as unknown as Message[];

describe("each provider's form", () => {
  it("[X5] anthropic: results first in the next user message, images of a failed one after them", () => {
    expect(toAnthropic(context)).toEqual({
      system: "be brief",
      messages: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "on it" },
            { type: "tool_use", id: "c1", name: "read", input: { path: "c1.ts" } },
            { type: "tool_use", id: "c2", name: "read", input: { path: "c2.ts" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "(no output)" }] },
            {
              type: "tool_result",
              tool_use_id: "c2",
              content: [{ type: "text", text: "(the image follows)" }],
              is_error: true,
            },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "text", text: "and?" },
          ],
        },
      ],
    });
  });

  it("[X5] openai-chat: a tool message for each call, their images after the batch", () => {
    const url = "data:image/png;base64,AAAA";
    const call = (id: string) => ({
      id,
      type: "function",
      function: { name: "read", arguments: `{"path":"${id}.ts"}` },
    });
    expect(toOpenAiChat(context).messages).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "on it", tool_calls: [call("c1"), call("c2")] },
      { role: "tool", tool_call_id: "c1", content: "(no output)" },
      { role: "tool", tool_call_id: "c2", content: "(the image follows)" },
      {
        role: "user",
        content: [
          { type: "text", text: "Images of the tool results above:" },
          { type: "image_url", image_url: { url } },
        ],
      },
      { role: "user", content: "and?" },
    ]);
  });

  it("[X5] openai-responses: calls and outputs as items, images inside outputs", () => {
    const { messages } = toOpenAiResponses(context);
    expect(messages.map((item) => ("type" in item ? item.type : item.role))).toEqual([
      "system",
      "user",
      "assistant",
      "function_call",
      "function_call",
      "function_call_output",
      "function_call_output",
      "user",
    ]);
    expect(messages[6]).toEqual({
      type: "function_call_output",
      call_id: "c2",
      output: [{ type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" }],
    });
  });

  it("[X5] ai-sdk: one tool message for a batch, the system prompt apart", () => {
    const { system: prompt, messages } = toAiSdk(context);
    expect(prompt).toBe("be brief");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "user"]);
    expect(messages[2]?.content).toMatchObject([
      { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "text", value: "(no output)" } },
      { type: "tool-result", toolCallId: "c2", output: { type: "error-text" } },
    ]);
  });

  it("[X5] pi: the messages as stored", () => {
    expect(renderFor("pi", context).messages).toEqual(context.map((item) => item.message));
  });

  it("[X5] refuses an unknown format by name", () => {
    expect(() => renderFor("gemini" as ProviderFormat, context)).toThrow(/gemini.*openai-chat/);
  });
});

describe("thinking", () => {
  const blocksOf = (messages: Message[], target?: { provider: string; modelId: string }) =>
    toAnthropic(messages, target ?? null).messages[1]?.content.map(({ type }) => type);

  it("[X5] goes back to Anthropic only where it signed it, to a given model only its own", () => {
    const text = { type: "text", text: "y" };
    const own = { api: "anthropic-messages", provider: "anthropic", model: "m" };
    expect(blocksOf(said([SIGNED, text], own))).toEqual(["thinking", "text"]);
    expect(blocksOf(said([{ ...SIGNED, redacted: true }, text], own))).toEqual(["redacted_thinking", "text"]);
    expect(blocksOf(said([SIGNED, text], own), { provider: "anthropic", modelId: "other" })).toEqual(["text"]);
    expect(blocksOf(said([SIGNED, text], { api: "openai-responses", provider: "openai" }))).toEqual(["text"]);
    expect(blocksOf(said([{ ...SIGNED, thinkingSignature: undefined }, text], own))).toEqual(["text"]);
    expect(blocksOf(said([text, SIGNED], own))).toEqual(["text"]);
  });

  it("[X5] goes back to the Responses API with the item it belongs to, without ids", () => {
    const fields = { api: "openai-responses", provider: "openai", model: "m" };
    const text = { type: "text", text: "y" };
    expect(toOpenAiResponses(said([REASONING, text], fields)).messages.slice(1)).toEqual([
      { type: "reasoning", summary: [], encrypted_content: "xyz" },
      { role: "assistant", content: "y" },
    ]);
    expect(toOpenAiResponses(said([text, REASONING], fields)).messages).toHaveLength(2);
    expect(toOpenAiResponses(said([SIGNED, text], fields)).messages).toHaveLength(2);
  });
});

describe("what providers refuse", () => {
  it("[X5] images that are none become a text", () => {
    const odd = [
      { ...IMAGE, mimeType: "image/bmp" },
      { ...IMAGE, data: "blob:sha256:00" },
      { ...IMAGE, data: "" },
    ];
    const content = toAnthropic([{ role: "user", content: odd } as unknown as Message]).messages[0]?.content;
    expect(content?.map((block) => block.type)).toEqual(["text", "text", "text"]);
    expect(content?.[0]).toEqual({ type: "text", text: "[image left out: image/bmp]" });
  });

  it("[X5] ids are shortened, cleaned and made unique, the same for call and result", () => {
    const ids = createCallIds(10);
    expect(ids.forCall("call_1|fc_9")).toBe("call_1");
    expect(ids.forResult("call_1|fc_9")).toBe("call_1");
    expect(ids.forCall("call_1")).toBe("call_1_2");
    expect(ids.forCall("call_1")).toBe("call_1_3");
    expect(ids.forResult("call_1")).toBe("call_1_2");
    expect(ids.forResult("call_1")).toBe("call_1_3");
    const long = ids.forCall("x".repeat(50));
    expect(long).toHaveLength(10);
    expect(ids.forCall("x".repeat(60))).toBe("xxxxxxxx_2");
    expect(ids.forCall("a b/c")).toBe("a_b_c");
  });

  it("[X7] ids don't change when messages are appended", () => {
    const turn = [assistant("b", ["c", "c"]), result("c"), result("c")];
    const once = toOpenAiChat(projectContext(chain(user("a"), ...turn)).messages).messages;
    const twice = toOpenAiChat(projectContext(chain(user("a"), ...turn, ...turn)).messages).messages;
    expect(twice.slice(0, once.length)).toEqual(once);
  });

  it("[X5] names of tools are cleaned", () => {
    const call = { type: "toolCall", id: "c", name: "mcp.server/read file", arguments: {} };
    expect(JSON.stringify(toOpenAiChat(said([call])))).toContain('"mcp_server_read_file"');
  });
});
