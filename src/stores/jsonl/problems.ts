import { basename } from "node:path";
import type { Warning } from "../../errors.ts";

/** Where a bad line stands; `number` is 0 where only its offset is known. */
interface Place {
  readonly offset: number;
  readonly number: number;
  readonly ended: boolean;
}

/** The bad lines of one file, each reported once, with its number as soon as that is known [S6]. */
export interface LineProblems {
  report(line: Place, problem: string): void;
  list(): Warning[];
}

export function lineProblems(path: string): LineProblems {
  const file = basename(path);
  const byOffset = new Map<number, Warning>();
  return {
    report({ offset, number, ended }, problem) {
      if (byOffset.get(offset)?.line !== undefined && number === 0) return;
      const where = number > 0 ? `Line ${number} of ${file}` : `The line at byte ${offset} of ${file}`;
      const code = !ended && problem === "is cut off" ? "TORN_LINE" : "BAD_LINE";
      const then = code === "TORN_LINE" ? "; it is set aside and the next append starts on a fresh line" : "";
      const message = `${where} ${problem}${then}.`;
      byOffset.set(offset, number > 0 ? { code, message, line: number } : { code, message });
    },
    list: () => [...byOffset].sort(([a], [b]) => a - b).map(([, warning]) => warning),
  };
}
