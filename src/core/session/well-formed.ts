const LONE_SURROGATE = /\p{Surrogate}/gu;
const SURROGATE = /\p{Surrogate}/u;

/** `text` with every lone surrogate replaced by U+FFFD; surrogate pairs stay [X6]. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}

/** True when no string and no key inside `value` holds a lone surrogate. Depth and cycles are no limit. */
export function isWellFormed(value: unknown): boolean {
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node === "string" && SURROGATE.test(node)) return false;
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const [key, field] of Object.entries(node)) {
      if (SURROGATE.test(key)) return false;
      open.push(field);
    }
  }
  return true;
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
