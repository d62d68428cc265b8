import { fitted } from "../core/context/fit.ts";
import type { TokenCounter } from "../core/context/tokens.ts";
import { capSummary } from "../core/summary/cap.ts";
import { nextChunk, type Piece, tightened, transcriptPieces } from "../core/summary/chunks.ts";
import { shownMessages, summaryPrompt } from "../core/summary/prompt.ts";
import type { Spent, SummaryReply, SummaryRequest } from "../core/summary/request.ts";
import { addUsage } from "../core/summary/usage.ts";

/** Who reads the chunks. */
export interface Reader {
  /** Tokens of request and reply together. */
  readonly window: number;
  /** What a request must leave free for a reply of `maxTokens`, thinking included. */
  readonly replyRoom: (maxTokens: number) => number;
  readonly counter: TokenCounter;
  /** Told before each request, if there are several. */
  readonly onChunk: (chunk: number, chunks: number) => void;
  readonly ask: (request: SummaryRequest, conversation: string) => Promise<SummaryReply>;
}

/** Our count may be short of the provider's by so much. */
const MARGIN = 0.15;
/** A summary in progress takes at most this of the window, so that each chunk has the larger part. */
const SUMMARY_SHARE = 0.15;
/** The short line is made from the summary in the first place. */
const SHORT_OF_SHARE = 0.25;
/** Each of focus, prompt and hook context. */
const GUIDANCE_SHARE = 0.05;
/** Above it, long messages are cut further instead. */
const MOST_CHUNKS = 32;
const SMALLEST_ROOM = 100;
const SMALLEST_SHARE = 1 / 64;

/**
 * The summary of a request of any size by a reader with a window [M4].
 *
 * What does not fit goes in chunks that end at turn borders, each updating the summary of those before. An overflow all
 * the same halves the chunks from there on. Any other failure ends it. `usage` is that of all chunks.
 */
export async function foldSummary(request: SummaryRequest, reader: Reader): Promise<SummaryReply> {
  const { window, counter } = reader;
  const base = withinWindow(request, window, counter);
  const roomOf = (step: SummaryRequest) => {
    const { systemPrompt, prompt } = summaryPrompt(step, "-");
    const taken = counter.count(systemPrompt) + counter.count(prompt) + reader.replyRoom(step.maxTokens);
    return Math.floor(window * (1 - MARGIN)) - taken;
  };
  const pieces = piecesOf(base, roomOf(base), counter);
  const spent: Spent[] = [];
  let share = 1;
  let step = base;
  let done: Extract<SummaryReply, { kind: "text" }> | undefined;
  let left = 0;
  for (const piece of pieces) left += piece.tokens;
  for (let from = 0, chunk = 1; ; ) {
    const room = Math.floor(roomOf(step) * share);
    if (room < SMALLEST_ROOM) return tooSmall(window, spent);
    const { text, next } = nextChunk(pieces, from, room, counter);
    const chunks = chunk - 1 + Math.ceil(left / room);
    if (chunks > 1) reader.onChunk(chunk, Math.max(chunk, chunks));
    const reply = await reader.ask(step, text);
    if (reply.kind === "aborted") return reply;
    spent.push(...(reply.spent ?? []));
    if (reply.kind === "failed") {
      if (reply.failure === "overflow" && share > SMALLEST_SHARE) {
        share /= 2;
        continue;
      }
      if (done?.usage && done.model) spent.push({ model: done.model, usage: done.usage });
      return { ...reply, spent };
    }
    const usage = addUsage(done?.usage, reply.usage);
    done = { ...reply, ...(usage && { usage }) };
    for (; from < next; from++) left -= pieces[from]?.tokens ?? 0;
    chunk++;
    if (from >= pieces.length) return { ...done, spent };
    step = withinWindow({ ...base, previous: { summary: reply.text } }, window, counter);
  }
}

/** The short summary reads a few messages only: it is cut rather than folded. */
function piecesOf(request: SummaryRequest, room: number, counter: TokenCounter): readonly Piece[] {
  const pieces = transcriptPieces(shownMessages(request), counter);
  if (request.kind !== "short") return tightened(pieces, Math.max(1, room), MOST_CHUNKS, counter);
  const text = fitted(pieces.map((piece) => piece.text).join("\n\n"), Math.max(0, Math.floor(room / 2)), counter);
  return text === "" ? [] : [{ text, tokens: counter.count(text), startsTurn: true }];
}

/** The request with all that is not conversation cut to its share of the window. */
function withinWindow(request: SummaryRequest, window: number, counter: TokenCounter): SummaryRequest {
  const { previous, focus, prompt, context, kind } = request;
  const maxTokens = Math.max(1, Math.min(request.maxTokens, Math.floor(window * SUMMARY_SHARE)));
  const guidance = Math.floor(window * GUIDANCE_SHARE);
  const lines = context?.map((line) => fitted(line, Math.floor(guidance / context.length), counter));
  const most = Math.floor(window * (kind === "short" ? SHORT_OF_SHARE : SUMMARY_SHARE));
  return {
    ...request,
    maxTokens,
    ...(previous && { previous: { ...previous, summary: capSummary(previous.summary, most, counter) } }),
    ...(focus && { focus: fitted(focus, guidance, counter) }),
    ...(prompt && { prompt: fitted(prompt, guidance * 2, counter) }),
    ...(lines && { context: lines.filter((line) => line !== "") }),
  };
}

function tooSmall(window: number, spent: readonly Spent[]): SummaryReply {
  const reason = `A window of ${window} tokens has no room for the conversation beside the request itself.`;
  return { kind: "failed", reason, retryable: false, failure: "overflow", spent };
}
