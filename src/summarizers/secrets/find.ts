import { SECRET_PATTERNS } from "./patterns.ts";
import { privateKeys } from "./private-keys.ts";
import { loadRuleset } from "./ruleset.ts";
import type { FindSecrets, FoundSecret } from "./secret.ts";

/** The ruleset takes more time for each finding the more there are in one text. */
const PIECE = 65_536;

/**
 * Finds secrets by secretlint's ruleset and by what it misses [M3]; linear in the text.
 *
 * Rejects `PACKAGE_MISSING` where secretlint is not installed.
 */
export async function secretFinder(): Promise<FindSecrets> {
  const ruleset = await loadRuleset();
  return async (text) => {
    const found = [...privateKeys(text), ...byPattern(text)];
    for (const [start, piece] of pieces(text)) {
      for (const secret of await ruleset(piece)) {
        found.push({ ...secret, start: start + secret.start, end: start + secret.end });
      }
    }
    return joined(found);
  };
}

let loaded: Promise<FindSecrets> | undefined;

/** The secrets of a text; the ruleset is loaded at the first one. Rejects as `secretFinder` does. */
export const findSecrets: FindSecrets = async (text) => {
  loaded ??= secretFinder();
  return (await loaded)(text);
};

function* byPattern(text: string): Generator<FoundSecret> {
  for (const { kind, pattern, likely } of SECRET_PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      if (likely && !likely(value)) continue;
      const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(value));
      yield { start, end: start + value.length, kind };
    }
  }
}

/** `text` in pieces that end at a line or at least at a blank, with their offsets. */
function* pieces(text: string): Generator<[start: number, piece: string]> {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE >= text.length ? text.length : border(text, start + PIECE / 2, start + PIECE);
    yield [start, text.slice(start, end)];
    start = end;
  }
}

function border(text: string, from: number, to: number): number {
  for (const mark of ["\n", " "]) {
    const at = text.lastIndexOf(mark, to - 1);
    if (at >= from) return at + 1;
  }
  return to;
}

/** In the text's order; what overlaps becomes one, called by the kind that was found first. */
function joined(found: readonly FoundSecret[]): FoundSecret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: FoundSecret[] = [];
  for (const secret of sorted) {
    const last = result.at(-1);
    if (!last || secret.start >= last.end) result.push(secret);
    else if (secret.end > last.end) result[result.length - 1] = { ...last, end: secret.end };
  }
  return result;
}
