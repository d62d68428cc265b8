import type { ServerResponse } from "node:http";
import { answerTokens, type FakeAnswer, type WireFormat, type WireToolCall } from "./wire/format.ts";
import { streamOf, WIRES } from "./wire/index.ts";

/** A fault of the network or of the server, as opposed to an answer that is no use. */
export type FakeFault =
  | "reset" // the connection breaks in the middle of the answer
  | "endless" // the answer never ends
  | "hang" // no answer begins
  | "large" // an answer of 5 MB
  | "invalid-json"
  | "wrong-type" // a web page
  | "overflow"; // the provider's own words for a request beyond the window

/** A tool to call; without an `id` it gets one of its own. */
export interface FakeToolCall extends Partial<WireToolCall> {
  readonly name: string;
}

/**
 * One reply: a text, an answer in detail, a status, a redirect or a fault.
 *
 * Usage is counted from request and answer unless given; `delayMs` is what lies between two parts of a stream.
 */
export type FakeReply =
  | string
  | (Partial<Omit<FakeAnswer, "toolCalls">> & {
      readonly toolCalls?: readonly FakeToolCall[];
      readonly delayMs?: number;
    })
  | {
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly redirect: string }
  | { readonly fault: FakeFault };

const LARGE = 5_000_000;
const TICK = 5;

/** What the answer is about. */
export interface Addressed {
  readonly format: WireFormat;
  readonly model: string;
  readonly streams: boolean;
  readonly tokens: number;
  /** Of the request, from 0. */
  readonly number: number;
  /** The most that its model takes, as far as that is known. */
  readonly window: number;
}

/** Writes `reply` as the provider of that format would. Settles when it is written, or the client has gone. */
export async function sendReply(response: ServerResponse, request: Addressed, reply: FakeReply): Promise<void> {
  const { format, model, tokens, number } = request;
  if (typeof reply === "object" && "status" in reply) {
    const { status, message = `status ${status}`, code, headers } = reply;
    return sendJson(response, status, WIRES[format].error(status, message, code), headers);
  }
  if (typeof reply === "object" && "redirect" in reply) {
    response.writeHead(307, { location: reply.redirect }).end();
    return;
  }
  if (typeof reply === "object" && "fault" in reply) return fail(response, request, reply.fault);
  const { delayMs = 0, toolCalls = [], text = "", ...said } = typeof reply === "string" ? { text: reply } : reply;
  const calls = toolCalls.map((call, n) => ({ id: `call_${number}_${n}`, arguments: {}, ...call }));
  const content = { text, toolCalls: calls, ...(said.thinking && { thinking: said.thinking }) };
  const full: FakeAnswer = { stop: "stop", input: tokens, output: answerTokens(content), ...said, ...content };
  if (!request.streams) return sendJson(response, 200, WIRES[format].whole(model, full));
  await sendStream(response, streamOf(format, model, full), delayMs);
}

async function fail(response: ServerResponse, request: Addressed, fault: FakeFault): Promise<void> {
  const { format, model } = request;
  const text = "half of an answer ".repeat(20);
  const answer: FakeAnswer = { text, toolCalls: [], stop: "stop", input: 100, output: 20 };
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
      const window = Number.isFinite(request.window) ? request.window : request.tokens - 1;
      const [message, code] = WIRES[format].overflow(Math.max(request.tokens, window + 1), window);
      return sendJson(response, 400, WIRES[format].error(400, message, code));
    }
  }
}

async function sendStream(response: ServerResponse, events: readonly string[], delayMs = 0): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    if (response.destroyed) return;
    if (!response.write(event)) await drained(response);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
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

/** A document, and done. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
