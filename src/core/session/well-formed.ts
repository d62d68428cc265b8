const LONE_SURROGATE = /\p{Surrogate}/gu;

/** `text` with every lone surrogate replaced by U+FFFD; surrogate pairs stay [X6]. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
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
