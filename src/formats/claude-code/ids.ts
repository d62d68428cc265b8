import { createHash } from "node:crypto";

/** Gives entry ids: 8 hexadecimal characters, the same for the same input, never one twice [I7]. */
export type TakeId = (seed: string) => string;

/** A fresh source of ids. A seed that is a uuid gives its first 8 digits, so that entries can be found in the original. */
export function idSource(): TakeId {
  const taken = new Set<string>();
  return (seed) => {
    let id = /^[0-9a-f]{8}-/.test(seed) ? seed.slice(0, 8) : digest(seed);
    for (let again = 1; taken.has(id); again++) id = digest(`${seed}#${again}`);
    taken.add(id);
    return id;
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
