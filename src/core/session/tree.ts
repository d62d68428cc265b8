import type { Warning } from "../../errors.ts";
import type { EntryMeta } from "./entry.ts";

/** What `Tree.add` takes: an entry's metadata, plus the small facts that the tree keeps by itself. */
export interface TreeInput extends EntryMeta {
  /** Of `label` entries. */
  readonly targetId?: string;
  readonly label?: string;
  /** Of `session_info` entries. */
  readonly name?: string;
}

const NONE = -1;

/**
 * The shape of a session: ids, parents, types, labels; never bodies.
 *
 * Tolerates what files hold [S7]: an unknown parent makes a root (unless it is added later), self-parents and cycles are
 * cut at their first entry with a warning, of duplicate ids the last wins and keeps the place of the first.
 * Nothing recurses; `add` is O(1), `path` O(its length); about 100 bytes an entry.
 */
export class Tree {
  readonly #slots = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #types: string[] = [];
  readonly #roles: (string | undefined)[] = [];
  #parents = new Int32Array(64);
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

  get size(): number {
    return this.#ids.length;
  }

  /** The newest `session_info` name. */
  get name(): string | undefined {
    return this.#name;
  }

  get warnings(): readonly Warning[] {
    this.#settle();
    const missing = [...this.#waiting].map(([parentId, slots]) => {
      const [first = NONE] = slots;
      const entryId = this.#ids[first] as string;
      const message = `The parent ${parentId} of entry ${entryId} is not in the session; the entry counts as a root.`;
      return { code: "PARENT_MISSING", message, entryId };
    });
    const cut = [...this.#cuts].map((slot) => {
      const entryId = this.#ids[slot] as string;
      const message = `Entry ${entryId} is its own ancestor; it counts as a root.`;
      return { code: "CYCLE", message, entryId };
    });
    return [...this.#found, ...missing, ...cut];
  }

  /** Gives the entry's place in `ids()`. */
  add(input: TreeInput): number {
    const known = this.#slots.get(input.id);
    const slot = known ?? this.#ids.length;
    if (known === undefined) {
      this.#slots.set(input.id, slot);
      this.#ids.push(input.id);
      if (slot === this.#parents.length) this.#parents = grown(this.#parents);
    } else {
      const message = `The id ${input.id} stands on several entries; the last one counts.`;
      this.#found.push({ code: "DUPLICATE_ID", message, entryId: input.id });
      this.#forget(slot);
    }
    this.#types[slot] = input.type;
    this.#roles[slot] = input.role;
    const parent = this.#link(slot, input.parentId);
    this.#adopt(input.id, slot);
    if (known === undefined && !this.#suspect) this.#children?.add(slot, parent);
    this.#note(input);
    return slot;
  }

  /** Children of an entry that could not be read go to `parentId` instead. No effect on ids that are in the tree. */
  bypass(id: string, parentId: string | null): void {
    if (!this.#slots.has(id)) this.#bypassed.set(id, this.#present(parentId));
  }

  has(id: string): boolean {
    return this.#slots.has(id);
  }

  /** The entry's place in `ids()`, from 0; it never changes. */
  indexOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  get(id: string): EntryMeta | undefined {
    const slot = this.#slots.get(id);
    if (slot === undefined) return undefined;
    const role = this.#roles[slot];
    const meta = { id, parentId: this.parent(id), type: this.#types[slot] as string };
    return role === undefined ? meta : { ...meta, role };
  }

  /** Ids in order of appearance. */
  ids(): IterableIterator<string> {
    return this.#ids.values();
  }

  /** `null` for a root, for an unknown parent, and where a cycle was cut. */
  parent(id: string): string | null {
    this.#settle();
    const slot = this.#slots.get(id);
    const parent = slot === undefined ? NONE : this.#parentOf(slot);
    return parent === NONE ? null : (this.#ids[parent] as string);
  }

  /** In order of appearance; `null` asks for the roots. */
  children(id: string | null): string[] {
    this.#settle();
    const slot = id === null ? NONE : this.#slots.get(id);
    if (slot === undefined) return [];
    if (this.#children === null) {
      this.#children = new ChildIndex();
      for (let i = 0; i < this.#ids.length; i++) this.#children.add(i, this.#parentOf(i));
    }
    return this.#children.of(slot).map((child) => this.#ids[child] as string);
  }

  /** Ids from the root to `id`, both included. Unknown id: empty. */
  path(id: string | null): string[] {
    this.#settle();
    const path: string[] = [];
    const start = id === null ? undefined : this.#slots.get(id);
    for (let slot = start ?? NONE; slot !== NONE; slot = this.#parentOf(slot)) path.push(this.#ids[slot] as string);
    return path.reverse();
  }

  /** The deepest entry on both paths, or null. */
  commonAncestor(a: string | null, b: string | null): string | null {
    const onPath = new Set(this.path(a));
    for (let id = b !== null && this.has(b) ? b : null; id !== null; id = this.parent(id)) {
      if (onPath.has(id)) return id;
    }
    return null;
  }

  /** Last writer wins over the whole session [S11]. */
  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  #parentOf(slot: number): number {
    return this.#cuts.has(slot) ? NONE : (this.#parents[slot] as number);
  }

  #link(slot: number, given: string | null): number {
    const parent = this.#find(given);
    this.#parents[slot] = parent ?? NONE;
    if (parent === undefined) this.#wait(slot, this.#present(given) as string);
    if (parent === slot) this.#suspect = true;
    return this.#parents[slot] as number;
  }

  #find(id: string | null): number | undefined {
    if (id === null) return NONE;
    // Most entries are children of the one added before.
    const before = this.#ids.length - 2;
    if (before >= 0 && id === this.#ids[before]) return before;
    const slot = this.#slots.get(id);
    if (slot !== undefined || this.#bypassed.size === 0) return slot;
    const present = this.#present(id);
    return present === null ? NONE : this.#slots.get(present);
  }

  /** The nearest ancestor of `id`, itself included, that is no unreadable entry. */
  #present(id: string | null): string | null {
    let at = id;
    const start = id;
    while (at !== null && !this.#slots.has(at)) {
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
    const waiting = this.#waiting.size === 0 ? undefined : this.#waiting.get(id);
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
    const seenIn = new Int32Array(this.#ids.length);
    for (let start = 0; start < this.#ids.length; start++) {
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
