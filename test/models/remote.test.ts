import { describe, expect, it } from "vitest";
import { checkEndpoint, remoteModel } from "../../src/models/remote.ts";
import { endpoint, type Handler, json, nowhere } from "./endpoint.ts";

const REQUEST = { systemPrompt: "You summarise.", prompt: "<conversation>…</conversation>", maxTokens: 100 };
const never = new AbortController().signal;

async function answerOf(handle: Handler, options = {}) {
  const { url, posts } = await endpoint(handle);
  const reply = await remoteModel({ endpoint: url, ...options }).complete(REQUEST, never);
  return { reply, posts };
}

it("[M8] posts system prompt and prompt, and takes the summary; more fields are ignored", async () => {
  const { reply, posts } = await answerOf(json({ summary: "## Goal", model: "x" }));
  expect(reply).toEqual({ kind: "reply", text: "## Goal", stopReason: "stop", toolCalls: 0 });
  expect(posts.map((posted) => posted.body)).toEqual([{ systemPrompt: "You summarise.", prompt: REQUEST.prompt }]);
  expect(posts[0]?.headers.authorization).toBeUndefined();
});

it("[M8] a token goes along as bearer, and is in no message that comes back", async () => {
  const token = "tok-1234567890";
  const { reply, posts } = await answerOf(json({ error: { message: `bad token ${token}` } }, 401), { token });
  expect(posts[0]?.headers.authorization).toBe(`Bearer ${token}`);
  expect(reply).toMatchObject({ kind: "failed", status: 401 });
  expect(JSON.stringify(reply)).not.toContain(token);
});

describe("what an endpoint does wrong comes back as a sentence", () => {
  const html: Handler = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");
  const text: Handler = (response) => response.writeHead(200, { "content-type": "text/plain" }).end("a summary");
  const reset: Handler = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"summary": "', () => response.destroy());
  };
  const away: Handler = (response) => response.writeHead(307, { location: "http://example.invalid/" }).end();
  const large = json({ summary: "x".repeat(5_000_000) });
  const cases: [name: string, handle: Handler, expected: object][] = [
    ["404", json("no such page", 404), { status: 404, message: expect.stringContaining("HTTP 404") }],
    ["400 of a chat server", json({ error: { message: "messages is required" } }, 400), { status: 400 }],
    ["429", json({}, 429, { "retry-after": "7" }), { status: 429, retryAfterMs: 7000 }],
    ["503", json({}, 503), { status: 503 }],
    ["{}", json({}), { code: "NOT_AN_ANSWER", message: expect.stringContaining('{"summary": "…"}') }],
    ["a summary that is no text", json({ summary: 4 }), { code: "NOT_AN_ANSWER" }],
    ["null", json("null"), { code: "NOT_AN_ANSWER" }],
    ["half JSON", json('{"summary": "'), { code: "NOT_AN_ANSWER" }],
    ["a web page", html, { code: "NOT_AN_ANSWER" }],
    ["plain text", text, { code: "NOT_AN_ANSWER", message: expect.stringContaining("text/plain") }],
    ["5 MB", large, { code: "REPLY_TOO_LARGE" }],
    ["a reset in the middle", reset, { message: expect.stringContaining("broke off") }],
    ["a redirect to another host", away, { code: "REDIRECTED", message: expect.stringContaining("example.invalid") }],
  ];
  for (const [name, handle, expected] of cases) {
    it(`[M8] ${name}`, async () => {
      expect((await answerOf(handle)).reply).toMatchObject({ kind: "failed", ...expected });
    });
  }
});

it("[M8] nobody there", async () => {
  const reply = await remoteModel({ endpoint: await nowhere() }).complete(REQUEST, never);
  expect(reply).toMatchObject({ kind: "failed", code: "ECONNREFUSED", message: expect.stringContaining("reached") });
});

it("[M8] a body that never ends is given up after the time allowed, and the server learns of it", async () => {
  const drip: Handler = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  };
  const { reply } = await answerOf(drip, { timeoutMs: 60 });
  expect(reply).toMatchObject({ kind: "failed", code: "TIMEOUT" });
});

it("[M8] an abort ends the request at the server too", async () => {
  const abort = new AbortController();
  let closed: Promise<unknown> | undefined;
  const { url } = await endpoint((response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    abort.abort();
  });
  const reply = await remoteModel({ endpoint: url }).complete(REQUEST, abort.signal);
  expect(reply).toEqual({ kind: "aborted" });
  await closed;
});

it("[M8] only HTTPS or this machine, unless allowed", () => {
  for (const good of ["https://host/s", "http://127.0.0.1:8080/s", "http://localhost:1", "http://[::1]:1/"])
    expect(checkEndpoint(good).href).toContain("://");
  expect(checkEndpoint("http://host/s", { allowInsecure: true }).host).toBe("host");
  for (const bad of ["http://host/s", "http://127.0.0.1.evil.example/", "ftp://host", "host/s", "", "https://u:p@host"])
    expect(() => checkEndpoint(bad, { source: "--endpoint" })).toThrow(
      expect.objectContaining({ code: "SETTING_INVALID", message: expect.stringMatching(/^--endpoint: /) }),
    );
});
