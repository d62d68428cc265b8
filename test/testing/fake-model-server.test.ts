import { describe, expect, it, onTestFinished } from "vitest";
import { fakeModelServer } from "../../src/testing/fake-model-server.ts";

const PATHS = {
  anthropic: ["/v1/messages", { model: "m", max_tokens: 9, system: "s", messages: [{ role: "user", content: "p" }] }],
  "openai-chat": [
    "/v1/chat/completions",
    {
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "p" },
      ],
    },
  ],
  "openai-responses": ["/v1/responses", { model: "m", max_output_tokens: 9, instructions: "s", input: "p" }],
  google: [
    "/v1beta/models/m:generateContent",
    {
      generationConfig: { maxOutputTokens: 9 },
      systemInstruction: { parts: [{ text: "s" }] },
      contents: [{ parts: [{ text: "p" }] }],
    },
  ],
} as const;

describe("the fake model server", () => {
  it.each(Object.entries(PATHS))(
    "[M1] answers %s as one document and understands what was asked",
    async (format, [path, body]) => {
      const server = await fakeModelServer({ script: ["Said in full."] });
      onTestFinished(() => server.close());
      const response = await fetch(server.origin + path, { method: "POST", body: JSON.stringify(body) });
      expect(response.headers.get("content-type")).toContain("json");
      expect(await response.text()).toContain("Said in full.");
      const asked = { format, model: "m", maxTokens: 9, streams: false, closed: false };
      expect(server.requests[0]).toMatchObject({ ...asked, system: "s", prompt: "p" });
    },
  );
});

describe("what the fake model server finds fault with", () => {
  const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "text" });
  const user = { role: "user", content: "Go on." };

  async function faultsOf(...messages: object[]): Promise<readonly string[]> {
    const server = await fakeModelServer({ script: ["ok"], window: 500 });
    onTestFinished(() => server.close());
    const body = JSON.stringify({ model: "m", max_tokens: 9, messages });
    const response = await fetch(`${server.origin}/v1/chat/completions`, { method: "POST", body });
    await response.text();
    return server.faults;
  }

  it("[X5] takes what every provider takes", async () => {
    const two = { role: "assistant", content: null, tool_calls: [call("a"), call("b")] };
    expect(await faultsOf({ role: "system", content: "s" }, user, user, two, result("b"), result("a"), user)).toEqual(
      [],
    );
  });

  it.each<[string, object[], RegExp]>([
    ["a call without a result", [user, { role: "assistant", tool_calls: [call("a")] }, user], /call a .* 0 results/],
    ["two results", [user, { role: "assistant", tool_calls: [call("a")] }, result("a"), result("a")], /2 results/],
    ["a result without a call", [user, result("a")], /result a .* no call/],
    [
      "a result too late",
      [user, { role: "assistant", tool_calls: [call("a")] }, user, result("a")],
      /0 results directly/,
    ],
    [
      "an id that is used twice",
      [user, { role: "assistant", tool_calls: [call("a"), call("a")] }, result("a")],
      /second time/,
    ],
    ["an assistant first", [{ role: "assistant", content: "x" }, user], /first message is assistant/],
    ["an assistant last", [user, { role: "assistant", content: "x" }], /last message/],
    ["an empty message", [user, { role: "user", content: "" }], /message 1 \(user\) is empty/],
    ["a request over the window", [{ role: "user", content: "word ".repeat(900) }], /tokens where m takes 500/],
  ])("[X5] refuses %s", async (_, messages, words) => {
    expect((await faultsOf(...messages))[0]).toMatch(words);
  });

  it("[T4] says overflow in the provider's words from a size on", async () => {
    const server = await fakeModelServer({ script: ["ok"], overflowAt: { m: 100 } });
    onTestFinished(() => server.close());
    const ask = (content: string) =>
      fetch(`${server.origin}/v1/messages`, {
        method: "POST",
        body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content }] }),
      });
    expect((await ask("short")).status).toBe(200);
    const over = await ask("word ".repeat(400));
    expect(over.status).toBe(400);
    expect(await over.text()).toMatch(/prompt is too long: \d+ tokens > 100 maximum/);
    expect(server.faults).toEqual([]);
  });

  it("[A1] tells of a script that threw, and goes on", async () => {
    const server = await fakeModelServer({
      script: () => {
        throw new Error("no more");
      },
    });
    onTestFinished(() => server.close());
    const response = await fetch(`${server.origin}/v1/messages`, { method: "POST", body: "{}" });
    expect(response.status).toBe(500);
    expect(server.faults.join()).toContain("the script threw Error: no more");
  });
});
