import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { bpeCounter } from "../../src/core/context/bpe.ts";
import type { ContextMessage } from "../../src/core/context/projection.ts";
import { scriptCounter } from "../../src/core/context/tokens.ts";
import type { Message } from "../../src/core/session/message.ts";
import type { SummaryRequest } from "../../src/core/summary/request.ts";
import { openModel } from "../../src/models/index.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { llmSummarizer } from "../../src/summarizers/llm.ts";
import { fakeModelServer } from "../../src/testing/fake-model-server.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { hurried } from "./session.ts";

const NEVER = new AbortController().signal;
const LANGUAGES = [
  "The parser drops the last line of src/a.ts.",
  "解析器丢失了 src/a.ts 的最后一行。",
  "パーサーが最後の行を落とします。",
  '{"hash":"9f86d081884c7d65","n":[1,2,3]}',
];

/** Messages of `bytes` characters in all: turns of a request and tool outputs in several scripts. */
function messagesOf(bytes: number, perOutput: number): ContextMessage[] {
  const messages: ContextMessage[] = [];
  const add = (message: unknown) =>
    messages.push({ entryId: messages.length.toString(16).padStart(8, "0"), message: message as Message });
  for (let written = 0, n = 0; written < bytes; n++) {
    const sentence = LANGUAGES[n % LANGUAGES.length] ?? "";
    const output = sentence.repeat(Math.ceil(perOutput / sentence.length));
    if (n % 5 === 0) add({ role: "user", content: `Request ${n}: ${sentence}` });
    const call = { type: "toolCall", id: `c${n}`, name: "bash", arguments: { command: `cat file-${n}` } };
    add({ role: "assistant", content: [{ type: "text", text: sentence.repeat(3) }, call] });
    add({ role: "toolResult", toolCallId: `c${n}`, toolName: "bash", content: [{ type: "text", text: output }] });
    written += output.length;
  }
  return messages;
}

const request = (more: Partial<SummaryRequest> = {}): SummaryRequest => ({
  kind: "history",
  messages: messagesOf(400_000, 1_500),
  maxTokens: 13_000,
  ...more,
});

const sizeOf = (sent: Pick<ModelRequest, "systemPrompt" | "prompt" | "maxTokens">, counter = scriptCounter) =>
  counter.count(sent.systemPrompt) + counter.count(sent.prompt) + sent.maxTokens;

describe("a conversation larger than the summariser's window", () => {
  it("[M4] goes in chunks that fit, each updating the summary before, the whole covered in order", async () => {
    let n = 0;
    const model = scriptedModel([() => `## Goal\nsummary ${++n}`], { contextWindow: 8_192, maxTokens: 4_096 });
    const asked = request({ focus: "the parser", context: ["a hook's line"] });
    const reply = await llmSummarizer(model).summarize(asked, NEVER);
    expect(reply).toMatchObject({ kind: "text", text: `## Goal\nsummary ${n}` });
    expect(model.requests.length).toBeGreaterThan(3);
    const ids: string[] = [];
    for (const [at, sent] of model.requests.entries()) {
      expect(sizeOf(sent)).toBeLessThanOrEqual(8_192);
      expect(sent.prompt).toContain("the parser");
      expect(sent.prompt).toContain("a hook's line");
      expect(sent.prompt.includes("<previous-summary>")).toBe(at > 0);
      if (at > 0) expect(sent.prompt).toContain(`summary ${at}`);
      ids.push(...[...sent.prompt.matchAll(/#([0-9a-f]{8})\]:/g)].map(([, id]) => id ?? ""));
    }
    expect([...new Set(ids)]).toEqual(asked.messages.map(({ entryId }) => entryId));
  });

  it("[M4] fits by a real tokenizer too, in every script", async () => {
    const counter = bpeCounter("o200k", encode);
    for (const contextWindow of [8_192, 16_384, 128_000]) {
      const model = scriptedModel(["## Goal\nx"], { contextWindow, maxTokens: 4_096 });
      await llmSummarizer(model).summarize(request(), NEVER);
      for (const sent of model.requests) expect(sizeOf(sent, counter)).toBeLessThanOrEqual(contextWindow);
    }
  });

  it.each(["history", "turn-prefix", "branch", "short"] as const)(
    "[M4] of kind %s, whatever the parts",
    async (kind) => {
      const long = "Many words about the parser. ".repeat(4_000);
      const model = scriptedModel(["## Goal\nx"], { contextWindow: 8_192, maxTokens: 4_096, reasoning: true });
      const messages = messagesOf(40_000, 30_000);
      const asked = request({
        kind,
        messages,
        kept: messages,
        previous: { summary: long },
        focus: long,
        context: [long],
      });
      expect((await llmSummarizer(model).summarize(asked, NEVER)).kind).toBe("text");
      for (const sent of model.requests) expect(sizeOf(sent)).toBeLessThanOrEqual(8_192);
    },
  );

  it("[M4] an overflow halves the chunks and goes on from where it was", async () => {
    const most = 3_000;
    const overflow = {
      kind: "failed",
      message: "prompt is too long: 9000 tokens > 3000 maximum",
      status: 400,
    } as const;
    const model = scriptedModel([(sent) => (scriptCounter.count(sent.prompt) > most ? overflow : "## Goal\nx")], {
      contextWindow: 16_384,
      maxTokens: 2_048,
    });
    const asked = request({ messages: messagesOf(60_000, 1_500), maxTokens: 1_000 });
    const reply = await llmSummarizer(model).summarize(asked, NEVER);
    expect(reply.kind).toBe("text");
    const taken = model.requests.filter((sent) => scriptCounter.count(sent.prompt) <= most);
    const ids = taken.flatMap((sent) => [...sent.prompt.matchAll(/#([0-9a-f]{8})\]:/g)].map(([, id]) => id));
    expect([...new Set(ids)]).toEqual(asked.messages.map(({ entryId }) => entryId));
    expect(model.requests.length - taken.length).toBeLessThan(6);
  });

  it("[M4] an overflow that no halving cures ends as one", async () => {
    const model = scriptedModel([{ kind: "failed", message: "prompt is too long: 9 tokens > 1 maximum", status: 400 }]);
    const reply = await llmSummarizer(model).summarize(request(), NEVER);
    expect(reply).toMatchObject({ kind: "failed", failure: "overflow", retryable: false });
    expect(model.requests.length).toBeLessThan(10);
  });

  it("[M12] the usage of all chunks is that of the summary", async () => {
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
    const answer = { kind: "reply", text: "## Goal\nx", stopReason: "stop", toolCalls: 0, usage } as const;
    const model = scriptedModel([answer], { contextWindow: 16_384 });
    const reply = await llmSummarizer(model).summarize(request(), NEVER);
    expect(reply).toMatchObject({ usage: { input: 100 * model.requests.length }, spent: [] });
  });

  it("[M7] a transient error in the middle is waited out, the chunks before it are not asked again", async () => {
    const script = ["a", "b", { kind: "failed", message: "busy", status: 529 } as const, "c"];
    const model = scriptedModel(script, { contextWindow: 32_768, maxTokens: 4_096 });
    const reply = await llmSummarizer(model, { patience: hurried() }).summarize(request(), NEVER);
    expect(reply.kind).toBe("text");
    expect(model.requests[3]?.prompt).toBe(model.requests[2]?.prompt);
  });

  it("[M4] 60 MB and a window of 8k, over HTTP: bounded in requests and in size", async () => {
    const server = await fakeModelServer({ script: ["## Goal\nShip it."] });
    onTestFinished(() => server.close());
    const choice = { model: "mine/m", baseUrl: server.baseUrl("openai-chat"), api: "openai-chat" as const, env: {} };
    const model = await openModel({ ...choice, contextWindow: 8_192 });
    const asked = request({ messages: messagesOf(60_000_000, 60_000) });
    const reply = await llmSummarizer(model).summarize(asked, NEVER);
    expect(reply.kind).toBe("text");
    expect(server.requests.length).toBeLessThan(150);
    for (const sent of server.requests) {
      expect(sizeOf({ systemPrompt: sent.system, prompt: sent.prompt, maxTokens: sent.maxTokens })).toBeLessThanOrEqual(
        8_192,
      );
    }
  });
});
