import type { Warning } from "../../errors.ts";
import type { EntryMeta } from "./entry.ts";
import { Ids } from "./ids.ts";

/** What `Tree.add` takes: an entry's metadata, plus the small facts that the tree keeps by itself. */
export interface TreeInput extends EntryMeta {
  /** Of `label` entries. */
  readonly targetId?: string;
  readonly label?: string;
  /** Of `session_info` entries. */
  readonly name?: string;
}

/** An entry of which the ids are still bytes: `bytes[idStart … idEnd - 1]`, in ASCII; `parentStart` is -1 for a root. */
export interface RawLink {
  readonly type: string;
  readonly role: string | undefined;
  readonly idStart: number;
  readonly idEnd: number;
  readonly parentStart: number;
  readonly parentEnd: number;
}

const NONE = -1;
const SMALLEST = 64;

/**
 * The shape of a session: ids, parents, types, labels; never bodies.
 *
 * Tolerates what files hold [S7]: an unknown parent makes a root (unless it is added later), self-parents and cycles are
 * cut at their first entry with a warning, of duplicate ids the last wins and keeps the place of the first.
 * Nothing recurses; `add` is O(1), `path` O(its length); about 60 bytes an entry.
 */
export class Tree {
  /** The number of an id is the entry's slot in all columns. */
  readonly #ids: Ids;
  /** Numbers of words; 0 is "no role". */
  #types: Uint32Array;
  #roles: Uint32Array;
  readonly #words = new Words();
  #parents: Int32Array<ArrayBuffer>;
  readonly #labels = new Map<string, string>();
  readonly #found: Warning[] = [];
  /** Parents not seen yet, with the slots that wait for them. */
  readonly #waiting = new Map<string, Set<number>>();
  readonly #waitsFor = new Map<number, string>();
  /** Entries that could not be read, with the parent their children get instead. */
  readonly #bypassed = new Map<string, string | null>();
  /** Slots whose parent is not followed, since that would close a cycle. */
  #cuts = new Set<number>();
  /** A parent came after its child or changed: there may be a cycle. */
  #suspect = false;
  #children: ChildIndex | null = null;
  #name: string | undefined;

  /** An empty tree, with room for `expected` entries; it grows beyond that. */
  constructor(expected = 0) {
    const capacity = Math.max(SMALLEST, expected);
    this.#ids = new Ids(capacity);
    this.#types = new Uint32Array(capacity);
    this.#roles = new Uint32Array(capacity);
    this.#parents = new Int32Array(capacity);
  }

  get size(): number {
    return this.#ids.size;
  }

  /** The newest `session_info` name. */
  get name(): string | undefined {
    return this.#name;
  }

  get warnings(): readonly Warning[] {
    this.#settle();
    const missing = [...this.#waiting].map(([parentId, slots]) => {
      const [first = NONE] = slots;
      const entryId = this.#ids.text(first);
      const message = `The parent ${parentId} of entry ${entryId} is not in the session; the entry counts as a root.`;
      return { code: "PARENT_MISSING", message, entryId };
    });
    const cut = [...this.#cuts].map((slot) => {
      const entryId = this.#ids.text(slot);
      const message = `Entry ${entryId} is its own ancestor; it counts as a root.`;
      return { code: "CYCLE", message, entryId };
    });
    return [...this.#found, ...missing, ...cut];
  }

  /** Gives the entry's place in `ids()`. */
  add(input: TreeInput): number {
    const before = this.#ids.size;
    const slot = this.#ids.add(input.id);
    const isNew = this.#take(slot, before, input.type, input.role);
    this.#linkNamed(slot, input.parentId, isNew);
    this.#note(input);
    return slot;
  }

  /** The same for an entry whose ids stand in `bytes`: no string is made of them. */
  addRaw(bytes: Uint8Array, link: RawLink): number {
    const before = this.#ids.size;
    const slot = this.#ids.addBytes(bytes, link.idStart, link.idEnd);
    const isNew = this.#take(slot, before, link.type, link.role);
    const parent = this.#findRaw(bytes, link, before - 1);
    if (parent !== undefined) this.#link(slot, parent, isNew);
    else this.#linkNamed(slot, String.fromCharCode(...bytes.subarray(link.parentStart, link.parentEnd)), isNew);
    return slot;
  }

  /** Children of an entry that could not be read go to `parentId` instead. No effect on ids that are in the tree. */
  bypass(id: string, parentId: string | null): void {
    if (!this.has(id)) this.#bypassed.set(id, this.#present(parentId));
  }

  has(id: string): boolean {
    return this.#ids.find(id) !== NONE;
  }

  /** The entry's place in `ids()`, from 0; it never changes. */
  indexOf(id: string): number | undefined {
    const slot = this.#ids.find(id);
    return slot === NONE ? undefined : slot;
  }

  get(id: string): EntryMeta | undefined {
    const slot = this.#ids.find(id);
    if (slot === NONE) return undefined;
    this.#settle();
    const parent = this.#parentOf(slot);
    const parentId = parent === NONE ? null : this.#ids.text(parent);
    const role = this.#words.text(this.#roles[slot] as number);
    const meta = { id, parentId, type: this.#words.text(this.#types[slot] as number) as string };
    return role === undefined ? meta : { ...meta, role };
  }

  /** Ids in order of appearance. */
  *ids(): IterableIterator<string> {
    for (let slot = 0; slot < this.#ids.size; slot++) yield this.#ids.text(slot);
  }

  /** `null` for a root, for an unknown parent, and where a cycle was cut. */
  parent(id: string): string | null {
    this.#settle();
    const slot = this.#ids.find(id);
    const parent = slot === NONE ? NONE : this.#parentOf(slot);
    return parent === NONE ? null : this.#ids.text(parent);
  }

  /** In order of appearance; `null` asks for the roots. */
  children(id: string | null): string[] {
    this.#settle();
    const slot = id === null ? NONE : this.#ids.find(id);
    if (id !== null && slot === NONE) return [];
    if (this.#children === null) {
      this.#children = new ChildIndex();
      for (let i = 0; i < this.#ids.size; i++) this.#children.add(i, this.#parentOf(i));
    }
    return this.#children.of(slot).map((child) => this.#ids.text(child));
  }

  /** Ids from the root to `id`, both included. Unknown id: empty. */
  path(id: string | null): string[] {
    this.#settle();
    const path: string[] = [];
    const start = id === null ? NONE : this.#ids.find(id);
    for (let slot = start; slot !== NONE; slot = this.#parentOf(slot)) path.push(this.#ids.text(slot));
    return path.reverse();
  }

  /** The deepest entry on both paths, or null. */
  commonAncestor(a: string | null, b: string | null): string | null {
    this.#settle();
    const onPath = new Set<number>();
    for (let slot = a === null ? NONE : this.#ids.find(a); slot !== NONE; slot = this.#parentOf(slot)) onPath.add(slot);
    for (let slot = b === null ? NONE : this.#ids.find(b); slot !== NONE; slot = this.#parentOf(slot)) {
      if (onPath.has(slot)) return this.#ids.text(slot);
    }
    return null;
  }

  /** Last writer wins over the whole session [S11]. */
  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  #parentOf(slot: number): number {
    return this.#cuts.size > 0 && this.#cuts.has(slot) ? NONE : (this.#parents[slot] as number);
  }

  /** Fills the entry's columns; true when its id is new. */
  #take(slot: number, before: number, type: string, role: string | undefined): boolean {
    const isNew = slot === before;
    if (!isNew) {
      const entryId = this.#ids.text(slot);
      const message = `The id ${entryId} stands on several entries; the last one counts.`;
      this.#found.push({ code: "DUPLICATE_ID", message, entryId });
      this.#forget(slot);
    } else if (slot === this.#parents.length) this.#grow();
    this.#types[slot] = this.#words.number(type);
    this.#roles[slot] = role === undefined ? 0 : this.#words.number(role);
    return isNew;
  }

  #grow(): void {
    this.#parents = grown(this.#parents);
    const length = this.#parents.length;
    const types = new Uint32Array(length);
    types.set(this.#types);
    this.#types = types;
    const roles = new Uint32Array(length);
    roles.set(this.#roles);
    this.#roles = roles;
  }

  #linkNamed(slot: number, parentId: string | null, isNew: boolean): void {
    const parent = this.#find(parentId);
    if (parent === undefined) this.#wait(slot, this.#present(parentId) as string);
    this.#link(slot, parent ?? NONE, isNew);
  }

  #link(slot: number, parent: number, isNew: boolean): void {
    this.#parents[slot] = parent;
    if (parent === slot) this.#suspect = true;
    if (this.#waiting.size > 0) this.#adopt(this.#ids.text(slot), slot);
    if (isNew && !this.#suspect) this.#children?.add(slot, parent);
  }

  #find(id: string | null): number | undefined {
    if (id === null) return NONE;
    const slot = this.#ids.find(id);
    if (slot !== NONE) return slot;
    if (this.#bypassed.size === 0) return undefined;
    const present = this.#present(id);
    if (present === null) return NONE;
    const bypass = this.#ids.find(present);
    return bypass === NONE ? undefined : bypass;
  }

  /** Most entries are children of the one added before. */
  #findRaw(bytes: Uint8Array, { parentStart, parentEnd }: RawLink, before: number): number | undefined {
    if (parentStart === NONE) return NONE;
    if (before >= 0 && this.#ids.is(before, bytes, parentStart, parentEnd)) return before;
    const slot = this.#ids.findBytes(bytes, parentStart, parentEnd);
    return slot === NONE ? undefined : slot;
  }

  /** The nearest ancestor of `id`, itself included, that is no unreadable entry. */
  #present(id: string | null): string | null {
    let at = id;
    const start = id;
    while (at !== null && !this.has(at)) {
      const next = this.#bypassed.get(at);
      if (next === undefined) break;
      // Unreadable entries may name each other as parents.
      at = next === at || next === start ? null : next;
    }
    return at;
  }

  #wait(slot: number, parentId: string): void {
    const waiting = this.#waiting.get(parentId);
    if (waiting) waiting.add(slot);
    else this.#waiting.set(parentId, new Set([slot]));
    this.#waitsFor.set(slot, parentId);
  }

  #adopt(id: string, slot: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    for (const child of waiting) {
      this.#parents[child] = slot;
      this.#waitsFor.delete(child);
    }
    this.#suspect = true;
  }

  /** Undoes what the former holder of a duplicate id has said of its parent. */
  #forget(slot: number): void {
    this.#suspect = true;
    const parentId = this.#waitsFor.get(slot);
    if (parentId === undefined) return;
    this.#waitsFor.delete(slot);
    const waiting = this.#waiting.get(parentId);
    waiting?.delete(slot);
    if (waiting?.size === 0) this.#waiting.delete(parentId);
  }

  #note(input: TreeInput): void {
    if (input.type === "session_info" && input.name !== undefined) this.#name = input.name;
    if (input.type !== "label" || input.targetId === undefined) return;
    if (input.label) this.#labels.set(input.targetId, input.label);
    else this.#labels.delete(input.targetId);
  }

  /** Finds the cycles anew, in one pass, when something was added that may have closed or opened one. */
  #settle(): void {
    if (!this.#suspect) return;
    this.#suspect = false;
    this.#children = null;
    this.#cuts = new Set();
    const seenIn = new Int32Array(this.#ids.size);
    for (let start = 0; start < this.#ids.size; start++) {
      let slot = start;
      while (slot !== NONE && seenIn[slot] === 0) {
        seenIn[slot] = start + 1;
        slot = this.#parents[slot] as number;
      }
      if (slot !== NONE && seenIn[slot] === start + 1) this.#cuts.add(this.#firstOfCycle(slot));
    }
  }

  #firstOfCycle(start: number): number {
    let first = start;
    for (let slot = this.#parents[start] as number; slot !== start; slot = this.#parents[slot] as number) {
      first = Math.min(first, slot);
    }
    return first;
  }
}

/** The few types and roles that all entries have, by numbers from 1. */
class Words {
  readonly #texts: (string | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  text(number: number): string | undefined {
    return this.#texts[number];
  }
}

/** Children by parent, as linked lists over slots: three integers an entry. */
class ChildIndex {
  #first = new Int32Array(64).fill(NONE);
  #last = new Int32Array(64).fill(NONE);
  #next = new Int32Array(64).fill(NONE);

  /** Slots start at -1, the parent of roots. */
  add(slot: number, parent: number): void {
    while (slot + 1 >= this.#next.length) {
      this.#first = grown(this.#first);
      this.#last = grown(this.#last);
      this.#next = grown(this.#next);
    }
    const last = this.#last[parent + 1] as number;
    if (last === NONE) this.#first[parent + 1] = slot;
    else this.#next[last + 1] = slot;
    this.#last[parent + 1] = slot;
  }

  of(parent: number): number[] {
    const slots: number[] = [];
    for (let slot = this.#first[parent + 1] ?? NONE; slot !== NONE; slot = this.#next[slot + 1] as number) {
      slots.push(slot);
    }
    return slots;
  }
}

function grown(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2).fill(NONE, column.length);
  larger.set(column);
  return larger;
}
