import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../src/core/context/projection.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import type { AssistantMessage } from "../../src/core/session/message.ts";
import { learnWindow } from "../../src/core/trigger/learn-window.ts";
import { classifyError } from "../../src/core/trigger/overflow.ts";
import { emptyLengthStop, newestOverflow, silentOverflow } from "../../src/core/trigger/overflow-reply.ts";
import { remoteModel } from "../../src/models/remote.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { fallbackSummarizer } from "../../src/summarizers/fallback.ts";
import { remoteSummarizer } from "../../src/summarizers/remote.ts";
import { endpoint, type Handler, json } from "../models/endpoint.ts";
import { FAKES } from "../summarizers/secrets/fakes.ts";
import { hurried, sessionWith } from "../summarizers/session.ts";

const kindOf = (message: string) => classifyError({ message }).kind;
const reply = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [],
  provider: "p",
  model: "a",
  stopReason: "stop",
  ...more,
});
const used = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });

describe("overflow not detected", () => {
  it("[OD-02] what only sounds like an overflow costs no history", () => {
    expect(kindOf("image exceeds 5 MB maximum")).toBe("payload");
    expect(kindOf("context window setting invalid")).toBe("other");
    expect(kindOf("max_tokens: 250000 > 128000")).toBe("other");
    expect(kindOf("ThrottlingException: Too many tokens, please wait before trying again.")).toBe("rate-limit");
  });

  it("[OD-03] a reply whose input is above the window is an overflow, though it looks like success", () => {
    expect(silentOverflow(reply({ usage: used(210_000, 0) }), 200_000)).toBe(true);
  });

  it("[OD-04] an error of another model says nothing about this one", () => {
    const message = reply({ stopReason: "error", errorMessage: "prompt is too long: 210000 tokens > 200000 maximum" });
    const path = [{ type: "message", id: "e", parentId: null, timestamp: "", message } as Entry];
    expect(newestOverflow(path, { provider: "p", modelId: "a" }, 200_000)).toBeDefined();
    expect(newestOverflow(path, { provider: "p", modelId: "b" }, 1_000_000)).toBeUndefined();
  });

  it("[TR-07] a length stop is an overflow where the input fills the window, and only there", () => {
    const cut = { stopReason: "length" } as const;
    expect(emptyLengthStop(reply({ ...cut, usage: used(40_000, 8_192) }), 200_000)).toBe(false);
    expect(emptyLengthStop(reply({ ...cut, usage: used(32_700, 0) }), 32_768)).toBe(true);
  });

  it("[LT-05] a reply limit as large as the window is said, not compacted away", () => {
    const error = classifyError({
      message:
        "This model's maximum context length is 131072 tokens. However, you requested 138956 tokens (7884 in the messages, 131072 in the completion).",
    });
    expect(learnWindow({ declared: 131_072, estimate: 8_000, error })).toMatchObject({ because: "reply-too-large" });
  });

  it("[TR-10] an overflow that states the limit lowers the window", () => {
    const error = classifyError({ message: "This model's maximum context length is 32768 tokens." });
    expect(learnWindow({ declared: 200_000, estimate: 40_000, error })).toMatchObject({ window: 32_768 });
  });
});

describe("summary failure", () => {
  const answers: [name: string, handle: Handler, words: RegExp][] = [
    ["404", json({}, 404), /HTTP 404/],
    ["a chat server", json({ error: { message: "messages is required" } }, 400), /messages is required/],
    ["{}", json({}), /"summary"/],
    ["an empty summary", json({ summary: "" }), /no text/],
    ["a web page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"), /text\/html/],
    ["5 MB", json({ summary: "x".repeat(5_000_000) }), /longer/],
    ["no end", (response) => response.writeHead(200, { "content-type": "application/json" }).write(" "), /within/],
    ["elsewhere", (response) => response.writeHead(302, { location: "http://host.invalid/" }).end(), /host\.invalid/],
  ];
  it.each(answers)(
    "[SF-07] an endpoint that answers with %s: why is said, and the history is whole",
    async (name, handle, words) => {
      const { url } = await endpoint(handle);
      const model = remoteModel({ endpoint: url, ...(name === "no end" && { timeoutMs: 400 }) });
      const candidate = remoteSummarizer(model, { patience: hurried([]) });
      const { session, stored, events } = await sessionWith(
        fallbackSummarizer([candidate], { last: embeddedSummarizer() }),
      );
      const before = await stored();
      const outcome = await session.compact();
      expect(outcome).toMatchObject({ status: "compacted", entry: { method: "extractive" } });
      const warnings = outcome.status === "compacted" ? outcome.result.warnings : [];
      expect(warnings.map(({ message }) => message).join()).toMatch(words);
      expect((await stored()).slice(0, before.length)).toEqual(before);
      expect(events.filter(({ type }) => type === "compaction_end")).toHaveLength(1);
    },
  );
});

it("[SX-01] no secret leaves: not in results, arguments, instructions, the previous summary or hook context", async () => {
  const { url, posts } = await endpoint(json({ summary: "## Goal\n- ship" }));
  const all = FAKES.map(([, before, secret, after]) => before + secret + after);
  const part = (n: number) => all.filter((_, index) => index % 5 === n).join("\n");
  const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: part(0) } } as const;
  const content = [{ type: "text", text: part(1) }] as const;
  const messages: ContextMessage[] = [
    { entryId: "a1", message: { role: "assistant", content: [call] } },
    {
      entryId: "a2",
      message: { role: "toolResult", toolCallId: "c", toolName: "bash", content: [...content], isError: false },
    },
    { entryId: "a3", message: { role: "user", content: "and now something long ".repeat(60) } },
  ];
  const answer = await remoteSummarizer(remoteModel({ endpoint: url })).summarize(
    { kind: "history", messages, previous: { summary: part(2) }, focus: part(3), context: [part(4)], maxTokens: 500 },
    new AbortController().signal,
  );
  expect(answer.kind).toBe("text");
  const sent = posts.map(({ body }) => `${body.systemPrompt}${body.prompt}`).join();
  expect(sent).toContain("[secret-1:");
  for (const [kind, , secret] of FAKES) {
    if (kind !== "private-key") expect(sent, kind).not.toContain(secret);
    else for (const line of secret.split("\n").slice(1, -1)) expect(sent).not.toContain(line);
  }
});
