/** Counts the tokens of a text. Pure, linear in the text's length, never throws. */
export interface TokenCounter {
  /** Shown beside figures: `script`, `chars4`, `o200k`. */
  readonly name: string;
  count(text: string): number;
}
