/** Time and identity, injected so that the same input gives the same bytes [I7]. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * A fresh entry id: 12 hexadecimal characters. Longer than pi's 8, since a session opened by its tail cannot be asked
   * whether an id is taken: at a million entries 8 characters would collide once in 4,000 appends.
   */
  newId(): string;
}
