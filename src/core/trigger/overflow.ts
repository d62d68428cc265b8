import { type ErrorKind, KIND_OF_CODE, kindOfStatus, NOT_OVERFLOW, PLAIN_SIGNS, STATUS_FIRST } from "./error-signs.ts";
import { OVERFLOW_ROWS, type OverflowRow, type Reliability } from "./overflow-rows.ts";

/** What is known of a failed request. `code` is the provider's or the system's: `context_length_exceeded`, `ECONNRESET`. */
export interface ErrorFacts {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly provider?: string;
}

/** What a failed request was [T4]. The numbers, in tokens, are there when the text states them. */
export interface ClassifiedError {
  readonly kind: ErrorKind;
  /** The status given, or read from the beginning of the text. */
  readonly status?: number;
  /** Of an overflow: whose wording it was. */
  readonly provider?: string;
  readonly reliability?: Reliability;
  /** The whole window, or the longest prompt. */
  readonly limitTokens?: number;
  /** What was sent; where the text gives one sum only, with the reply that was asked for. */
  readonly sentTokens?: number;
  /** The reply that was asked for. */
  readonly outputTokens?: number;
}

/** Nothing beyond this many characters of head and tail is looked at. */
const HEAD = 6_000;
const TAIL = 2_000;

/**
 * What a failed request was: status and code first, then what is never an overflow, then the table of wordings [T4].
 *
 * Total, and linear in at most 8,000 characters of the message. A rate limit is never an overflow, whatever it says of
 * tokens; a refusal by bytes or media is `payload` unless the text speaks of tokens; digits in a text are no status
 * unless they stand where one would.
 */
export function classifyError(facts: ErrorFacts): ClassifiedError {
  const text = bounded(facts.message);
  const status = facts.status ?? statusIn(text);
  const kind = status === undefined ? undefined : STATUS_FIRST[status];
  const found = kind === undefined ? byCodeAndText(facts, text, status) : { kind };
  return status === undefined ? found : { ...found, status };
}

function byCodeAndText(facts: ErrorFacts, text: string, status: number | undefined): ClassifiedError {
  const code = KIND_OF_CODE.get((facts.code ?? "").toLowerCase());
  if (code === "overflow") return overflow(text, facts.provider) ?? { kind: "overflow", reliability: "exact" };
  const speaksOfTokens = /\btokens?\b/i.test(text);
  if (code !== undefined && !(code === "payload" && speaksOfTokens)) return { kind: code };
  const not = NOT_OVERFLOW.find((sign) => !(sign.unlessTokens && speaksOfTokens) && sign.pattern.test(text));
  if (not) return { kind: not.kind };
  const row = overflow(text, facts.provider);
  if (row) return row;
  if (status !== undefined) return { kind: kindOfStatus(status) };
  return { kind: PLAIN_SIGNS.find((sign) => sign.pattern.test(text))?.kind ?? "other" };
}

function overflow(text: string, provider = ""): ClassifiedError | undefined {
  for (const row of OVERFLOW_ROWS) {
    if (row.only && !row.only.test(provider)) continue;
    const match = row.pattern.exec(text);
    if (match) return { kind: "overflow", ...namesOf(row), ...numbersOf(match.groups ?? {}) };
  }
  return undefined;
}

const namesOf = ({ provider, reliability }: OverflowRow) => ({ provider, reliability });

function numbersOf(groups: Readonly<Record<string, string | undefined>>) {
  const limit = tokens(groups.limit);
  const sent = tokens(groups.sent) ?? tokens(groups.total);
  const output = tokens(groups.output);
  return {
    ...(limit !== undefined && { limitTokens: limit }),
    ...(sent !== undefined && { sentTokens: sent }),
    ...(output !== undefined && { outputTokens: output }),
  };
}

function tokens(digits: string | undefined): number | undefined {
  const value = digits === undefined ? Number.NaN : Number(digits.replaceAll(",", ""));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** `413 {…}`, `API error (413): …`, `400 status code …`, `HTTP 503`, `status code 529`: where a status stands. */
const STATUS_PLACES = [
  /^\s*(?:error:? )?([45]\d\d)(?=[\s:{]|$)/i,
  /\berror \(([45]\d\d)\)/i,
  /\b([45]\d\d) status code\b/i,
  /\bHTTP(?:\/\d(?:\.\d)?)?(?: error)?:? ([45]\d\d)\b/i,
  /\bstatus(?: code)?["']?[ :=]{1,3}([45]\d\d)\b/i,
];

function statusIn(text: string): number | undefined {
  for (const place of STATUS_PLACES) {
    const found = place.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

function bounded(message: unknown): string {
  if (typeof message !== "string") return "";
  return message.length <= HEAD + TAIL ? message : `${message.slice(0, HEAD)}\n${message.slice(-TAIL)}`;
}
