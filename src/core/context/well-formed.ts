import { wellFormed } from "./text.ts";

/** Deeper than any real tool call; what lies below is replaced so that nothing overflows the stack. */
const MAX_DEPTH = 200;

/** A JSON value with all its keys and strings well-formed [X6]; the same value when they already are. */
export function wellFormedValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[nested too deep]";
  if (Array.isArray(value)) {
    const items = value.map((item) => wellFormedValue(item, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  let changed = false;
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const cleanKey = wellFormed(key);
    const clean = wellFormedValue(field, depth + 1);
    changed ||= cleanKey !== key || clean !== field;
    fields.push([cleanKey, clean]);
  }
  return changed ? Object.fromEntries(fields) : value;
}
