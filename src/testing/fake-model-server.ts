import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type FakeReply, sendJson, sendReply } from "./fake-reply.ts";
import type { AskedFor, WireFormat } from "./wire/format.ts";
import { askedFor, formatOfPath } from "./wire/index.ts";
import { refusals } from "./wire/strict.ts";

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
  /** Tokens that a request may have, for all models or by their id; a larger one is a fault, and an overflow. */
  readonly window?: TokenLimit;
  /** Tokens from which on a request is an overflow, and no fault: a provider whose window is not the one it declared. */
  readonly overflowAt?: TokenLimit;
  /** How many of the newest requests stay in `requests`; all by default. */
  readonly keep?: number;
}

export type TokenLimit = number | Readonly<Record<string, number>>;

export interface FakeModelServer {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What a client of that format takes for its base URL. */
  baseUrl(format: WireFormat): string;
  /** How many requests there were. */
  readonly count: number;
  /** All requests so far, or the newest of them (`keep`). */
  readonly requests: readonly FakeRequest[];
  /** What a strict provider would have refused in them: `request 3: call t1 of message 4 has 0 results …`. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/**
 * A server on loopback that speaks the formats of Anthropic, OpenAI (chat and Responses) and Google, whole or as
 * streams, says what the script tells it to, and keeps every request.
 *
 * What it is sent it checks as a strict provider would, and answers all the same; what is wrong is in `faults`. It
 * checks no key. `close` ends connections that are still open.
 */
export async function fakeModelServer(options: FakeServerOptions): Promise<FakeModelServer> {
  const { script } = options;
  const requests: FakeRequest[] = [];
  const faults: string[] = [];
  let count = 0;
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? "";
    const format = formatOfPath(path);
    const body = await jsonOf(incoming);
    if (!format) return sendJson(response, 404, { error: { message: `No such path: ${path}` } });
    const asked = askedFor(format, path, body);
    const request: FakeRequest = { ...asked, format, path, headers: incoming.headers, body, closed: false };
    const number = count++;
    requests.push(request);
    if (requests.length > (options.keep ?? Number.POSITIVE_INFINITY)) requests.shift();
    response.on("close", () => {
      if (!response.writableFinished) request.closed = true;
    });
    const { model, tokens, streams } = request;
    const complain = (fault: string) => faults.push(`request ${number}: ${fault}`);
    for (const refusal of refusals(request.messages)) complain(refusal);
    const declared = limitOf(options.window, model);
    if (tokens > declared) complain(`${tokens} tokens where ${model} takes ${declared}`);
    const window = Math.min(declared, limitOf(options.overflowAt, model));
    let reply: FakeReply = { fault: "overflow" };
    if (tokens <= window) {
      try {
        reply = typeof script === "function" ? script(request, number) : (script[number] ?? script.at(-1) ?? "");
      } catch (error) {
        complain(`the script threw ${error}`);
        reply = { status: 500, message: "the script threw" };
      }
    }
    await sendReply(response, { format, model, streams, tokens, number, window }, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: (format) => origin + (format === "anthropic" ? "" : format === "google" ? "/v1beta" : "/v1"),
    get count() {
      return count;
    },
    requests,
    faults,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const limitOf = (limit: TokenLimit | undefined, model: string) =>
  (typeof limit === "object" ? limit[model] : limit) ?? Number.POSITIVE_INFINITY;

async function jsonOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part);
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(parts)));
  } catch {
    return {};
  }
}
