/** A stored record's place in its file, in bytes. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Places by a dense number from 0, at twelve bytes each. */
export class Places {
  #offsets: Float64Array;
  #lengths: Uint32Array;

  /** Room for `expected` of them to begin with. */
  constructor(expected = 0) {
    const capacity = Math.max(256, expected);
    this.#offsets = new Float64Array(capacity);
    this.#lengths = new Uint32Array(capacity);
  }

  set(slot: number, offset: number, length: number): void {
    while (slot >= this.#offsets.length) {
      const offsets = new Float64Array(this.#offsets.length * 2);
      offsets.set(this.#offsets);
      this.#offsets = offsets;
      const lengths = new Uint32Array(offsets.length);
      lengths.set(this.#lengths);
      this.#lengths = lengths;
    }
    this.#offsets[slot] = offset;
    this.#lengths[slot] = length;
  }

  offset(slot: number): number {
    return this.#offsets[slot] as number;
  }

  length(slot: number): number {
    return this.#lengths[slot] as number;
  }
}
