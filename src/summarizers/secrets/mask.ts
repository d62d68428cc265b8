import type { FindSecrets } from "./secret.ts";

/** Texts without their secrets, and the way back. */
export interface Masked {
  readonly texts: readonly string[];
  /** How many different secrets there are. */
  readonly secrets: number;
  /** `text` with the placeholders resolved; only for what stays on this machine. */
  restore(text: string): string;
}

/** A value found by its surroundings is looked for elsewhere too, for so many of them. */
const MOST_ELSEWHERE = 100;
const SHORTEST_ELSEWHERE = 8;
const PLACEHOLDER = /\[secret-\d+:[a-z0-9-]+\]/g;

/**
 * The texts of one request with each secret replaced by a placeholder, `[secret-1:github]` [M3].
 *
 * The same value has the same placeholder in all of them, also where nothing but the value shows that it is one. A
 * placeholder that stands in the texts already is left as it is and never resolved.
 */
export async function maskSecrets(texts: readonly string[], find: FindSecrets): Promise<Masked> {
  const taken = new Set(texts.flatMap((text) => text.match(PLACEHOLDER) ?? []));
  const placeholders = new Map<string, string>();
  let number = 0;
  const placeholderOf = (value: string, kind: string): string => {
    const known = placeholders.get(value);
    if (known !== undefined) return known;
    let made: string;
    do made = `[secret-${++number}:${kind}]`;
    while (taken.has(made));
    placeholders.set(value, made);
    return made;
  };
  const masked: string[] = [];
  for (const text of texts) {
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, kind } of await find(text)) {
      parts.push(text.slice(at, start), placeholderOf(text.slice(start, end), kind));
      at = end;
    }
    parts.push(text.slice(at));
    masked.push(parts.join(""));
  }
  const values = new Map([...placeholders].map(([value, placeholder]) => [placeholder, value]));
  return {
    texts: masked.map((text) => elsewhere(text, placeholders)),
    secrets: placeholders.size,
    restore: (text) => text.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder),
  };
}

function elsewhere(text: string, placeholders: ReadonlyMap<string, string>): string {
  let result = text;
  let looked = 0;
  for (const [value, placeholder] of placeholders) {
    // A value that looks like part of a placeholder would take the others apart.
    if (value.length < SHORTEST_ELSEWHERE || value.startsWith("secret-") || looked++ >= MOST_ELSEWHERE) continue;
    if (result.includes(value)) result = result.split(value).join(placeholder);
  }
  return result;
}
