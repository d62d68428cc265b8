import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openModel } from "../../src/models/index.ts";
import type { Model } from "../../src/ports/model.ts";
import { type FakeServerOptions, fakeModelServer } from "../../src/testing/fake-model-server.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";

const FORMATS = ["anthropic", "openai-chat", "openai-responses", "google"] as const;
type Format = (typeof FORMATS)[number];
const KEY = "sk-test-4f1c9a77e2";
const REQUEST = { systemPrompt: "You summarise.", prompt: "Summarise this.", maxTokens: 1000 };
const NEVER = new AbortController().signal;

async function serving(format: Format, script: FakeServerOptions["script"], more: { timeoutMs?: number } = {}) {
  const server = await fakeModelServer({ script });
  onTestFinished(() => server.close());
  const env = { ESPALIER_API_KEY: KEY };
  const model = await openModel({ model: "mine/m-1", baseUrl: server.baseUrl(format), api: format, env, ...more });
  return { server, model };
}

describe.each(FORMATS)("%s", (format) => {
  let warm: { close: () => Promise<void> };
  // The first request of a format loads its client, which must not count against a short timeout below.
  beforeAll(async () => {
    const server = await fakeModelServer({ script: ["warm"] });
    warm = server;
    const model = await openModel({ model: "mine/m", baseUrl: server.baseUrl(format), api: format, env: {} });
    await model.complete(REQUEST, NEVER);
  });
  afterAll(() => warm.close());

  it("[M1] sends system prompt, prompt and limit as given, no tools, and says who asks", async () => {
    const { server, model } = await serving(format, ["## Goal\nShip it. 日本語 👍🏽"]);
    const reply = await model.complete(REQUEST, NEVER);
    expect(reply).toMatchObject({
      kind: "reply",
      text: "## Goal\nShip it. 日本語 👍🏽",
      stopReason: "stop",
      toolCalls: 0,
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ format, model: "m-1", system: "You summarise.", prompt: "Summarise this." });
    expect(request?.maxTokens).toBe(1000);
    expect(request?.body.tools).toBeUndefined();
    expect(request?.headers["user-agent"]).toContain("espalier");
    expect(JSON.stringify(request?.headers)).toContain(KEY);
  });

  it("[M12] reports tokens, and costs where prices are given", async () => {
    const server = await fakeModelServer({ script: [{ text: "ok", input: 1_000_000, output: 500_000 }] });
    onTestFinished(() => server.close());
    const definitions = [
      { provider: "mine", id: "m", baseUrl: server.baseUrl(format), api: format, cost: { input: 2, output: 4 } },
    ];
    const model = await openModel({ model: "mine/m", definitions, env: {} });
    const reply = await model.complete(REQUEST, NEVER);
    expect(reply.kind === "reply" && reply.usage).toMatchObject({
      input: 1_000_000,
      output: 500_000,
      cost: { input: 2, output: 2, total: 4 },
    });
  });

  it("[M6] tells thinking, tool calls and cut replies from text", async () => {
    const { model } = await serving(format, [
      { thinking: "hmm", text: "Text." },
      { thinking: "only" },
      { text: "cut", stop: "length" },
      { toolCalls: [{ name: "read" }] },
      "",
    ]);
    const replies = [];
    for (let n = 0; n < 5; n++) replies.push(await model.complete(REQUEST, NEVER));
    expect(replies).toMatchObject([
      { kind: "reply", text: "Text.", stopReason: "stop" },
      { kind: "reply", text: "", stopReason: "stop" },
      { kind: "reply", text: "cut", stopReason: "length" },
      { kind: "reply", text: "", stopReason: "toolUse", toolCalls: 1 },
      { kind: "reply", text: "", stopReason: "stop" },
    ]);
  });

  it("[M7] gives status, code and retry-after of a failure, and does not retry by itself", async () => {
    const statuses = [400, 401, 403, 413, 429, 500, 503, 529];
    const script: FakeReply[] = statuses.map((status) => ({ status, headers: { "retry-after": "7" } }));
    const { server, model } = await serving(format, script);
    for (const status of statuses) {
      const reply = await model.complete(REQUEST, NEVER);
      expect(reply).toMatchObject({ kind: "failed", status, retryAfterMs: 7000 });
      expect(reply.kind === "failed" && reply.message).toContain(`HTTP ${status}`);
    }
    expect(server.requests).toHaveLength(statuses.length);
  });

  it.each<[string, FakeReply, object, RegExp]>([
    ["a connection that breaks", { fault: "reset" }, {}, /broke off|ended before|failed/],
    ["5 MB", { fault: "large" }, { code: "REPLY_TOO_LARGE" }, /far longer/],
    ["JSON that is none", { fault: "invalid-json" }, {}, /JSON|failed/],
    ["a web page", { fault: "wrong-type" }, { code: "NOT_AN_ANSWER" }, /text\/html/],
    ["a redirect to another host", { redirect: "http://example.com/" }, { code: "REDIRECTED" }, /example\.com/],
  ])("[M7] says what is wrong with %s", async (_, reply, facts, words) => {
    const { model } = await serving(format, [reply]);
    const failed = await model.complete(REQUEST, NEVER);
    expect(failed).toMatchObject({ kind: "failed", ...facts });
    expect(failed.kind === "failed" && failed.message).toMatch(words);
  });

  it("[M7] ends a body that never ends, and the server sees it", async () => {
    const { server, model } = await serving(format, [{ fault: "endless" }], { timeoutMs: 1_000 });
    expect(await model.complete(REQUEST, NEVER)).toMatchObject({ kind: "failed", code: "TIMEOUT" });
    await expect.poll(() => server.requests[0]?.closed).toBe(true);
  });

  it.each(["hang", "endless"] as const)("[M7] abort reaches the server (%s)", async (fault) => {
    const { server, model } = await serving(format, [{ fault }]);
    const abort = new AbortController();
    const reply = model.complete(REQUEST, abort.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    expect(await reply).toMatchObject({ kind: "aborted" });
    await expect.poll(() => server.requests[0]?.closed).toBe(true);
  });

  it("[M7] does not begin when it is aborted already", async () => {
    const { server, model } = await serving(format, ["text"]);
    expect(await model.complete(REQUEST, AbortSignal.abort())).toEqual({ kind: "aborted" });
    expect(server.requests).toHaveLength(0);
  });

  it("[M7] shows no key, also where the server quotes it", async () => {
    const { model } = await serving(format, [{ status: 401, message: `Incorrect API key provided: ${KEY}.` }]);
    expect(JSON.stringify(await model.complete(REQUEST, NEVER))).not.toContain(KEY);
    expect(JSON.stringify(model)).not.toContain(KEY);
  });
});

describe("which model, and whose key", () => {
  const opened = (options: Partial<Parameters<typeof openModel>[0]>): Promise<Model> =>
    openModel({ model: "anthropic/claude-sonnet-4-5", env: {}, ...options });

  it("[M4] windows come from the table, and from definitions before it", async () => {
    const env = { ANTHROPIC_API_KEY: "k" };
    expect(await opened({ env })).toMatchObject({ id: "anthropic/claude-sonnet-4-5", contextWindow: 200_000 });
    const definitions = [{ provider: "anthropic", id: "claude-sonnet-4-5", contextWindow: 9_000 }];
    expect(await opened({ env, definitions })).toMatchObject({ contextWindow: 9_000 });
    const server = { baseUrl: "http://127.0.0.1:9/v1", api: "openai-chat" } as const;
    expect(await opened({ ...server, model: "mine/m" })).toMatchObject({ contextWindow: 32_768 });
    expect(await opened({ ...server, model: "mine/m", contextWindow: 8_192 })).toMatchObject({ contextWindow: 8_192 });
  });

  it("[M7] names the variable that is missing, and the models that are like it", async () => {
    await expect(opened({})).rejects.toMatchObject({
      code: "KEY_MISSING",
      message: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    await expect(opened({ apiKeyEnv: "MY_KEY" })).rejects.toThrow("MY_KEY");
    await expect(opened({ model: "anthropic/claude-sonnet-4-6x" })).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
    await expect(opened({ model: "anthropic/claude-sonet-4-5" })).rejects.toThrow("claude-sonnet-4-5");
    await expect(opened({ model: "antropic/x" })).rejects.toThrow("anthropic");
    await expect(opened({ model: "gpt" })).rejects.toThrow("provider/id");
  });

  it("[M7] sends a provider's key to that provider only", async () => {
    const server = await fakeModelServer({ script: ["ok"] });
    onTestFinished(() => server.close());
    const env = { OPENAI_API_KEY: "sk-real-key", ANTHROPIC_API_KEY: "sk-real-key" };
    const api = "openai-chat";
    const model = await opened({ model: "openai/gpt-5", baseUrl: server.baseUrl(api), api, env });
    await model.complete(REQUEST, NEVER);
    expect(JSON.stringify(server.requests)).not.toContain("sk-real-key");
    await expect(opened({ model: "openai/gpt-5", baseUrl: "http://example.com/v1", api, env })).rejects.toThrow(
      "ESPALIER_API_KEY",
    );
  });

  it("[M7] wants a wire format for a server that no table knows, and a URL that is one", async () => {
    await expect(opened({ model: "mine/m", baseUrl: "http://127.0.0.1:9" })).rejects.toThrow("--api");
    const api = "openai-chat";
    for (const baseUrl of ["127.0.0.1:9", "ftp://x", "file:///etc"]) {
      await expect(opened({ model: "mine/m", baseUrl, api })).rejects.toMatchObject({ code: "USAGE" });
    }
  });

  it("[M7] follows a redirect on the same host", async () => {
    const server = await fakeModelServer({
      script: (_, n) => (n === 0 ? { redirect: "/v2/chat/completions" } : "moved"),
    });
    onTestFinished(() => server.close());
    const model = await opened({ model: "mine/m", baseUrl: server.baseUrl("openai-chat"), api: "openai-chat" });
    expect(await model.complete(REQUEST, NEVER)).toMatchObject({ text: "moved" });
  });

  it("[M7] says that nobody listens", async () => {
    const server = await fakeModelServer({ script: [""] });
    await server.close();
    const model = await opened({ model: "mine/m", baseUrl: server.baseUrl("openai-chat"), api: "openai-chat" });
    const reply = await model.complete(REQUEST, NEVER);
    expect(reply).toMatchObject({ kind: "failed", code: "ECONNREFUSED" });
    expect(reply.kind === "failed" && reply.message).toContain("could not be reached");
  });
});
