import type { TreeInput } from "../../core/session/tree.ts";
import type { FoundHeader } from "./header.ts";
import { type FileLine, type LineSink, readLine } from "./line.ts";
import { type Place, Places } from "./places.ts";
import type { LineProblems } from "./problems.ts";
import type { SessionFile } from "./session-file.ts";
import { backwardLines } from "./tail.ts";

/** What is known of a file of which only the end has been read; reads on when asked for more. */
export interface TailIndex {
  /** The newest entry, or null in a session without entries. */
  newest(): TreeInput | null;
  /** Leaves the newest entry aside, since it can't be read after all; gives the one before. */
  dropNewest(): TreeInput | null;
  /** Where the newest record of this id stands; reads back until it is found, to the header if need be. */
  locate(id: string): Place | null;
  /** What an unreadable line says of its parent, where `locate` found nothing. */
  bypass(id: string): { readonly offset: number; readonly parentId: string | null } | null;
  knows(id: string): boolean;
  add(id: string, place: Place): void;
  /** The bytes at `place` if they are still in memory. */
  bytes(place: Place): Buffer | null;
  /** Gives back the memory; the index is empty afterwards. */
  forget(): void;
}

export function tailIndex(file: SessionFile, found: FoundHeader, problems: LineProblems): TailIndex {
  const slots = new Map<string, number>();
  const places = new Places();
  let used = 0;
  const bypasses = new Map<string, { offset: number; parentId: string | null }>();
  const onLine: { input: TreeInput; offset: number; length: number }[] = [];
  let next = backwardLines(file, found.offset);
  let current: FileLine | null = null;
  let newest: TreeInput | null = null;

  const sink: LineSink = {
    entry: (input, offset, length) => onLine.push({ input, offset, length }),
    bad(line, problem, link) {
      problems.report({ offset: line.offset, number: 0, ended: line.ended }, problem);
      if (link && !slots.has(link.id)) bypasses.set(link.id, { offset: line.offset, parentId: link.parentId });
    },
  };
  const set = (id: string, offset: number, length: number) => {
    const slot = slots.get(id) ?? used++;
    slots.set(id, slot);
    places.set(slot, offset, length);
  };
  /** Takes in the line before; false at the start of the file. */
  const readOn = (): boolean => {
    current = next();
    if (current === null) return false;
    readLine(file, current, sink);
    // Backwards on the line too: of duplicate ids the last wins.
    for (let record = onLine.pop(); record; record = onLine.pop()) {
      newest ??= record.input;
      if (!slots.has(record.input.id)) set(record.input.id, record.offset, record.length);
    }
    return true;
  };

  const readNewest = () => {
    while (newest === null && readOn());
    return newest;
  };

  return {
    newest: readNewest,
    dropNewest() {
      const slot = newest && slots.get(newest.id);
      if (newest && typeof slot === "number") {
        bypasses.set(newest.id, { offset: places.offset(slot), parentId: newest.parentId });
        slots.delete(newest.id);
      }
      newest = null;
      return readNewest();
    },
    locate(id) {
      while (!slots.has(id) && !bypasses.has(id) && readOn());
      const slot = slots.get(id);
      return slot === undefined ? null : { offset: places.offset(slot), length: places.length(slot) };
    },
    bypass: (id) => bypasses.get(id) ?? null,
    knows: (id) => slots.has(id),
    add: (id, { offset, length }) => set(id, offset, length),
    bytes({ offset, length }) {
      const line = current;
      if (!line?.chunk || offset < line.offset || offset + length > line.offset + line.length) return null;
      const at = line.at + offset - line.offset;
      return line.chunk.subarray(at, at + length);
    },
    forget() {
      slots.clear();
      bypasses.clear();
      current = null;
      next = () => null;
    },
  };
}
