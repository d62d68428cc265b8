import { describe, expect, it, onTestFinished } from "vitest";
import { openModel } from "../../src/models/index.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { fallbackSummarizer } from "../../src/summarizers/fallback.ts";
import { llmSummarizer } from "../../src/summarizers/llm.ts";
import { type FakeServerOptions, fakeModelServer } from "../../src/testing/fake-model-server.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";
import { hurried, sessionWith } from "./session.ts";

const FORMATS = ["anthropic", "openai-chat", "openai-responses", "google"] as const;
type Format = (typeof FORMATS)[number];

async function asking(format: Format, script: FakeServerOptions["script"], waits: number[] = []) {
  const server = await fakeModelServer({ script });
  onTestFinished(() => server.close());
  const choice = { model: "mine/m", baseUrl: server.baseUrl(format), api: format, env: {} };
  const endless = Array.isArray(script) && script.some((reply) => reply?.fault === "endless");
  const model = await openModel({ ...choice, timeoutMs: endless ? 1_500 : 60_000 });
  return { server, candidate: llmSummarizer(model, { patience: hurried(waits) }) };
}

/** A fault, what the warning must say, and how many requests the history takes. */
const FAULTS: [string, FakeReply, RegExp, number][] = [
  ["400", { status: 400, message: "no such field" }, /HTTP 400.*no such field/, 1],
  ["401", { status: 401 }, /HTTP 401/, 1],
  ["403", { status: 403 }, /HTTP 403/, 1],
  ["413", { status: 413, message: "Request Entity Too Large" }, /HTTP 413/, 1],
  ["429 with retry-after", { status: 429, headers: { "retry-after": "2" } }, /HTTP 429/, 4],
  ["429 without", { status: 429 }, /HTTP 429/, 4],
  ["429 that asks for an hour", { status: 429, headers: { "retry-after": "3600" } }, /HTTP 429/, 1],
  ["500", { status: 500 }, /HTTP 500/, 4],
  ["503", { status: 503 }, /HTTP 503/, 4],
  ["529", { status: 529, message: "busy" }, /HTTP 529/, 4],
  ["a body that never ends", { fault: "endless" }, /did not finish within 1\.5 s/, 1],
  ["5 MB", { fault: "large" }, /far longer/, 1],
  ["nothing", "", /held no text/, 2],
  ["thinking only", { thinking: "hmm" }, /held no text/, 2],
  ["a cut reply", { text: "## Goal", stop: "length" }, /too long/, 2],
  ["a tool call", { toolCalls: [{ name: "read" }] }, /called a tool/, 2],
  ["more than it replaces", "all of it again ".repeat(2_700), /as long as what it should replace|far longer/, 2],
  ["a web page", { fault: "wrong-type" }, /text\/html/, 1],
  ["a redirect to another host", { redirect: "http://example.com/v1/chat/completions" }, /example\.com/, 1],
];

describe("a fault of the model leaves the history whole", () => {
  it.each(FAULTS)("[M6, M7] %s: a usable summary without it, and why", async (_, reply, words, requests) => {
    const { server, candidate } = await asking("openai-chat", [reply]);
    const { session, events, stored } = await sessionWith(
      fallbackSummarizer([candidate], { last: embeddedSummarizer() }),
    );
    const before = await stored();
    const outcome = await session.compact();
    expect(outcome.status).toBe("compacted");
    if (outcome.status !== "compacted") return;
    expect(outcome.entry).toMatchObject({ method: "extractive", summary: expect.stringContaining("Never touch") });
    const warning = outcome.result.warnings.find(({ code }) => code === "SUMMARY_FALLBACK");
    expect(warning?.message).toMatch(words);
    expect((await stored()).slice(0, before.length)).toEqual(before);
    expect(events.filter(({ type }) => type === "compaction_end")).toHaveLength(1);
    expect(server.requests).toHaveLength(requests);
  });

  it.each<[string, FakeReply]>([
    ["a connection that breaks", { fault: "reset" }],
    ["JSON that is none", { fault: "invalid-json" }],
    ["a request beyond the window", { fault: "overflow" }],
  ])("[M6, M7] %s, on each wire format", async (_, reply) => {
    for (const format of FORMATS) {
      const { candidate } = await asking(format, [reply]);
      const { session } = await sessionWith(fallbackSummarizer([candidate], { last: embeddedSummarizer() }));
      const outcome = await session.compact();
      expect(outcome).toMatchObject({ status: "compacted", entry: { method: "extractive" } });
      expect(outcome.status === "compacted" && outcome.result.warnings[0]?.message).toContain("mine/m");
    }
  });

  it("[M6] fallback fail: nothing is stored, one end, and the reason", async () => {
    const { candidate } = await asking("anthropic", [{ status: 401 }]);
    const { session, events, stored } = await sessionWith(fallbackSummarizer([candidate]));
    const before = await stored();
    const outcome = await session.compact();
    expect(outcome).toMatchObject({ status: "failed", error: { code: "SUMMARY_FAILED" } });
    expect(outcome.status === "failed" && outcome.error.message).toMatch(/HTTP 401.*Nothing was changed/);
    expect(await stored()).toEqual(before);
    expect(events.filter(({ type }) => type === "compaction_end")).toMatchObject([
      { errorMessage: expect.stringContaining("HTTP 401") },
    ]);
  });

  it("[M7] the next candidate is asked, and the first one's reason is a warning", async () => {
    const first = await asking("anthropic", [{ status: 403 }]);
    const second = await asking("google", ["## Goal\nShip it. [#u0]"]);
    const { session } = await sessionWith(
      fallbackSummarizer([first.candidate, second.candidate], { last: embeddedSummarizer() }),
    );
    const outcome = await session.compact();
    expect(outcome).toMatchObject({ status: "compacted", entry: { method: "llm", model: "mine/m" } });
    expect(outcome.status === "compacted" && outcome.result.warnings[0]?.message).toContain("HTTP 403");
    // The short line is not asked of whoever has just failed.
    expect(first.server.requests).toHaveLength(1);
  });

  it("[M7] waits as long as the server says, else twice as long each time", async () => {
    const waits: number[] = [];
    const busy = { status: 503 };
    const script = [{ ...busy, headers: { "retry-after": "2" } }, busy, busy, "## Goal\nShip it."];
    const { candidate } = await asking("openai-chat", script, waits);
    const { session } = await sessionWith(candidate);
    expect(await session.compact()).toMatchObject({ status: "compacted", entry: { method: "llm" } });
    expect(waits).toEqual([2_000, 2_000, 4_000]);
  });

  it.each(["hang", "endless"] as const)(
    "[M7] abort while it is asked (%s) cancels, and changes nothing",
    async (fault) => {
      const { server, candidate } = await asking("openai-responses", [{ fault }]);
      const { session, events, stored } = await sessionWith(
        fallbackSummarizer([candidate], { last: embeddedSummarizer() }),
      );
      const before = await stored();
      const abort = new AbortController();
      const outcome = session.compact({ signal: abort.signal });
      await expect.poll(() => server.requests.length).toBe(1);
      abort.abort();
      expect(await outcome).toEqual({ status: "cancelled", by: "signal" });
      await expect.poll(() => server.requests[0]?.closed).toBe(true);
      expect(await stored()).toEqual(before);
      expect(events.filter(({ type }) => type === "compaction_end")).toMatchObject([{ aborted: true }]);
    },
  );

  it("[M7] abort while waiting to ask again ends the wait", async () => {
    const server = await fakeModelServer({ script: [{ status: 503 }] });
    onTestFinished(() => server.close());
    const api = "openai-chat";
    const model = await openModel({ model: "mine/m", baseUrl: server.baseUrl(api), api, env: {} });
    const abort = new AbortController();
    const { session } = await sessionWith(llmSummarizer(model, { patience: { firstWaitMs: 50_000 } }));
    session.on("compaction_progress", ({ progress }) => {
      if (progress?.kind === "failed") queueMicrotask(() => abort.abort());
    });
    expect(await session.compact({ signal: abort.signal })).toEqual({ status: "cancelled", by: "signal" });
  });

  it("[M11] a short line that fails changes nothing", async () => {
    const { candidate } = await asking("openai-chat", ["## Goal\nShip it.", { status: 500 }]);
    const { session } = await sessionWith(candidate);
    const outcome = await session.compact();
    expect(outcome).toMatchObject({ status: "compacted", entry: { method: "llm" } });
    expect(outcome.status === "compacted" && outcome.entry.shortSummary).toBeUndefined();
  });

  it("[M12] each request is told; the accepted ones are in the entry, the others beside it", async () => {
    const answer = (text: string) => ({ text, input: 1_000, output: 100 });
    const script = [
      { ...answer("x"), toolCalls: [{ name: "read" }] },
      answer("## Goal\nShip it."),
      answer("Shipping it"),
    ];
    const { candidate } = await asking("openai-chat", script);
    const { session, events, stored } = await sessionWith(candidate, {
      settings: { compaction: { keepRecentTokens: 4_000 } },
    });
    const outcome = await session.compact();
    const told = events.flatMap((event) => (event.type === "compaction_progress" ? (event.progress ?? []) : []));
    expect(told.map(({ kind }) => kind)).toEqual(["asking", "answered", "failed", "answered", "asking", "answered"]);
    expect(told.filter(({ kind }) => kind === "answered")).toMatchObject(Array(3).fill({ usage: { input: 1_000 } }));
    expect(outcome).toMatchObject({ entry: { usage: { input: 2_000, output: 200 }, shortSummary: "Shipping it" } });
    const last = (await stored()).slice(-2);
    expect(last).toMatchObject([
      { type: "compaction" },
      { type: "usage", kind: "compaction", provider: "mine", model: "m", usage: { input: 1_000, output: 100 } },
    ]);
    expect(last[1]?.parentId).toBe(last[0]?.id);
  });
});
