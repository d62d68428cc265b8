import { countByScript } from "./count-by-script.ts";
import type { TokenCounter } from "./tokens.ts";

/** Tokenizers need quadratic time for one unbroken run; longer ones are cut. Costs at most a token a cut. */
const LONGEST_RUN = 512;

/**
 * A counter that asks an exact tokenizer [T1], such as `encode` of the package gpt-tokenizer.
 *
 * Runs without a change between white space and other characters are cut at 512 characters, so that a megabyte of
 * `aaaa` costs linear time. Where `encode` throws (on text that looks like a special token) the script estimate stands in.
 */
export function bpeCounter(name: string, encode: (text: string) => { readonly length: number }): TokenCounter {
  return {
    name,
    count(text) {
      let tokens = 0;
      let start = 0;
      let run = 0;
      let wasSpace = false;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const isSpace = code <= 0x20;
        run = isSpace === wasSpace ? run + 1 : 1;
        wasSpace = isSpace;
        const splitsPair = code >= 0xdc00 && code <= 0xdfff;
        if (run <= LONGEST_RUN || splitsPair) continue;
        tokens += lengthOf(text.slice(start, at));
        start = at;
        run = 1;
      }
      return tokens + lengthOf(text.slice(start));
    },
  };

  function lengthOf(piece: string): number {
    if (piece === "") return 0;
    try {
      return encode(piece).length;
    } catch {
      return countByScript(piece);
    }
  }
}
