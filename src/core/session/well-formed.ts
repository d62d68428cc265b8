const LONE_SURROGATE = /\p{Surrogate}/gu;

/** `text` with every lone surrogate replaced by U+FFFD; surrogate pairs stay [X6]. */
export function wellFormed(text: string): string {
  // Replacing is slow, also where there is nothing to replace.
  return text.isWellFormed() ? text : text.replace(LONE_SURROGATE, "\uFFFD");
}

/**
 * A copy of `value` as it will be read back [I3]: every string and key is well-formed [X6], and nobody else holds any of it.
 *
 * What has a `toJSON` is what that gives. Does not recurse, so depth is no limit; a cycle stays one.
 */
export function storedCopy<T extends object>(value: T): T {
  const made = new Map<object, Record<string, unknown>>();
  const open: object[] = [];
  const copyOf = (field: unknown): unknown => {
    if (typeof field === "string") return wellFormed(field);
    if (typeof field !== "object" || field === null) return field;
    const { toJSON } = field as { toJSON?: unknown };
    const given: unknown = typeof toJSON === "function" ? toJSON.call(field) : field;
    if (typeof given !== "object" || given === null) return copyOf(given);
    let copy = made.get(given);
    if (!copy) {
      copy = (Array.isArray(given) ? [] : {}) as Record<string, unknown>;
      made.set(given, copy);
      open.push(given);
    }
    return copy;
  };
  const whole = copyOf(value) as T;
  for (let node = open.pop(); node; node = open.pop()) {
    const copy = made.get(node) as Record<string, unknown>;
    for (const [key, field] of Object.entries(node)) setField(copy, wellFormed(key), copyOf(field));
  }
  return whole;
}

function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * `value` with every string and key inside it well-formed [X6]; objects and arrays are changed in place.
 *
 * For values fresh from `JSON.parse`. Does not recurse, so depth is no limit.
 */
export function wellFormedDeep<T>(value: T): T {
  if (typeof value === "string") return wellFormed(value) as T;
  const open: unknown[] = [value];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const fields = node as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      const field = fields[key];
      const better = typeof field === "string" ? wellFormed(field) : field;
      const name = wellFormed(key);
      if (name !== key) delete fields[key];
      if (name !== key || better !== field) fields[name] = better;
      if (typeof better === "object") open.push(better);
    }
  }
  return value;
}
