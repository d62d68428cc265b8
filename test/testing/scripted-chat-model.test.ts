import type { AssistantMessageEvent, Message, TranscriptContext } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import type { ReplyFailure } from "../../src/ports/chat-model.ts";
import { type ChatScript, scriptedChatModel } from "../../src/testing/index.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });

async function heard(script: ChatScript, signal?: AbortSignal, ...messages: Message[]) {
  const model = scriptedChatModel(script);
  const context = { messages: messages.length > 0 ? messages : [user("Go.")] } as unknown as TranscriptContext;
  const stream = await model.stream(model.definition, context, signal && { signal });
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return { model, events, reply: (await stream.result()) as Awaited<ReturnType<typeof stream.result>> & ReplyFailure };
}

describe("the scripted chat model", () => {
  it("[A1] says text, thinking and calls in the events of pi-ai", async () => {
    const text = "It is done. ".repeat(8);
    const toolCalls = [{ name: "read", arguments: { path: "a.ts" } }, { name: "look" }];
    const { events, reply } = await heard([{ text, thinking: "hmm", toolCalls }]);
    expect(reply).toMatchObject({ stopReason: "toolUse", provider: "scripted", model: "model" });
    expect(reply.content).toMatchObject([{ thinking: "hmm" }, { text }, toolCalls[0], { name: "look", arguments: {} }]);
    const ids = reply.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    expect(new Set(ids).size).toBe(2);
    const kinds = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(kinds).toEqual([
      ...["start", "thinking_start", "thinking_delta", "thinking_end", "text_start", "text_delta", "text_end"],
      ...["toolcall_start", "toolcall_delta", "toolcall_end", "toolcall_start", "toolcall_delta", "toolcall_end"],
      "done",
    ]);
  });

  it("[T2] counts what it was sent, or says what it is told to", async () => {
    const small = await heard(["x"]);
    const large = await heard(["x"], undefined, user("word ".repeat(4_000)));
    expect(large.reply.usage.input).toBeGreaterThan(small.reply.usage.input + 3_000);
    const told = await heard([{ text: "x", usage: { input: 7, output: 8 } }]);
    expect(told.reply.usage).toMatchObject({ input: 7, output: 8, totalTokens: 15 });
  });

  it("[A1] follows the conversation, and keeps what it was sent", async () => {
    const { model, reply } = await heard((messages, number) => `${number}: ${messages.length} messages`);
    expect(reply.content).toMatchObject([{ text: "0: 1 messages" }]);
    expect(model.requests).toEqual([[user("Go.")]]);
  });

  it("[A3] fails with a cause, also where the script throws", async () => {
    const error = { message: "Slow down", status: 429, code: "rate", retryAfterMs: 5 };
    const failed = {
      stopReason: "error",
      errorMessage: "Slow down",
      errorStatus: 429,
      errorCode: "rate",
      retryAfterMs: 5,
    };
    expect((await heard([{ text: "half", error }])).reply).toMatchObject({ ...failed, content: [{ text: "half" }] });
    const thrown = await heard(() => {
      throw new Error("no more");
    });
    expect(thrown.reply).toMatchObject({ stopReason: "error", errorMessage: "Error: no more" });
  });

  it("[A1] ends at an abort, in its middle and where it hangs", async () => {
    for (const reply of [{ text: "long ".repeat(200), delayMs: 20 }, { hang: true as const }]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 30);
      const { events, reply: aborted } = await heard([reply], abort.signal);
      expect(aborted).toMatchObject({ stopReason: "aborted", errorMessage: "The request was aborted." });
      expect(events.at(-1)?.type).toBe("error");
    }
  });
});
