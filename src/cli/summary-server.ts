import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { scriptCounter } from "../core/context/tokens.ts";
import { readPrompt } from "../core/summary/read-prompt.ts";
import type { SummaryReply } from "../core/summary/request.ts";
import type { Summarizer } from "../ports/summarizer.ts";

export interface ServerOptions {
  /** Called for each request: who summarises it. */
  readonly summarizer: () => Summarizer;
  /** What `Authorization: Bearer …` must hold. */
  readonly token: string;
  /** The longest summary, in tokens. */
  readonly maxTokens: number;
  /** One line a request, without anything of its content. */
  readonly log: (line: string) => void;
  readonly maxBytes?: number;
  /** Requests that are worked on at the same time; more are told to come again. */
  readonly concurrency?: number;
}

export interface SummaryServer {
  /** `http://127.0.0.1:PORT/` once it listens. Rejects the system's error, such as a port that is taken. */
  listen(port: number, host: string): Promise<string>;
  /** Refuses new requests, resolves when the running ones are answered. */
  stop(): Promise<{ readonly requests: number }>;
}

/** What goes back: a status, a document, and who wrote it for the log. */
interface Reply {
  readonly status: number;
  readonly body: object;
  readonly by?: string;
  readonly headers?: Record<string, string>;
}

const BODY_BYTES = 33_554_432;
const CONCURRENCY = 4;
const UPLOAD_MS = 60_000;
const COME_AGAIN = { "retry-after": "2" };

/**
 * The other end of `compaction.remoteEndpoint` [M8]: POST `{systemPrompt, prompt}` gives `{summary, method, model?}`.
 *
 * Nothing is read before the token is right. A client that goes away ends the work on its request. `GET /healthz` needs
 * no token and tells nothing else than whether requests are taken.
 */
export function createSummaryServer(options: ServerOptions): SummaryServer {
  const { log, maxBytes = BODY_BYTES, concurrency = CONCURRENCY } = options;
  const expected = digest(options.token);
  let stopping = false;
  let working = 0;
  let requests = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const path = (request.url ?? "").split("?")[0];
    if (path === "/healthz") {
      if (request.method !== "GET" && request.method !== "HEAD") return refusal(405, "Use GET.");
      return stopping ? refusal(503, "Stopping.") : { status: 200, body: { status: "ok" } };
    }
    if (path !== "/" && path !== "/summarize") return refusal(404, "POST to /summarize.");
    if (request.method !== "POST") return refusal(405, "Use POST.", { allow: "POST" });
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digest(given), expected)) {
      return refusal(401, "A bearer token is needed.", { "www-authenticate": "Bearer" });
    }
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(request.headers["content-type"] ?? "")) {
      return refusal(415, "Send application/json.");
    }
    if (stopping) return refusal(503, "Stopping.", COME_AGAIN);
    if (working >= concurrency) return refusal(503, "Busy.", COME_AGAIN);
    working++;
    try {
      return await summarized(request, response);
    } finally {
      working--;
    }
  }

  async function summarized(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const text = await bodyOf(request, maxBytes);
    if (text === undefined) return refusal(413, `The body is larger than ${maxBytes} bytes.`);
    const prompt = promptIn(text);
    if (!prompt) return refusal(400, 'Send {"systemPrompt": "…", "prompt": "…"}.');
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    if (response.destroyed) gone.abort();
    requests++;
    const summarizer = options.summarizer();
    const reply = await summarizer.summarize(readPrompt(prompt, options.maxTokens, scriptCounter), gone.signal);
    return replyOf(reply);
  }

  const server = createServer(async (request, response) => {
    const start = performance.now();
    const reply = await answer(request, response).catch((error: unknown) => failure(error));
    const sent = send(response, reply, stopping);
    if (request.url?.startsWith("/healthz")) return;
    const took = Math.round(performance.now() - start);
    const received = request.headers["content-length"] ?? "?";
    const state = response.destroyed ? "client gone" : String(reply.status);
    log(`${state}  ${received} bytes in, ${sent} out, ${took} ms${reply.by ? `, ${reply.by}` : ""}`);
  });
  server.requestTimeout = UPLOAD_MS;

  return {
    listen: (port, host) => listening(server, port, host),
    stop: () =>
      new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve({ requests }));
        server.closeIdleConnections();
      }),
  };
}

function listening(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const at = server.address() as AddressInfo;
      resolve(`http://${at.family === "IPv6" ? `[${at.address}]` : at.address}:${at.port}/`);
    });
  });
}

function send(response: ServerResponse, { status, body, headers }: Reply, last: boolean): number {
  if (response.destroyed) return 0;
  const text = `${JSON.stringify(body)}\n`;
  const bytes = Buffer.byteLength(text);
  // A refused body may still be on its way: the connection is of no further use.
  const close = last || (status >= 400 && status !== 503) ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes, ...close, ...headers });
  response.end(text);
  return bytes;
}

const refusal = (status: number, message: string, headers?: Record<string, string>): Reply => ({
  status,
  body: { error: { message } },
  ...(headers && { headers }),
});

function replyOf(reply: SummaryReply): Reply {
  switch (reply.kind) {
    case "text": {
      const { text, method, model } = reply;
      return { status: 200, body: { summary: text, method, ...(model && { model }) }, by: model ?? method };
    }
    case "aborted":
      return refusal(499, "The client went away.");
    case "failed": {
      const seconds = Math.ceil((reply.retryAfterMs ?? 0) / 1000);
      const headers = seconds > 0 ? { "retry-after": String(seconds) } : undefined;
      return refusal(STATUS[reply.failure ?? "other"], reply.reason, headers);
    }
  }
}

/** A caller's retries and candidates go by the status. */
const STATUS = {
  "rate-limit": 429,
  transient: 503,
  timeout: 504,
  overflow: 413,
  payload: 413,
  auth: 502,
  unaccepted: 422,
  "too-small": 422,
  other: 502,
} as const;

function failure(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  return refusal(500, message);
}

/** The body as text, or undefined when there is more of it. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"]) > maxBytes) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function promptIn(text: string): { systemPrompt: string; prompt: string } | undefined {
  try {
    const { systemPrompt = "", prompt } = JSON.parse(text) ?? {};
    if (typeof systemPrompt !== "string" || typeof prompt !== "string" || prompt.trim() === "") return undefined;
    return { systemPrompt, prompt };
  } catch {
    return undefined;
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest();
