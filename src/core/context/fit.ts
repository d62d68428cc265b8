import { elideMiddle } from "./text.ts";
import type { TokenCounter } from "./tokens.ts";

/**
 * `text` as it is where it counts at most `maxTokens`, else head and tail of it that do [X6]; "" where nothing fits.
 *
 * At most `maxChars` characters of it stay in any case, the sign of the cut on top.
 */
export function fitted(text: string, maxTokens: number, counter: TokenCounter, maxChars = text.length): string {
  let room = Math.min(maxChars, text.length);
  while (room > 0) {
    const fit = elideMiddle(text, room).text;
    const tokens = counter.count(fit);
    if (tokens <= maxTokens) return fit;
    room = Math.floor(Math.min(0.9, maxTokens / tokens) * room);
  }
  return "";
}
