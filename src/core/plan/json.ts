/**
 * `value` in JSON, whatever it is: never throws, and never undefined.
 *
 * BigInts become their digits, a value inside itself `"[circular]"`, and what can't be written at all
 * `"[unserialisable]"`. What `JSON.stringify` leaves out (undefined, functions) is `null`.
 */
export function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, plain) ?? "null";
  } catch {
    return acyclicJson(value);
  }
}

function acyclicJson(value: unknown): string {
  const seen = new Set<object>();
  try {
    const once = (_key: string, item: unknown) => {
      if (typeof item !== "object" || item === null) return plain("", item);
      if (seen.has(item)) return "[circular]";
      seen.add(item);
      return item;
    };
    return JSON.stringify(value, once) ?? "null";
  } catch {
    return '"[unserialisable]"';
  }
}

function plain(_key: string, item: unknown): unknown {
  return typeof item === "bigint" ? item.toString() : item;
}
