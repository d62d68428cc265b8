import { escaped } from "./plain.ts";

/** Levels that are told of a value that nests too deep to be written; a file can hold more than JSON.stringify can. */
const DEEPEST = 500;

/** `value` on a line of its own, safe for a terminal. */
export const jsonLine = (value: object): string => `${encoded(value)}\n`;

/**
 * One JSON document as pieces, so that a list of a million rows never stands in one string.
 *
 * The fields of `document` that are arrays go out element by element; the rest is small. Ends with a line end.
 */
export function* jsonDocument(document: object): Generator<string> {
  let comma = "";
  yield "{";
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${comma}\n  ${JSON.stringify(key)}: `;
    comma = ",";
    if (!Array.isArray(value)) {
      yield encoded(value);
      continue;
    }
    yield "[";
    for (let i = 0; i < value.length; i++) {
      yield `${i ? ",\n    " : "\n    "}${encoded(value[i] ?? null)}`;
    }
    yield value.length ? "\n  ]" : "]";
  }
  yield "\n}\n";
}

/** JSON.stringify leaves some characters raw that a terminal obeys. */
const encoded = (value: unknown): string => escaped(stringified(value));

function stringified(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(withoutDepths(value, DEEPEST));
  }
}

function withoutDepths(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "[nested too deep]";
  if (Array.isArray(value)) return value.map((item) => withoutDepths(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDepths(item, levels - 1)]));
}
