/** Time and identity, injected so that the same input gives the same bytes [I7]. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** A fresh entry id: 8 hexadecimal characters, unlikely to collide; the engine checks and asks again. */
  newId(): string;
}
