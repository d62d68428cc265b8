import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { nowhere } from "../models/endpoint.ts";
import { espalierJson, fileOf } from "./run.ts";
import { sessionText } from "./session-text.ts";

type Answer = (response: ServerResponse) => void;

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after-ms": "1", ...headers }).end(body);
  };

const FAULTS: [name: string, answer: Answer | "refused", words: RegExp][] = [
  ["500", answer(500, '{"error":"broken"}'), /HTTP 500/],
  ["503", answer(503, "{}"), /HTTP 503/],
  ["429", answer(429, "{}", { "retry-after": "0" }), /HTTP 429/],
  ["400", answer(400, '{"error":"bad request"}'), /HTTP 400/],
  ["401", answer(401, "{}"), /HTTP 401/],
  ["403", answer(403, "{}"), /HTTP 403/],
  ["529", answer(529, "{}"), /HTTP 529/],
  ["an overflow", answer(400, '{"error":"prompt is too long: 300000 tokens > 200000 maximum"}'), /HTTP 400|too long/],
  [
    "more than it replaces",
    answer(200, JSON.stringify({ summary: "a line without end. ".repeat(20_000) })),
    /as long as what it should replace|longer/,
  ],
  ["5 MB", answer(200, JSON.stringify({ summary: "x".repeat(5_000_000) })), /longer|large|as long as/],
  [
    "a body without end",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"summary": "');
      const timer = setInterval(() => response.write("word "), 50);
      response.on("close", () => clearInterval(timer));
    },
    /did not finish/,
  ],
  ["413", answer(413, "{}"), /HTTP 413/],
  ["invalid JSON", answer(200, '{"summary": "half'), /sent something else/],
  ["a web page", answer(200, "<html>", { "content-type": "text/html" }), /text\/html/],
  ["an empty summary", answer(200, '{"summary":""}'), /no text/],
  [
    "a reset in the middle",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"summary": "ha', () => response.destroy());
    },
    /broke off|could not be reached/,
  ],
  ["nobody there", "refused", /could not be reached \(ECONNREFUSED\)/],
  ["a redirect", answer(307, "", { location: "http://example.invalid/take" }), /redirects to example\.invalid/],
];

/** One server for all: the path is the fault's place in the list. */
async function faultyServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const fault = FAULTS[Number(request.url?.slice(1))]?.[1];
      if (typeof fault === "function") fault(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("[M4, M8] what the model behind an endpoint takes in one request is a setting; longer conversations go in parts", async () => {
  const lengths: number[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    lengths.push(body.length);
    answer(200, JSON.stringify({ summary: "## Goal\n- go on" }))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ["compact", fileOf(sessionText(40)), "--keep-recent-tokens", "4000", "--endpoint", url];
  const { document } = await espalierJson(args, { env: { ESPALIER_COMPACTION_REMOTE_WINDOW: "8000" } });
  expect(document).toMatchObject({ status: "compacted", method: "remote" });
  expect(lengths.length).toBeGreaterThan(3);
  expect(Math.max(...lengths)).toBeLessThan(8_000 * 5);
});

it("[M7, M8] whatever an endpoint does, a summary is made without it, and why is said", async () => {
  const origin = await faultyServer();
  const closed = await nowhere();
  const text = sessionText(40);
  const runs = FAULTS.map(async ([name, fault, words], place) => {
    const file = fileOf(text);
    const url = fault === "refused" ? closed : `${origin}/${place}`;
    const args = ["compact", file, "--keep-recent-tokens", "4000", "--endpoint", url];
    const env = { ESPALIER_COMPACTION_TIMEOUT: name === "a body without end" ? "3000" : "60000" };
    const { code, document } = await espalierJson(args, { env });
    return { name, words, code, document, after: readFileSync(file, "utf8") };
  });
  for (const { name, words, code, document, after } of await Promise.all(runs)) {
    expect(code, name).toBe(0);
    expect(document, name).toMatchObject({ status: "compacted", method: "extractive" });
    expect(document.warnings, name).toContainEqual({
      code: "SUMMARY_FALLBACK",
      message: expect.stringMatching(words),
    });
    expect(after.startsWith(text), name).toBe(true);
    expect(JSON.parse(after.slice(text.length).split("\n")[0] ?? ""), name).toMatchObject({ type: "compaction" });
  }
});
