// JSON.stringify leaves these raw, and a terminal may obey them.
const UNSAFE = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const escapeUnsafe = (text: string) =>
  text.replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

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
      yield escapeUnsafe(JSON.stringify(value));
      continue;
    }
    yield "[";
    for (let i = 0; i < value.length; i++) {
      yield `${i ? ",\n    " : "\n    "}${escapeUnsafe(JSON.stringify(value[i] ?? null))}`;
    }
    yield value.length ? "\n  ]" : "]";
  }
  yield "\n}\n";
}
