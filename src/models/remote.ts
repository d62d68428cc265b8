import { EspalierError } from "../errors.ts";
import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";
import { brief } from "./brief.ts";
import { isLoopback, withoutKeys } from "./keys.ts";
import { createTransport, type Seen } from "./transport.ts";

export interface RemoteOptions {
  /** Where the requests go; checked by `checkEndpoint`. */
  readonly endpoint: string;
  /** Sent as `Authorization: Bearer …`, shown nowhere. */
  readonly token?: string;
  /** Of a whole request, in milliseconds; 5 minutes by default. */
  readonly timeoutMs?: number;
  /** Tokens that the endpoint takes in one request; larger conversations are folded. 128,000 by default. */
  readonly contextWindow?: number;
  /** Plain HTTP to other machines is allowed. */
  readonly allowInsecure?: boolean;
}

const TIMEOUT = 300_000;
const WINDOW = 128_000;
/** No summary is longer. */
const REPLY_BYTES = 1_048_576;
const EXPECTED = 'an answer of the form {"summary": "…"} was expected';

/**
 * A summariser's endpoint behind the model port: POST `{systemPrompt, prompt}` gives `{summary}` [M8].
 *
 * Only over HTTPS or to this machine unless allowed, and to no other host by redirect. A request ends after `timeoutMs`,
 * a reply beyond 1 MB is refused, the token appears in no message. Throws `SETTING_INVALID` for an endpoint that may
 * not be used.
 */
export function remoteModel(options: RemoteOptions): Model {
  const url = checkEndpoint(options.endpoint, options);
  const contextWindow = options.contextWindow ?? WINDOW;
  return {
    id: `remote/${url.host}`,
    provider: "remote",
    contextWindow,
    maxTokens: contextWindow,
    complete: (request, signal) => complete(url, options, request, signal),
  };
}

/**
 * The endpoint as a URL, if it may be used [M8].
 *
 * `source` says in the error where it was set. Throws `SETTING_INVALID`: no URL, another protocol than HTTP, a name and
 * password in it, or plain HTTP to another machine.
 */
export function checkEndpoint(
  endpoint: string,
  options: { readonly allowInsecure?: boolean; readonly source?: string } = {},
): URL {
  const source = options.source ?? "compaction.remoteEndpoint";
  const refuse = (why: string) =>
    new EspalierError("SETTING_INVALID", `${source}: ${why}.`, { source, key: "compaction.remoteEndpoint" });
  if (!URL.canParse(endpoint)) throw refuse(`"${endpoint.slice(0, 100)}" is no URL, as in https://host/summarize`);
  const url = new URL(endpoint);
  if (url.username || url.password) throw refuse("the URL holds a name or password; give a token by the environment");
  if (url.protocol === "https:") return url;
  if (url.protocol !== "http:") throw refuse(`${url.protocol}// can't be posted to; it must be https://`);
  if (options.allowInsecure || isLoopback(endpoint)) return url;
  throw refuse(
    `plain http to ${url.host} would send the conversation in the clear; use https, or set compaction.remoteInsecure`,
  );
}

async function complete(
  url: URL,
  { token, timeoutMs = TIMEOUT }: RemoteOptions,
  { systemPrompt, prompt }: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  if (signal.aborted) return { kind: "aborted" };
  const time = AbortSignal.timeout(timeoutMs);
  const { fetch, seen } = createTransport(REPLY_BYTES, AbortSignal.any([signal, time]));
  const headers = { "content-type": "application/json", accept: "application/json" };
  const failed = (message: string, code?: string): ModelReply => ({
    kind: "failed",
    message: withoutKeys(`The endpoint ${url.host} ${message}.`, token ? [token] : []),
    ...(seen.status !== undefined && { status: seen.status }),
    ...(seen.retryAfterMs !== undefined && { retryAfterMs: seen.retryAfterMs }),
    ...(code !== undefined && { code }),
  });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: token ? { ...headers, authorization: `Bearer ${token}` } : headers,
      body: JSON.stringify({ systemPrompt, prompt }),
    });
    if (!response.ok) return failed(answered(response.status, seen), seen.code);
    const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    if (!/[/+]json$/i.test(type)) {
      await response.body?.cancel();
      return failed(`answered with ${type || "no content type"}; ${EXPECTED}`, "NOT_AN_ANSWER");
    }
    const summary = summaryIn(await response.text());
    if (summary === undefined) return failed(`sent something else; ${EXPECTED}`, "NOT_AN_ANSWER");
    return { kind: "reply", text: summary, stopReason: "stop", toolCalls: 0 };
  } catch {
    if (signal.aborted) return { kind: "aborted" };
    if (time.aborted) return failed(`did not finish within ${Math.round(timeoutMs / 100) / 10} s`, "TIMEOUT");
    if (seen.message) return failed(`could not be used: ${brief(seen.message)}`, seen.code);
    const code = seen.code ?? "ECONNRESET";
    return failed(
      seen.status === undefined ? `could not be reached (${code})` : `broke off in the middle of its answer (${code})`,
      code,
    );
  }
}

function summaryIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const summary = typeof body === "object" && body !== null && "summary" in body ? body.summary : undefined;
    return typeof summary === "string" ? summary : undefined;
  } catch {
    return undefined;
  }
}

function answered(status: number, { message }: Seen): string {
  const said = brief(message ?? "");
  return `answered HTTP ${status}${said === "" ? "" : `: ${said}`}`;
}
