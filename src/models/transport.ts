/** What the wire showed while one request ran, for telling afterwards what went wrong. */
export interface Seen {
  /** Of the last response. */
  status?: number;
  retryAfterMs?: number;
  /** The provider's name for its error, the system's for a broken connection, or one of our own. */
  code?: string;
  /** The error message in the body of an error response, or ours. */
  message?: string;
}

export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly seen: Seen;
}

/** Each token comes in an event of its own, which is mostly wrapping. */
const BYTES_PER_TOKEN = 1_024;
const BYTES_BESIDE = 262_144;
const MOST_REDIRECTS = 3;
/** Of an error response; more says nothing. */
const ERROR_BYTES = 65_536;
const NO_ANSWER = /\b(?:html|xml|image|audio|video|pdf|zip)\b/i;

/** More bytes than a reply of so many tokens needs. */
export const replyBytes = (maxTokens: number) => BYTES_BESIDE + maxTokens * BYTES_PER_TOKEN;

/**
 * A `fetch` for one request that keeps to its host and to `maxBytes` of reply, and remembers what it saw.
 *
 * Redirects to another host are refused, since a request carries a key and a conversation. An error's status, code and
 * `retry-after` are in `seen` afterwards; `signal` ends the body as well as the request. `heard` is called for each sign
 * of the server.
 */
export function createTransport(maxBytes: number, signal: AbortSignal, heard: () => void = () => {}): Transport {
  const seen: Seen = {};
  const refuse = (code: string, message: string) => {
    seen.code = code;
    seen.message = message;
    return new Error(message);
  };

  async function guarded(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    let url = input;
    for (let hop = 0; ; hop++) {
      const response = await send(url, init);
      heard();
      seen.status = response.status;
      if (response.status < 300 || response.status >= 400) return checked(response);
      const from = new URL(input instanceof Request ? input.url : input);
      const to = new URL(response.headers.get("location") ?? "", from);
      await response.body?.cancel();
      const keeps = response.status === 307 || response.status === 308;
      if (to.origin !== from.origin || !keeps || hop >= MOST_REDIRECTS) {
        throw refuse("REDIRECTED", `it redirects to ${to.host}, which was not followed`);
      }
      url = to;
    }
  }

  async function send(url: string | URL | Request, init: RequestInit): Promise<Response> {
    const signals = init.signal ? [signal, init.signal] : [signal];
    try {
      return await globalThis.fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
    } catch (error) {
      seen.code ??= systemCode(error);
      throw error;
    }
  }

  async function checked(response: Response): Promise<Response> {
    const { status, statusText, headers } = response;
    if (!response.ok) {
      seen.retryAfterMs = retryAfter(headers);
      const text = await beginning(response, ERROR_BYTES);
      Object.assign(seen, errorIn(text));
      return new Response(text, { status, statusText, headers: plainHeaders(headers) });
    }
    const type = headers.get("content-type") ?? "";
    if (NO_ANSWER.test(type)) {
      await response.body?.cancel();
      throw refuse("NOT_AN_ANSWER", `it answered with ${type.split(";")[0]}, which no model does`);
    }
    if (!response.body) return response;
    return new Response(limited(response.body), { status, statusText, headers: plainHeaders(headers) });
  }

  function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let bytes = 0;
    return new ReadableStream({
      async pull(controller) {
        const part = await reader.read().catch((error: unknown) => {
          seen.code ??= systemCode(error);
          throw error;
        });
        heard();
        if (part.done) return controller.close();
        bytes += part.value.byteLength;
        if (bytes <= maxBytes) return controller.enqueue(part.value);
        const error = refuse("REPLY_TOO_LARGE", "its reply is far longer than what was asked for");
        await reader.cancel(error).catch(() => {});
        throw error;
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  return { fetch: guarded, seen };
}

/** The body is decoded by then, and its length another. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) plain.delete(name);
  return plain;
}

async function beginning(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  for (let bytes = 0; reader && bytes < maxBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** Milliseconds from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(given);
  return Number.isFinite(until) ? Math.max(0, until - Date.now()) : undefined;
}

/** Code and message as the four wire formats give them: `{error: {code | type | status, message}}`. */
function errorIn(text: string): Seen {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return /^\s*</.test(text) ? {} : { message: text.trim() };
  }
  const first = Array.isArray(body) ? body[0] : body;
  const error = field(first, "error") ?? first;
  const code = [field(error, "code"), field(error, "type"), field(error, "status")].find(
    (name) => typeof name === "string" && name !== "",
  );
  const message = typeof error === "string" ? error : (field(error, "message") ?? field(error, "detail"));
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message }),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** `fetch failed` says nothing; its causes do. */
function systemCode(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    const code = (at as NodeJS.ErrnoException).code;
    if (typeof code === "string" && code !== "ABORT_ERR") return code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return undefined;
}
