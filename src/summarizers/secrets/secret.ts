/** Where a secret stands in a text, as offsets, and what kind it looks like: `github`, `private-key`. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Finds the secrets of a text, in its order, none overlapping. */
export type FindSecrets = (text: string) => Promise<FoundSecret[]>;
