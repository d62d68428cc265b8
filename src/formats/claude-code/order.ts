import type { Warning } from "../../errors.ts";
import type { Unit } from "./units.ts";

/** Cuts every loop of parents at the unit that closes it; linear, without recursion [S7]. */
export function cutCycles(units: readonly Unit[]): Warning[] {
  const warnings: Warning[] = [];
  const walkOf = new Int32Array(units.length);
  for (const start of units) {
    const walk = start.at + 1;
    for (let unit: Unit | null = start; unit && walkOf[unit.at] === 0; unit = unit.parent) {
      walkOf[unit.at] = walk;
      if (unit.parent && walkOf[unit.parent.at] === walk) {
        const { line } = unit.lines[0]!;
        warnings.push({ code: "cycle", message: `line ${line} descends from itself; it was made a root`, line });
        unit.parent = null;
      }
    }
  }
  return warnings;
}

/** The units in file order, except that a parent always comes before its children. There must be no cycles. */
export function parentsFirst(units: readonly Unit[]): Unit[] {
  const ordered: Unit[] = [];
  const done = new Uint8Array(units.length);
  for (const start of units) {
    const waiting: Unit[] = [];
    for (let unit: Unit | null = start; unit && done[unit.at] === 0; unit = unit.parent) {
      done[unit.at] = 1;
      waiting.push(unit);
    }
    for (let unit = waiting.pop(); unit; unit = waiting.pop()) ordered.push(unit);
  }
  return ordered;
}

/** True if `ancestor` is `unit` or above it. There must be no cycles. */
export function descends(unit: Unit | null, ancestor: Unit): boolean {
  for (let at = unit; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** Where the conversation stands: the newest descendant, in its lane, of the unit that the last line belongs to. */
export function newestLeaf(units: readonly Unit[], last: Unit): Unit {
  const lane = last.lines[0]!.lane;
  const newest = new Map<Unit, Unit>();
  for (const unit of units) if (unit.parent && unit.lines[0]!.lane === lane) newest.set(unit.parent, unit);
  let leaf = last;
  for (let next = newest.get(leaf); next; next = newest.get(leaf)) leaf = next;
  return leaf;
}
