import { cutHead } from "../../../core/context/text.ts";

type Step = readonly [sign: " " | "-" | "+", line: string];

const CONTEXT = 3;
/** More changed lines than this are told as one block, so that time and memory stay small. */
const MOST_CHANGES = 500;
const MOST_LINES = 200;
const MAX_LINE = 500;

/** The unified diff of two texts, without file names; bounded, and says what is left out. Empty when they are equal. */
export function unifiedDiff(before: string, after: string): string {
  const hunks = hunksOf(stepsOf(before.split("\n"), after.split("\n")));
  const lines = hunks.flat();
  const shown = lines.slice(0, MOST_LINES).map((line) => cutHead(line.replace(/\r$/, ""), MAX_LINE).text);
  if (lines.length > MOST_LINES) shown.push(`[${lines.length - MOST_LINES} more lines of the diff left out]`);
  return shown.join("\n");
}

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const steps: Step[] = before.slice(0, head).map((line) => [" ", line]);
  for (const step of changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail))) {
    steps.push(step);
  }
  for (const line of before.slice(before.length - tail)) steps.push([" ", line]);
  return steps;
}

/** The shortest way from `a` to `b` (Myers), or all of `a` out and all of `b` in where that would be long. */
function changed(a: readonly string[], b: readonly string[]): Step[] {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  const rows: Int32Array[] = [];
  let reach = new Int32Array(2 * most + 3);
  for (let d = 0; d <= most; d++) {
    rows.push(reach);
    const next = reach.slice();
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && at(reach, k - 1, most) < at(reach, k + 1, most));
      let x = isDown ? at(reach, k + 1, most) : at(reach, k - 1, most) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next[k + most + 1] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, rows, most);
    }
    reach = next;
  }
  return [...a.map((line): Step => ["-", line]), ...b.map((line): Step => ["+", line])];
}

function walkBack(a: readonly string[], b: readonly string[], rows: readonly Int32Array[], most: number): Step[] {
  const steps: Step[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = rows.length - 1; d >= 0; d--) {
    const reach = rows[d] as Int32Array;
    const k = x - y;
    const isDown = k === -d || (k !== d && at(reach, k - 1, most) < at(reach, k + 1, most));
    const fromK = isDown ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(reach, fromK, most);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      steps.push([" ", a[--x] as string]);
      y--;
    }
    if (d === 0) break;
    steps.push(isDown ? ["+", b[--y] as string] : ["-", a[--x] as string]);
  }
  return steps.reverse();
}

function at(reach: Int32Array, k: number, most: number): number {
  return reach[k + most + 1] ?? 0;
}

function hunksOf(steps: readonly Step[]): string[][] {
  const hunks: string[][] = [];
  let old = 1;
  let now = 1;
  let hunk: { lines: string[]; old: number; now: number; olds: number; nows: number; quiet: number } | undefined;
  const close = () => {
    if (!hunk) return;
    hunks.push([`@@ -${hunk.old},${hunk.olds} +${hunk.now},${hunk.nows} @@`, ...hunk.lines]);
    hunk = undefined;
  };
  steps.forEach(([sign, line], index) => {
    if (sign !== " " && !hunk) {
      const lead = steps.slice(Math.max(0, index - CONTEXT), index).filter(([each]) => each === " ");
      const lines = lead.map(([, each]) => ` ${each}`);
      const size = lead.length;
      hunk = { lines, old: old - size, now: now - size, olds: size, nows: size, quiet: 0 };
    }
    if (hunk) {
      hunk.quiet = sign === " " ? hunk.quiet + 1 : 0;
      hunk.lines.push(sign + line);
      if (sign !== "+") hunk.olds++;
      if (sign !== "-") hunk.nows++;
      const isNear = steps.slice(index + 1, index + 1 + CONTEXT).some(([each]) => each !== " ");
      if (hunk.quiet >= CONTEXT && !isNear) close();
    }
    if (sign !== "+") old++;
    if (sign !== "-") now++;
  });
  close();
  return hunks;
}
