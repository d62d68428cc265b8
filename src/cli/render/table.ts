import type { Screen, Tint } from "./style.ts";
import { clip, pad, width } from "./width.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Takes what room the others leave; at most one column of a table. */
  readonly fills?: boolean;
  readonly tint?: Tint;
}

/** How many rows are looked at to size the columns: enough for any screen, few enough to start printing at once. */
const SAMPLE = 500;

/**
 * Lines of a table that fits `screen.width`: titles, then one line a row, cells cut where they do not fit.
 *
 * Rows are plain texts without line ends. A `tints` entry colours a whole row's cell: `tints(row, column)`.
 */
export function* table(
  screen: Screen,
  columns: readonly Column[],
  rows: Iterable<readonly string[]>,
  tints: (row: readonly string[], column: number) => Tint | undefined = () => undefined,
): Generator<string> {
  const source = rows[Symbol.iterator]();
  const sample: (readonly string[])[] = [];
  let next = source.next();
  for (; !next.done && sample.length < SAMPLE; next = source.next()) sample.push(next.value);
  const widths = columns.map((column, i) =>
    sample.reduce((most, row) => Math.max(most, width(row[i] ?? "")), width(column.title)),
  );
  const filler = columns.findIndex((column) => column.fills);
  if (filler >= 0) {
    const others = widths.reduce((sum, w, i) => (i === filler ? sum : sum + w + 2), 2);
    widths[filler] = Math.max(10, Math.min(widths[filler] ?? 0, screen.width - others));
  }
  const line = (cells: readonly string[], tint: (column: number) => Tint | undefined) =>
    `  ${columns
      .map((column, i) => {
        const cell = pad(
          clip(cells[i] ?? "", widths[i] ?? 0),
          widths[i] ?? 0,
          column.align === "right" ? "left" : "right",
        );
        const last = i === columns.length - 1 ? cell.trimEnd() : cell;
        const colour = tint(i);
        return colour ? screen.tint(colour, last) : last;
      })
      .join("  ")}`.trimEnd();

  if (columns.some((column) => column.title))
    yield line(
      columns.map((column) => column.title),
      () => "dim",
    );
  const paint = (row: readonly string[]) => line(row, (i) => tints(row, i) ?? columns[i]?.tint);
  for (const row of sample) yield paint(row);
  for (; !next.done; next = source.next()) yield paint(next.value);
}
