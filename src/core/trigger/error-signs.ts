/** What went wrong with a request, as far as it decides what to do next [T4]. */
export type ErrorKind = "overflow" | "rate-limit" | "auth" | "transient" | "payload" | "other";

/** Statuses that decide whatever the text says. A rate limit is never an overflow. */
export const STATUS_FIRST: Readonly<Record<number, ErrorKind>> = {
  401: "auth",
  402: "auth",
  403: "auth",
  429: "rate-limit",
};

/** What a status means when code and text say nothing better. */
export function kindOfStatus(status: number): ErrorKind {
  if (status === 413) return "payload";
  return status === 408 || status === 425 || status >= 500 ? "transient" : "other";
}

const CODES: Readonly<Partial<Record<ErrorKind, readonly string[]>>> = {
  overflow: [
    "context_length_exceeded",
    "context_window_exceeded",
    "model_context_window_exceeded",
    "contextwindowexceedederror",
    "exceed_context_size_error",
  ],
  "rate-limit": [
    "rate_limit_exceeded",
    "rate_limit_error",
    "insufficient_quota",
    "too_many_requests",
    "throttlingexception",
    "resource_exhausted",
  ],
  auth: [
    "invalid_api_key",
    "authentication_error",
    "permission_error",
    "billing_error",
    "unauthenticated",
    "permission_denied",
    "accessdeniedexception",
    "unrecognizedclientexception",
  ],
  transient: [
    "overloaded_error",
    "api_error",
    "server_error",
    "timeout_error",
    "timeout",
    "unavailable",
    "serviceunavailableexception",
    "econnrefused",
    "econnreset",
    "econnaborted",
    "etimedout",
    "epipe",
    "enotfound",
    "eai_again",
    "ehostunreach",
    "enetunreach",
    "und_err_socket",
    "und_err_connect_timeout",
    "und_err_headers_timeout",
    "und_err_body_timeout",
  ],
  payload: ["request_too_large", "string_above_max_length"],
};

/** Kinds by code, in lower case. */
export const KIND_OF_CODE: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as ErrorKind] as const)),
);

/** Wording that stands for a kind. `unlessTokens`: not when the text speaks of tokens. */
export interface Sign {
  readonly kind: ErrorKind;
  readonly sample: string;
  readonly pattern: RegExp;
  readonly unlessTokens?: boolean;
}

/** What is never an overflow, asked before the table of overflows: such texts may well say "too many tokens". */
export const NOT_OVERFLOW: readonly Sign[] = [
  {
    kind: "rate-limit",
    sample: "Throttling error: Too many tokens, please wait before trying again.",
    pattern: /\bthrottl(?:ing|ed)|ThrottlingException/i,
  },
  {
    kind: "transient",
    sample: "Service unavailable: too many tokens are being processed",
    pattern: /^\s*service unavailable:/i,
  },
  {
    kind: "rate-limit",
    sample: "Rate limit reached: too many tokens this minute",
    pattern: /rate[ _-]?limit/i,
  },
  {
    kind: "rate-limit",
    sample: "Too many requests, your token limit exceeded its share",
    pattern: /too many requests/i,
  },
  {
    kind: "rate-limit",
    sample: "You exceeded your current quota of too many tokens",
    pattern: /\bquota\b/i,
  },
  {
    kind: "rate-limit",
    sample: "Request too large on tokens per minute (TPM): Limit 6000, Requested 9012",
    pattern: /\btokens per (?:minute|day|hour)\b/i,
  },
  {
    kind: "other",
    sample: "max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens",
    pattern: /max_(?:completion_|output_)?tokens['"`]? ?[:=]? ?\d[\d,]* ?> ?\d/i,
  },
  {
    kind: "payload",
    sample: "messages.3.content.1: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes",
    pattern:
      /\b(?:image|file|media|attachment|document|video|audio)s?\b[^\n]{0,60}(?:exceed|too (?:large|big)|larger than)/i,
    unlessTokens: true,
  },
  {
    kind: "payload",
    sample: '413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    pattern: /request_too_large|request exceeds the maximum size/i,
    unlessTokens: true,
  },
  {
    kind: "payload",
    sample: "413 Request Entity Too Large",
    pattern: /\b(?:request|payload|entity|body)(?: \w+)? too large/i,
    unlessTokens: true,
  },
];

/** For texts that come without a status or a known code. */
export const PLAIN_SIGNS: readonly Sign[] = [
  {
    kind: "auth",
    sample: "Incorrect API key provided",
    pattern:
      /\b(?:invalid|incorrect|missing) (?:x-)?api[ -]key|\bauthentication[_ ](?:error|failed)|\bunauthori[sz]ed\b|\bpermission[_ ]denied/i,
  },
  {
    kind: "transient",
    sample: "Overloaded",
    pattern:
      /\boverloaded\b|\btimed? ?out\b|\bfetch failed\b|\bsocket hang up\b|\bconnection (?:error|refused|reset|closed)|\bECONN(?:REFUSED|RESET)\b|\binternal server error\b|\bbad gateway\b|\bservice unavailable\b|\bterminated\b/i,
  },
  {
    kind: "transient",
    sample: "Anthropic stream ended before message_stop",
    pattern: /\bstream ended (?:before|without)\b|\bmalformed server-sent event\b|\bis not valid JSON\b/i,
  },
];
