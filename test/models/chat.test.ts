import type { AssistantMessage, AssistantMessageEvent, Message, TranscriptContext } from "@earendil-works/pi-ai";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openChatModel } from "../../src/models/index.ts";
import type { ChatModel, ReplyFailure } from "../../src/ports/chat-model.ts";
import { type FakeServerOptions, fakeModelServer } from "../../src/testing/fake-model-server.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";
import type { WireFormat } from "../../src/testing/wire/format.ts";

const FORMATS: readonly WireFormat[] = ["anthropic", "openai-chat", "openai-responses", "google"];
const KEY = "sk-test-4f1c9a77e2";

const READ = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const SYSTEM: Message = { role: "system", content: "You write code.", toolsAdded: [READ], timestamp: 1 };
const said = (text: string): Message => ({ role: "user", content: text, timestamp: 2 });
const contextOf = (...messages: Message[]) => ({ messages: [SYSTEM, ...messages] }) as unknown as TranscriptContext;

type Asked = Parameters<ChatModel["stream"]>[2];
type Reply = AssistantMessage & ReplyFailure;

async function serving(format: WireFormat, script: FakeServerOptions["script"], timeoutMs?: number) {
  const server = await fakeModelServer({ script });
  onTestFinished(() => server.close());
  const env = { ESPALIER_API_KEY: KEY };
  const baseUrl = server.baseUrl(format);
  const contextWindow = 50_000;
  const model = await openChatModel({ model: "mine/m-1", baseUrl, api: format, contextWindow, env, timeoutMs });
  return { server, model };
}

/** Every event, and the reply, which must be the last of them and the only one that ends. */
async function heard(model: ChatModel, context = contextOf(said("Go.")), asked?: Asked) {
  const stream = await model.stream(model.definition, context, asked);
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  const reply: Reply = await stream.result();
  const ends = events.filter(({ type }) => type === "done" || type === "error");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toBe(ends[0]);
  expect(JSON.stringify(reply)).not.toContain(KEY);
  return { events, reply };
}

const ask = async (...args: Parameters<typeof heard>) => (await heard(...args)).reply;

describe.each(FORMATS)("%s", (format) => {
  // The first request of a format loads its client, which must not count against a short timeout below.
  beforeAll(async () => {
    const server = await fakeModelServer({ script: ["warm"] });
    const model = await openChatModel({ model: "mine/m", baseUrl: server.baseUrl(format), api: format, env: {} });
    await heard(model);
    await server.close();
  });

  it("[A1] streams a text, with its usage, and says who it is", async () => {
    const text = "It is done. 日本語 👍🏽 ".repeat(5);
    const { server, model } = await serving(format, [{ text, input: 1234, output: 56 }]);
    const identity = { attribution: { name: "pi", url: "https://pi.dev" } };
    const { events, reply } = await heard(model, contextOf(said("Go.")), { maxTokens: 777, identity });
    expect(reply).toMatchObject({ role: "assistant", provider: "mine", model: "m-1", stopReason: "stop" });
    expect(reply.content).toMatchObject([{ type: "text", text }]);
    expect(reply.usage).toMatchObject({ input: 1234, output: 56, totalTokens: 1290 });
    expect(events.filter(({ type }) => type === "text_delta").length).toBeGreaterThan(1);
    const [request] = server.requests;
    expect(request).toMatchObject({ format, model: "m-1", system: "You write code.", prompt: "Go.", maxTokens: 777 });
    expect(request?.tools).toEqual(["read"]);
    expect(request?.headers["user-agent"]).toContain("espalier");
    expect(JSON.stringify(request?.headers)).toContain(KEY);
    expect(JSON.stringify(request?.headers)).not.toContain("pi.dev");
    expect(server.faults).toEqual([]);
  });

  it("[A1] streams the arguments of parallel calls, and sends the results back under their calls", async () => {
    const path = `src/${"deep/".repeat(30)}file.ts`;
    const calls = [
      { name: "read", arguments: { path } },
      { name: "read", arguments: { path: "b.ts" } },
    ];
    const { server, model } = await serving(format, [{ text: "Looking.", toolCalls: calls }, "Read."]);
    const { events, reply } = await heard(model);
    expect(reply.stopReason).toBe("toolUse");
    const made = reply.content.filter((block) => block.type === "toolCall");
    expect(made).toMatchObject(calls);
    expect(events.filter(({ type }) => type === "toolcall_end")).toHaveLength(2);
    if (format !== "google") expect(events.filter(({ type }) => type === "toolcall_delta").length).toBeGreaterThan(2);
    const results = made.map(
      ({ id, name }, n): Message => ({
        role: "toolResult",
        toolCallId: id,
        toolName: name,
        content: [{ type: "text", text: `content ${n}` }],
        isError: false,
        timestamp: 3,
      }),
    );
    expect(await ask(model, contextOf(said("Go."), reply, ...results))).toMatchObject({ stopReason: "stop" });
    const sent = server.requests[1]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "results"]);
    expect(sent[1]).toMatchObject({ text: "Looking.", toolCalls: calls });
    expect(sent[2]?.results.map(({ text }) => text)).toEqual(["content 0", "content 1"]);
    expect(server.faults).toEqual([]);
  });

  it("[A1] tells thinking from text, and a reply that was cut", async () => {
    const { model } = await serving(format, [
      { thinking: "hmm", text: "So." },
      { text: "cut", stop: "length" },
    ]);
    const { events, reply } = await heard(model);
    expect(reply.content).toMatchObject([
      { type: "thinking", thinking: "hmm" },
      { type: "text", text: "So." },
    ]);
    expect(events.some(({ type }) => type === "thinking_delta")).toBe(true);
    expect(await ask(model)).toMatchObject({ stopReason: "length", content: [{ text: "cut" }] });
  });

  it.each<[string, FakeReply, object, RegExp]>([
    [
      "a limit of rate",
      { status: 429, message: "Slow down", headers: { "retry-after": "7" } },
      { errorStatus: 429, retryAfterMs: 7000 },
      /HTTP 429: Slow down/,
    ],
    ["a broken server", { status: 500, message: "Oops" }, { errorStatus: 500 }, /HTTP 500: Oops/],
    ["a wrong key", { status: 401, message: `Incorrect API key provided: ${KEY}.` }, { errorStatus: 401 }, /HTTP 401/],
    ["a request that is too long", { fault: "overflow" }, { errorStatus: 400 }, /too long|context|exceeds/],
    ["a connection that breaks", { fault: "reset" }, {}, /broke off|ended|failed/],
    ["JSON that is none", { fault: "invalid-json" }, {}, /JSON|failed/],
    ["a web page", { fault: "wrong-type" }, { errorCode: "NOT_AN_ANSWER" }, /text\/html/],
    ["a redirect", { redirect: "http://example.com/" }, { errorCode: "REDIRECTED" }, /example\.com/],
    ["5 MB", { fault: "large" }, { errorCode: "REPLY_TOO_LARGE" }, /far longer/],
  ])("[A3] makes one failed reply of %s, with its cause, and asks once", async (_, script, facts, words) => {
    const { server, model } = await serving(format, [script]);
    const reply = await ask(model, undefined, { maxTokens: 1000 });
    expect(reply).toMatchObject({ stopReason: "error", ...facts });
    expect(reply.errorMessage).toMatch(words);
    expect(server.requests).toHaveLength(1);
  });

  it.each(["hang", "endless"] as const)(
    "[A1] an abort ends the reply at once and reaches the server (%s)",
    async (fault) => {
      const { server, model } = await serving(format, [{ fault }]);
      const abort = new AbortController();
      const reply = ask(model, undefined, { signal: abort.signal });
      await expect.poll(() => server.requests.length).toBe(1);
      abort.abort();
      const { errorStatus, ...aborted } = await reply;
      expect(aborted).toMatchObject({ stopReason: "aborted", errorMessage: "The request was aborted." });
      expect(errorStatus).toBeUndefined();
      await expect.poll(() => server.requests[0]?.closed).toBe(true);
    },
  );

  it("[A1] does not begin when it is aborted already", async () => {
    const { server, model } = await serving(format, ["text"]);
    expect(await ask(model, undefined, { signal: AbortSignal.abort() })).toMatchObject({ stopReason: "aborted" });
    expect(server.requests).toHaveLength(0);
  });

  it("[A3] gives up a server that is silent, not one that is slow", async () => {
    const slow = { text: "slow ".repeat(60), delayMs: 60 };
    const { model } = await serving(format, [slow, { fault: "hang" }], 500);
    expect(await ask(model)).toMatchObject({ stopReason: "stop" });
    const silent = await ask(model);
    expect(silent).toMatchObject({ stopReason: "error", errorCode: "TIMEOUT" });
    expect(silent.errorMessage).toContain("sent nothing for 0.5 s");
  });
});

describe("the chat model", () => {
  it("[A1] tells its windows and names", async () => {
    const { model } = await serving("openai-chat", ["x"]);
    expect(model).toMatchObject({ id: "mine/m-1", provider: "mine", modelId: "m-1", contextWindow: 50_000 });
    expect(model.definition).toMatchObject({ id: "m-1", provider: "mine" });
    expect(JSON.stringify(model)).not.toContain(KEY);
  });

  it("[A3] says that nobody listens, and what makes no request", async () => {
    const { server, model } = await serving("openai-chat", ["x"]);
    await server.close();
    expect(await ask(model)).toMatchObject({ stopReason: "error", errorCode: "ECONNREFUSED" });
    const broken = { messages: null } as unknown as TranscriptContext;
    expect(await ask(model, broken)).toMatchObject({ stopReason: "error" });
  });
});
