import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type AskedFor,
  askedFor,
  errorBody,
  type FakeAnswer,
  formatOfPath,
  OVERFLOWS,
  streamOf,
  type WireFormat,
  wholeOf,
} from "./wire-formats.ts";

/** A fault of the network or of the server, as opposed to an answer that is no use. */
export type FakeFault =
  | "reset" // the connection breaks in the middle of the answer
  | "endless" // the answer never ends
  | "hang" // no answer begins
  | "large" // an answer of 5 MB
  | "invalid-json"
  | "wrong-type" // a web page
  | "overflow"; // the provider's own words for a request beyond the window

/** One reply: a text, an answer in detail, a status, a redirect or a fault. */
export type FakeReply =
  | string
  | Partial<FakeAnswer>
  | {
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly redirect: string }
  | { readonly fault: FakeFault };

/** One request as it came in. `closed` is true once the client went away before the answer was complete. */
export interface FakeRequest extends AskedFor {
  readonly format: WireFormat;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  closed: boolean;
}

export interface FakeServerOptions {
  /** Replies in the order of the requests, the last one for all that follow; or what each request gets. */
  readonly script: readonly FakeReply[] | ((request: FakeRequest, number: number) => FakeReply);
}

export interface FakeModelServer {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What a client of that format takes for its base URL. */
  baseUrl(format: WireFormat): string;
  /** All requests so far. */
  readonly requests: readonly FakeRequest[];
  close(): Promise<void>;
}

const LARGE = 5_000_000;
const TICK = 5;

/**
 * A server on loopback that speaks the formats of Anthropic, OpenAI (chat and Responses) and Google, whole or as
 * streams, says what the script tells it to, and keeps every request.
 *
 * It checks no key and no limit. `close` ends connections that are still open.
 */
export async function fakeModelServer({ script }: FakeServerOptions): Promise<FakeModelServer> {
  const requests: FakeRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? "";
    const format = formatOfPath(path);
    const body = await jsonOf(incoming);
    if (!format) return sendJson(response, 404, { error: { message: `No such path: ${path}` } });
    const asked = askedFor(format, path, body);
    const request: FakeRequest = { ...asked, format, path, headers: incoming.headers, body, closed: false };
    requests.push(request);
    response.on("close", () => {
      if (!response.writableFinished) request.closed = true;
    });
    const number = requests.length - 1;
    const reply = typeof script === "function" ? script(request, number) : (script[number] ?? script.at(-1) ?? "");
    await answer(response, request, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: (format) => origin + (format === "anthropic" ? "" : format === "google" ? "/v1beta" : "/v1"),
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(response: ServerResponse, request: FakeRequest, reply: FakeReply): Promise<void> {
  const { format, model } = request;
  if (typeof reply === "object" && "status" in reply) {
    const { status, message = `status ${status}`, code, headers } = reply;
    return sendJson(response, status, errorBody(format, status, message, code), headers);
  }
  if (typeof reply === "object" && "redirect" in reply) {
    response.writeHead(307, { location: reply.redirect }).end();
    return;
  }
  if (typeof reply === "object" && "fault" in reply) return fail(response, request, reply.fault);
  const said = typeof reply === "string" ? { text: reply } : reply;
  const full: FakeAnswer = { text: "", stop: "stop", input: 100, output: 20, ...said };
  if (!request.streams) return sendJson(response, 200, wholeOf(format, model, full));
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(streamOf(format, model, full).join(""));
}

async function fail(response: ServerResponse, request: FakeRequest, fault: FakeFault): Promise<void> {
  const { format, model } = request;
  const answer: FakeAnswer = { text: "half of an answer ".repeat(20), stop: "stop", input: 100, output: 20 };
  const events = streamOf(format, model, answer);
  const begun = events.slice(0, Math.ceil(events.length / 2)).join("");
  switch (fault) {
    case "hang":
      return;
    case "reset":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(begun);
      setTimeout(() => response.destroy(), TICK);
      return;
    case "endless": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(begun);
      const timer = setInterval(() => response.write(": still here\n\n"), TICK);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "large":
      return sendStream(response, streamOf(format, model, { ...answer, text: "long ".repeat(LARGE / 5) }, 50_000));
    case "invalid-json":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${begun}data: {"this is": no JSON\n\n`);
      return;
    case "wrong-type":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end("<!doctype html><title>Sign in</title>");
      return;
    case "overflow": {
      const [message, code] = OVERFLOWS[format];
      return sendJson(response, 400, errorBody(format, 400, message, code));
    }
  }
}

async function sendStream(response: ServerResponse, events: readonly string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    if (response.destroyed) return;
    if (!response.write(event)) await drained(response);
  }
  response.end();
}

const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function jsonOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part);
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(parts)));
  } catch {
    return {};
  }
}
