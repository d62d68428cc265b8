const NONE = -1;
const LONGEST_SPREAD = 64;
/** Length of most ids. */
const USUAL = 8;
/** A half full table needs some 70 steps at worst for millions of ids; more come from ids that were made to collide. */
const FARTHEST = 256;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Ids of any length, each with a number from 0 in the order in which it came.
 *
 * Kept as bytes, since a million strings in a map take ten times the time to fill it and the garbage collector many times
 * more; about 28 bytes an id of 8 characters. Strings are made when asked for. Ids must be well-formed text.
 */
export class Ids {
  #arena: Uint8Array<ArrayBuffer>;
  /** Where each id starts in the arena; it ends where the next one starts. */
  #starts: Uint32Array;
  #hashes: Int32Array;
  /** Open addressing: numbers of ids at the places that their hashes lead to, at most half full. */
  #table: Int32Array;
  #size = 0;
  /** In place of the table once ids were met that crowd it. */
  #map: Map<string, number> | null = null;
  #scratch = new Uint8Array(64);

  /** Room for `expected` ids of usual length to begin with. */
  constructor(expected = 0) {
    // The mask of the table takes a power of two.
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(64, expected + 1)));
    this.#arena = new Uint8Array(capacity * USUAL);
    this.#starts = new Uint32Array(capacity);
    this.#hashes = new Int32Array(capacity);
    this.#table = new Int32Array(capacity * 2).fill(NONE);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the id, or -1. */
  find(id: string): number {
    const length = this.#encode(id);
    return this.findBytes(this.#scratch, 0, length);
  }

  findBytes(bytes: Uint8Array, start: number, end: number): number {
    const place = this.#place(bytes, start, end, hashOf(bytes, start, end));
    return place === NONE ? this.#mapped(bytes, start, end) : (this.#table[place] as number);
  }

  /** The number of the id, which is new when it equals the former `size`. */
  add(id: string): number {
    const length = this.#encode(id);
    return this.addBytes(this.#scratch, 0, length);
  }

  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const place = this.#place(bytes, start, end, hash);
    const known = place === NONE ? this.#mapped(bytes, start, end) : (this.#table[place] as number);
    if (known !== NONE) return known;
    const added = this.#size++;
    const from = this.#starts[added] as number;
    const to = from + end - start;
    if (to > this.#arena.length) this.#arena = widened(this.#arena, to);
    for (let i = start, at = from; i < end; i++, at++) this.#arena[at] = bytes[i] as number;
    this.#hashes[added] = hash;
    if (place !== NONE) this.#table[place] = added;
    else this.#map?.set(textOf(bytes.subarray(start, end)), added);
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

  /** Where the id stands in the table, or the free place where it belongs; -1 where the map is asked instead. */
  #place(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.#map !== null) return NONE;
    const mask = this.#table.length - 1;
    for (let step = 0; step < FARTHEST; step++) {
      const place = (hash + step) & mask;
      const nth = this.#table[place] as number;
      if (nth === NONE || (this.#hashes[nth] === hash && this.is(nth, bytes, start, end))) return place;
    }
    this.#leaveTable();
    return NONE;
  }

  #mapped(bytes: Uint8Array, start: number, end: number): number {
    return this.#map?.get(textOf(bytes.subarray(start, end))) ?? NONE;
  }

  /** Maps hash strings by a secret of the process: nobody can make ids that collide there. */
  #leaveTable(): void {
    this.#map = new Map();
    for (let nth = 0; nth < this.#size; nth++) this.#map.set(this.text(nth), nth);
    this.#table = new Int32Array(0);
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2;
    const hashes = new Int32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const starts = new Uint32Array(capacity);
    starts.set(this.#starts);
    this.#starts = starts;
    if (this.#map !== null) return;
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
