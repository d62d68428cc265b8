import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSummaryServer, type ServerOptions } from "../../src/cli/summary-server.ts";
import type { Summarizer } from "../../src/ports/summarizer.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { espalierJson, fileOf, folder } from "./run.ts";
import { sessionText } from "./session-text.ts";

const TOKEN = "the-token-of-this-test";

async function serving(more: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const server = createSummaryServer({
    summarizer: () => embeddedSummarizer(),
    token: TOKEN,
    maxTokens: 1_000,
    log: (line) => lines.push(line),
    ...more,
  });
  const url = await server.listen(0, "127.0.0.1");
  onTestFinished(async () => void (await server.stop()));
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}summarize`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { server, url, lines, post };
}

const PROMPT = {
  systemPrompt: "You summarise.",
  prompt:
    "<conversation>\n[User #a1]: Move the parser into its own file. Never touch the lexer.\n\n[Assistant #a2]: Moved it to src/parser.ts.\n</conversation>\n\nSummarise.",
};

describe("the server of summaries", () => {
  it("[M8] answers a prompt with a summary made of its transcript, and logs no word of it", async () => {
    const { post, lines } = await serving();
    const answer = await post(PROMPT);
    expect(answer.status).toBe(200);
    const { summary, method } = (await answer.json()) as { summary: string; method: string };
    expect(method).toBe("extractive");
    expect(summary).toContain("Never touch the lexer.");
    expect(lines.join()).toMatch(/^200 .*extractive$/);
    expect(lines.join()).not.toContain("lexer");
  });

  it("[M8] takes no request without the token, and reads none of it", async () => {
    let asked = 0;
    const summarizer = () => {
      asked++;
      return embeddedSummarizer();
    };
    const { post, url } = await serving({ summarizer });
    for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
      expect((await post(PROMPT, { authorization })).status).toBe(401);
    }
    expect(asked).toBe(0);
    expect((await fetch(`${url}healthz`)).status).toBe(200);
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(405);
    expect((await fetch(`${url}etc`)).status).toBe(404);
  });

  it("[M8] refuses what is no request or too large", async () => {
    const { post } = await serving({ maxBytes: 1_000 });
    expect((await post("{")).status).toBe(400);
    expect((await post("null")).status).toBe(400);
    expect((await post({ prompt: 4 })).status).toBe(400);
    expect((await post(PROMPT, { "content-type": "text/plain" })).status).toBe(415);
    const large = { prompt: "x".repeat(2_000) };
    // The server may close before all of it is sent.
    expect(
      await post(large).then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
    expect((await post(PROMPT)).status).toBe(200);
  });

  it("[M8] what the summariser says of a failure becomes a status that the caller understands", async () => {
    const failing = (failure: "rate-limit" | "auth" | "overflow"): Summarizer => ({
      id: "m",
      summarize: async () => ({ kind: "failed", reason: "no", retryable: false, failure, retryAfterMs: 1_500 }),
    });
    for (const [failure, status] of [
      ["rate-limit", 429],
      ["auth", 502],
      ["overflow", 413],
    ] as const) {
      const { post } = await serving({ summarizer: () => failing(failure) });
      const answer = await post(PROMPT);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, "2"]);
    }
  });

  it("[M8] works on so many at a time, ends what nobody waits for, and stops when the rest is done", async () => {
    const started: AbortSignal[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let both = () => {};
    const two = new Promise<void>((resolve) => {
      both = resolve;
    });
    const slow: Summarizer = {
      id: "slow",
      async summarize(_, signal) {
        started.push(signal);
        if (started.length === 2) both();
        await Promise.race([finished, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
        return signal.aborted ? { kind: "aborted" } : { kind: "text", text: "done", method: "llm" };
      },
    };
    const { server, post, url, lines } = await serving({ summarizer: () => slow, concurrency: 2 });
    const leaving = new AbortController();
    const first = post(PROMPT);
    const second = fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(PROMPT),
      signal: leaving.signal,
    }).catch(() => "left");
    await two;
    const third = await post(PROMPT);
    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "2"]);
    leaving.abort();
    expect(await second).toBe("left");
    await expect.poll(() => lines.some((line) => line.startsWith("client gone"))).toBe(true);
    expect(started.filter((signal) => signal.aborted)).toHaveLength(1);
    const stopped = server.stop();
    expect(
      await post(PROMPT).then(
        ({ status }) => status,
        () => 503,
      ),
    ).toBe(503);
    finish();
    expect(await (await first).json()).toEqual({ summary: "done", method: "llm" });
    expect(await stopped).toEqual({ requests: 2 });
  });
});

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

async function espalierServe(env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH ?? "", HOME: folder(), ...env } };
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--json"], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      err += part;
      const at = /http:\/\/127\.0\.0\.1:\d+\//.exec(err)?.[0];
      if (at && (env.ESPALIER_REMOTE_TOKEN || err.includes("Token"))) resolve(at);
    });
    child.on("close", () => reject(new Error(err)));
  });
  return { child, url, err: () => err };
}

function ended(child: ChildProcess): Promise<{ code: number | null; out: string }> {
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    out += part;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out })));
}

describe("espalier serve and compact --endpoint", () => {
  it("[M8] one end writes the summary that the other asks for; SIGTERM ends it cleanly", async () => {
    const { child, url, err } = await espalierServe();
    const end = ended(child);
    const token = /Token[^:]*: (\S+)/.exec(err())?.[1] ?? "";
    const file = fileOf(sessionText(60));
    const before = readFileSync(file, "utf8");
    const flags = ["--keep-recent-tokens", "4000", "--endpoint", url];
    const env = { ESPALIER_REMOTE_TOKEN: token };
    const { document } = await espalierJson(["compact", file, ...flags], { env });
    expect(document).toMatchObject({ status: "compacted", method: "remote", model: `remote/${new URL(url).host}` });
    expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
    child.kill("SIGTERM");
    const { code, out } = await end;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: "stopped" });
    expect(JSON.parse(out).requests).toBeGreaterThan(0);
  }, 60_000);

  it("[M8, M6] a wrong token costs nothing but the remote summary, and is told", async () => {
    const { url } = await espalierServe({ ESPALIER_REMOTE_TOKEN: "right-token-of-it" });
    const file = fileOf(sessionText(60));
    const flags = ["--keep-recent-tokens", "4000", "--endpoint", url];
    const env = { ESPALIER_REMOTE_TOKEN: "wrong-token-of-it" };
    const ran = await espalierJson(["compact", file, ...flags], { env });
    expect(ran.document).toMatchObject({ status: "compacted", method: "extractive" });
    expect(JSON.stringify(ran.document.warnings)).toContain("HTTP 401");
    expect(ran.out + ran.err).not.toContain("wrong-token");
  }, 60_000);

  it("[M8] an endpoint that may not be used is wrong usage, and nothing is written", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file, "utf8");
    const { code, document } = await espalierJson(["compact", file, "--endpoint", "http://host.example/"]);
    expect([code, document.error.code]).toEqual([2, "SETTING_INVALID"]);
    expect(readFileSync(file, "utf8")).toBe(before);
  }, 60_000);
});
