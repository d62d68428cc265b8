const NONE = -1;
const LONGEST_SPREAD = 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Ids of any length, each with a number from 0 in the order in which it came.
 *
 * Kept as bytes, since a million strings in a map take ten times the time to fill it and the garbage collector many times
 * more; about 28 bytes an id of 8 characters. Strings are made when asked for. Ids must be well-formed text.
 */
export class Ids {
  #arena = new Uint8Array(1024);
  /** Where each id starts in the arena; it ends where the next one starts. */
  #starts = new Uint32Array(64);
  #hashes = new Int32Array(64);
  /** Open addressing: numbers of ids at the places that their hashes lead to, at most half full. */
  #table = new Int32Array(128).fill(NONE);
  #size = 0;
  #scratch = new Uint8Array(64);

  get size(): number {
    return this.#size;
  }

  /** The number of the id, or -1. */
  find(id: string): number {
    const length = this.#encode(id);
    return this.findBytes(this.#scratch, 0, length);
  }

  findBytes(bytes: Uint8Array, start: number, end: number): number {
    return this.#table[this.#place(bytes, start, end, hashOf(bytes, start, end))] as number;
  }

  /** The number of the id, which is new when it equals the former `size`. */
  add(id: string): number {
    const length = this.#encode(id);
    return this.addBytes(this.#scratch, 0, length);
  }

  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const place = this.#place(bytes, start, end, hash);
    const known = this.#table[place] as number;
    if (known !== NONE) return known;
    const added = this.#size++;
    const from = this.#starts[added] as number;
    const to = from + end - start;
    if (to > this.#arena.length) this.#arena = widened(this.#arena, to);
    for (let i = start, at = from; i < end; i++, at++) this.#arena[at] = bytes[i] as number;
    this.#hashes[added] = hash;
    this.#table[place] = added;
    if (this.#size === this.#hashes.length) this.#grow();
    this.#starts[added + 1] = to;
    return added;
  }

  /** True where the id of this number is these bytes. */
  is(nth: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[nth] as number;
    if ((this.#starts[nth + 1] as number) - from !== end - start) return false;
    for (let i = start, at = from; i < end; i++, at++) if (this.#arena[at] !== bytes[i]) return false;
    return true;
  }

  text(nth: number): string {
    return textOf(this.#arena.subarray(this.#starts[nth], this.#starts[nth + 1]));
  }

  /** Where the id stands in the table, or the free place where it belongs. */
  #place(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const nth = this.#table[place] as number;
      if (nth === NONE || (this.#hashes[nth] === hash && this.is(nth, bytes, start, end))) return place;
    }
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2;
    const hashes = new Int32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const starts = new Uint32Array(capacity);
    starts.set(this.#starts);
    this.#starts = starts;
    const table = new Int32Array(capacity * 2).fill(NONE);
    const mask = table.length - 1;
    for (let nth = 0; nth < this.#size; nth++) {
      let place = (hashes[nth] as number) & mask;
      while (table[place] !== NONE) place = (place + 1) & mask;
      table[place] = nth;
    }
    this.#table = table;
  }

  /** The id's length in bytes, which stand in the scratch then. */
  #encode(id: string): number {
    if (id.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(id.length * 3);
    for (let i = 0; i < id.length; i++) {
      const code = id.charCodeAt(i);
      if (code > 127) return encoder.encodeInto(id, this.#scratch).written;
      this.#scratch[i] = code;
    }
    return id.length;
  }
}

/** A string of these bytes of UTF-8. */
function textOf(bytes: Uint8Array): string {
  let all = 0;
  for (const byte of bytes) all |= byte;
  return all < 128 && bytes.length <= LONGEST_SPREAD ? String.fromCharCode(...bytes) : decoder.decode(bytes);
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  // Tables use the low bits, which the last bytes alone have reached.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function widened(arena: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(arena.length * 2, needed));
  wider.set(arena);
  return wider;
}
