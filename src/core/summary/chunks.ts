import { fitted } from "../context/fit.ts";
import type { ContextMessage } from "../context/projection.ts";
import { elideMiddle } from "../context/text.ts";
import type { TokenCounter } from "../context/tokens.ts";
import type { Role } from "../session/message.ts";
import { serializeConversation } from "./transcript.ts";

/** One message of a transcript, as text. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
  readonly startsTurn: boolean;
}

/** A stretch of a transcript; `next` is the first piece after it. */
export interface Chunk {
  readonly text: string;
  readonly next: number;
}

/** Between two paragraphs. */
const BREAK = "\n\n";
/** A turn border in the last part of a chunk is worth leaving the rest of it empty. */
const LEAST_FILL = 0.25;
/** What each message may keep, in characters, when the transcript would take too many requests. */
const CUTS = [1_600, 400];

const TURN_STARTERS: ReadonlySet<Role> = new Set([
  "user",
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "custom",
  "branchSummary",
]);

/** The transcript of `messages`, with ids, message by message; those that say nothing are left out. */
export function transcriptPieces(messages: readonly ContextMessage[], counter: TokenCounter): Piece[] {
  const pieces: Piece[] = [];
  let startsTurn = false;
  for (const source of messages) {
    startsTurn ||= TURN_STARTERS.has(source.message.role);
    const text = serializeConversation([source], { ids: true });
    if (text === "") continue;
    pieces.push({ text, tokens: counter.count(text + BREAK), startsTurn });
    startsTurn = false;
  }
  return pieces;
}

/**
 * The next stretch of at most `maxTokens` from piece `from` on, ending at a turn border where one is near [M4].
 *
 * A single message that is larger is cut in its middle; so the chunk always moves on.
 */
export function nextChunk(pieces: readonly Piece[], from: number, maxTokens: number, counter: TokenCounter): Chunk {
  let tokens = 0;
  let end = from;
  let border = from;
  let filled = 0;
  for (; end < pieces.length; end++) {
    const piece = pieces[end] as Piece;
    if (piece.startsTurn && end > from && tokens >= maxTokens * LEAST_FILL) {
      border = end;
      filled = tokens;
    }
    if (tokens + piece.tokens > maxTokens) break;
    tokens += piece.tokens;
  }
  if (end === from) return { text: fitted(pieces[from]?.text ?? "", maxTokens, counter), next: from + 1 };
  if (end < pieces.length && filled > 0) end = border;
  const texts = pieces.slice(from, end).map((piece) => piece.text);
  return { text: texts.join(BREAK), next: end };
}

/**
 * The pieces with long messages cut further, when they would take more than `mostChunks` chunks of `maxTokens`.
 *
 * What is cut here is still in the session, and the engine looks for exact facts in the originals.
 */
export function tightened(
  pieces: readonly Piece[],
  maxTokens: number,
  mostChunks: number,
  counter: TokenCounter,
): readonly Piece[] {
  let tight = pieces;
  for (const maxChars of CUTS) {
    let total = 0;
    for (const piece of tight) total += piece.tokens;
    if (total <= maxTokens * mostChunks) break;
    tight = pieces.map((piece) => {
      if (piece.text.length <= maxChars) return piece;
      const { text } = elideMiddle(piece.text, maxChars);
      return { ...piece, text, tokens: counter.count(text + BREAK) };
    });
  }
  return tight;
}
