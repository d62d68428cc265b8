import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeServerOptions, fakeModelServer } from "../../src/testing/fake-model-server.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { sessionText } from "./session-text.ts";

const KEY = "sk-cli-0f9e8d7c6b5a";
const SUMMARY = "## Goal\nFix the modules, one by one. [#00000001]";
const KEEP = ["--keep-recent-tokens", "4000"];

async function server(
  script: FakeServerOptions["script"],
  format: "anthropic" | "openai-chat" | "openai-responses" | "google" = "openai-chat",
) {
  const fake = await fakeModelServer({ script });
  onTestFinished(() => fake.close());
  const flags = ["--model", "mine/m", "--base-url", fake.baseUrl(format), "--api", format];
  return { fake, flags };
}

describe("espalier compact --model", () => {
  it.each(["anthropic", "openai-chat", "openai-responses", "google"] as const)(
    "[M1] asks over %s and stores what it answers",
    async (format) => {
      const { fake, flags } = await server([SUMMARY], format);
      const file = fileOf(sessionText(60));
      const env = { ESPALIER_API_KEY: KEY };
      const { document, out, err } = await espalierJson(["compact", file, "the", "modules", ...KEEP, ...flags], {
        env,
      });
      expect(document).toMatchObject({
        status: "compacted",
        method: "llm",
        model: "mine/m",
        usage: { input: expect.any(Number) },
      });
      expect(document.summary).toContain("Fix the modules, one by one.");
      // The start of a split turn is asked for first.
      const history = fake.requests.find(({ prompt }) => prompt.startsWith("<conversation>\n[User #00000001]: "));
      expect(history?.format).toBe(format);
      expect(history?.prompt).toMatch(/the modules$/);
      expect(out + err + readFileSync(file, "utf8")).not.toContain(KEY);
    },
  );

  it("[M12] says who wrote the summary and what it took", async () => {
    const { flags } = await server([SUMMARY]);
    const ran = await espalier(["compact", fileOf(sessionText(60)), ...KEEP, ...flags]);
    expect(ran.out).toMatch(/Summary.*mine\/m.*asked with [\d,]+ tokens/);
  });

  it("[M6] without a key the summary is made without a model, and that is said; with fallback fail it is not", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const args = ["compact", file, "--model", "anthropic/claude-sonnet-4-5", ...KEEP];
    const refused = await espalierJson(args, { env: { ESPALIER_FALLBACK: "fail" } });
    expect(refused).toMatchObject({ code: 1, document: { error: { code: "SUMMARY_FAILED" } } });
    expect(readFileSync(file)).toEqual(before);
    const ran = await espalier(args);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("set ANTHROPIC_");
    expect(ran.out).toContain("embedded summariser, no model");
  });

  it("[M7] a model that nobody knows is an error that names what is like it", async () => {
    const { code, document } = await espalierJson([
      "compact",
      fileOf(sessionText(60)),
      "--model",
      "anthropic/claude-sonet",
      ...KEEP,
    ]);
    expect(code).toBe(1);
    expect(document.error).toMatchObject({ code: "MODEL_UNKNOWN", message: expect.stringContaining("claude-sonnet") });
  });

  it("[E2] models may be defined in the user's settings, and are asked in order", async () => {
    const home = folder();
    const { fake } = await server((request) => (request.model === "first" ? { status: 403 } : SUMMARY));
    const at = { provider: "mine", api: "openai-chat", baseUrl: fake.baseUrl("openai-chat"), contextWindow: 16_384 };
    const models = [
      { ...at, id: "first" },
      { ...at, id: "second" },
    ];
    const config = fileOf(
      JSON.stringify({ models, compaction: { model: "mine/first, mine/second" } }),
      "settings.json",
    );
    const { mkdirSync, cpSync } = await import("node:fs");
    mkdirSync(join(home, ".config/espalier"), { recursive: true });
    cpSync(config, join(home, ".config/espalier/settings.json"));
    const { document } = await espalierJson(["compact", fileOf(sessionText(60)), ...KEEP], { env: { HOME: home } });
    expect(document).toMatchObject({ status: "compacted", model: "mine/second" });
    expect(document.warnings[0]).toMatchObject({
      code: "SUMMARIZER_FAILED",
      message: expect.stringContaining("HTTP 403"),
    });
  });

  const soon = { "retry-after-ms": "1" };
  const FAULTS: [string, FakeReply, RegExp][] = [
    ["400", { status: 400 }, /HTTP 400/],
    ["401", { status: 401, message: `Incorrect API key provided: ${KEY}` }, /HTTP 401/],
    ["403", { status: 403 }, /HTTP 403/],
    ["413", { status: 413 }, /HTTP 413/],
    ["429", { status: 429, headers: soon }, /HTTP 429/],
    ["500", { status: 500, headers: soon }, /HTTP 500/],
    ["503", { status: 503, headers: soon }, /HTTP 503/],
    ["529", { status: 529, headers: soon }, /HTTP 529/],
    ["a body without end", { fault: "endless" }, /did not finish/],
    ["5 MB", { fault: "large" }, /far longer/],
    ["nothing", "", /no text/],
    ["thinking only", { thinking: "hm" }, /no text/],
    ["a cut reply", { text: "## Goal", stop: "length" }, /too long/],
    ["a tool call", { toolCalls: [{ name: "read" }] }, /called a tool/],
    ["JSON that is none", { fault: "invalid-json" }, /mine\/m/],
    ["a web page", { fault: "wrong-type" }, /text\/html/],
    ["a redirect", { redirect: "http://example.com/" }, /example\.com/],
    ["a reset in the middle", { fault: "reset" }, /mine\/m/],
    [
      "more than it replaces",
      `## Goal\n${"- a line that says nothing new at all\n".repeat(4000)}`,
      /not shorter|longer/,
    ],
    ["an overflow", { fault: "overflow" }, /maximum context length/],
  ];
  it.each(FAULTS)(
    "[M6, M7] %s: exit 0, history whole, a usable summary, the reason on standard error",
    async (_, reply, words) => {
      const { flags } = await server([reply]);
      const file = fileOf(sessionText(40));
      const before = readFileSync(file);
      const env = {
        ESPALIER_API_KEY: KEY,
        ESPALIER_COMPACTION_TIMEOUT: words.source.includes("finish") ? "3000" : "60000",
      };
      const ran = await espalier(["compact", file, ...KEEP, ...flags, "--verbose"], { env });
      expect(ran.code).toBe(0);
      expect(ran.err.replace(/\s+/g, " ")).toMatch(words);
      const after = readFileSync(file);
      expect(after.subarray(0, before.length)).toEqual(before);
      const [entry] = after.subarray(before.length).toString("utf8").trim().split("\n");
      expect(JSON.parse(entry ?? "")).toMatchObject({ type: "compaction", method: "extractive" });
      expect(ran.out + ran.err + after).not.toContain(KEY);
    },
  );

  it("[M7] Ctrl-C while the model is asked: exit 130, nothing written, the server sees it", async () => {
    const { fake, flags } = await server([{ fault: "hang" }]);
    const file = fileOf(sessionText(40));
    const before = readFileSync(file);
    const ran = espalier(["compact", file, ...KEEP, ...flags], {
      started: async (child) => {
        await expect.poll(() => fake.requests.length, { timeout: 20_000 }).toBe(1);
        child.kill("SIGINT");
      },
    });
    expect((await ran).code).toBe(130);
    expect(readFileSync(file)).toEqual(before);
    expect(fake.requests[0]?.closed).toBe(true);
  });
});
