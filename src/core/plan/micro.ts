import type { ToolCallBlock } from "../session/message.ts";
import { protects } from "./protected-tools.ts";

/** A tool result as micro-compaction sees it: `length` in characters, `round` counted from the oldest. */
export interface RoundResult {
  readonly name: string;
  readonly call?: ToolCallBlock;
  readonly length: number;
  /** One assistant message and all its results. */
  readonly round: number;
}

export interface MicroOptions {
  /** So many newest rounds stay as they are: 3. */
  readonly keepRounds?: number;
  /** Counts single results in place of rounds, which splits the results of parallel calls. */
  readonly keepResults?: number;
  /** Results of these tools stay, under whatever name an agent knows them: `read_file`, `read`. */
  readonly preserveTools?: readonly string[];
  /** Results of at most so many characters stay: 100. */
  readonly minChars?: number;
}

/** What stands in the place of an older result of the tool `name` [R6]. */
export const usedMark = (name: string) => `[Previous: used ${name}]`;

/**
 * The places in `results`, oldest first, of those that a mark replaces [R6].
 *
 * Older than the newest rounds, longer than `minChars` and of no tool whose results are kept for reference.
 */
export function agedResults(results: readonly RoundResult[], options: MicroOptions = {}): number[] {
  const { keepRounds = 3, keepResults, preserveTools = ["read_file", "read"], minChars = 100 } = options;
  const preserved = protects(preserveTools);
  const rounds = [...new Set(results.map(({ round }) => round))];
  const firstKept = rounds[Math.max(0, rounds.length - keepRounds)] ?? Number.POSITIVE_INFINITY;
  const isAged = (place: number, round: number) =>
    keepResults === undefined ? round < firstKept : place < results.length - keepResults;
  return results.flatMap(({ name, call, length, round }, place) =>
    isAged(place, round) && length > minChars && !preserved(name, call) ? [place] : [],
  );
}
