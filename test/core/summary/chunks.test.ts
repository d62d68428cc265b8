import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../../src/core/context/projection.ts";
import { chars4 } from "../../../src/core/context/tokens.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { nextChunk, type Piece, tightened, transcriptPieces } from "../../../src/core/summary/chunks.ts";

const piece = (tokens: number, startsTurn = false): Piece => ({ text: "x".repeat(tokens * 4 - 2), tokens, startsTurn });
const chunksOf = (pieces: readonly Piece[], room: number) => {
  const chunks = [];
  for (let from = 0; from < pieces.length; ) {
    const chunk = nextChunk(pieces, from, room, chars4);
    chunks.push({ ...chunk, from });
    from = chunk.next;
  }
  return chunks;
};

describe("chunks of a transcript", () => {
  it("[M4] end at turn borders", () => {
    const pieces = [piece(30, true), piece(30), piece(30, true), piece(30), piece(30, true), piece(30)];
    expect(chunksOf(pieces, 100).map(({ next }) => next)).toEqual([2, 4, 6]);
  });

  it("[M4] end between messages where a turn is too long, and inside a message that is", () => {
    const long = chunksOf([piece(60, true), piece(60), piece(500)], 100);
    expect(long.map(({ next }) => next)).toEqual([1, 2, 3]);
    expect(long[2]?.text).toMatch(/characters left out/);
    for (const { text } of long) expect(chars4.count(text)).toBeLessThanOrEqual(100);
  });

  it("[M4] always move on, cover everything once, and never exceed their room", () => {
    const pieces = fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 300 }), startsTurn: fc.boolean() }));
    fc.assert(
      fc.property(pieces, fc.integer({ min: 60, max: 400 }), (shapes, room) => {
        const all = shapes.map(({ tokens, startsTurn }) => piece(tokens, startsTurn));
        const chunks = chunksOf(all, room);
        let at = 0;
        for (const { from, next, text } of chunks) {
          expect(from).toBe(at);
          expect(next).toBeGreaterThan(from);
          expect(chars4.count(text)).toBeLessThanOrEqual(room);
          at = next;
        }
        expect(at).toBe(all.length);
      }),
    );
  });

  it("[M4] messages are cut further only when there would be too many", () => {
    const pieces = Array.from({ length: 50 }, () => piece(2_000, true));
    expect(tightened(pieces, 10_000, 32, chars4)).toBe(pieces);
    const total = tightened(pieces, 100, 32, chars4).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(total).toBeLessThan(50 * 130);
  });

  it("[M4] a turn begins with what is user-like, whatever says nothing in between", () => {
    const messages = [
      { role: "user", content: "" },
      { role: "assistant", content: [{ type: "text", text: "Hello." }] },
      { role: "bashExecution", command: "ls", output: "" },
    ].map((message, n): ContextMessage => ({ entryId: `a${n}`, message: message as Message }));
    expect(transcriptPieces(messages, chars4).map(({ startsTurn }) => startsTurn)).toEqual([true, true]);
  });
});
