const LONE_SURROGATE = /\p{Surrogate}/gu;

/** `text` with every lone surrogate replaced by U+FFFD; surrogate pairs stay [X6]. */
export function wellFormed(text: string): string {
  // Replacing is slow, also where there is nothing to replace.
  return text.isWellFormed() ? text : text.replace(LONE_SURROGATE, "\uFFFD");
}

/**
 * A copy of `value` as it will be read back [I3]: every string and key is well-formed [X6], and nobody else holds any of it.
 *
 * What has a `toJSON` is what that gives. Depth is no limit; a cycle stays one.
 */
export function storedCopy<T extends object>(value: T): T {
  const copy = shallowCopy(value, LEVELS);
  return (copy === TOO_DEEP ? deepCopy(value) : copy) as T;
}

/** As deep as messages are; what goes on beyond may be a cycle. */
const LEVELS = 16;
const TOO_DEEP = Symbol();

function shallowCopy(field: unknown, levels: number): unknown {
  const value = jsonOf(field);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  const fields = value as Record<string, unknown>;
  const copy = emptyLike(value);
  for (const key of Object.keys(fields)) {
    const copied = shallowCopy(fields[key], levels - 1);
    if (copied === TOO_DEEP) return TOO_DEEP;
    setField(copy, wellFormed(key), copied);
  }
  return copy;
}

/** The same for any depth: it does not recurse, and knows what it has met. */
function deepCopy(value: unknown): unknown {
  const made = new Map<object, Record<string, unknown>>();
  const open: object[] = [];
  const copyOf = (field: unknown): unknown => {
    const given = jsonOf(field);
    if (typeof given !== "object" || given === null) return given;
    let copy = made.get(given);
    if (!copy) {
      copy = emptyLike(given);
      made.set(given, copy);
      open.push(given);
    }
    return copy;
  };
  const whole = copyOf(value);
  for (let node = open.pop(); node; node = open.pop()) {
    const copy = made.get(node) as Record<string, unknown>;
    for (const [key, field] of Object.entries(node)) setField(copy, wellFormed(key), copyOf(field));
  }
  return whole;
}

function jsonOf(field: unknown): unknown {
  if (typeof field === "string") return wellFormed(field);
  if (typeof field !== "object" || field === null) return field;
  const { toJSON } = field as { toJSON?: unknown };
  if (typeof toJSON !== "function") return field;
  const given: unknown = toJSON.call(field);
  return typeof given === "string" ? wellFormed(given) : given;
}

function emptyLike(value: object): Record<string, unknown> {
  return (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
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
