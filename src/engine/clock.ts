import type { Clock } from "../ports/clock.ts";

const ID_BYTES = 6;
/** Random bytes for many ids at once: each call to the system for some costs more than the id. */
const random = new Uint8Array(ID_BYTES * 128);
let used = random.length;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The machine's time and random ids. */
export const systemClock: Clock = {
  now: () => Date.now(),
  newId() {
    if (used === random.length) {
      globalThis.crypto.getRandomValues(random);
      used = 0;
    }
    let id = "";
    for (const end = used + ID_BYTES; used < end; used++) id += HEX[random[used] as number];
    return id;
  },
};

/**
 * A clock whose time and ids follow from what it is given, so that two runs over the same content write the same bytes [I7].
 *
 * `seed` is usually the leaf's id, `isoTime` its timestamp; an unreadable time counts as the epoch.
 */
export function contentClock(seed: string, isoTime: string): Clock {
  const start = Date.parse(isoTime);
  let time = Number.isFinite(start) ? start : 0;
  let calls = 0;
  return {
    now: () => ++time,
    newId: () => {
      const text = `${seed}:${calls++}`;
      return hex8(hash32(text)) + hex8(hash32(`${text}!`)).slice(0, 4);
    },
  };
}

function hex8(n: number): string {
  return n.toString(16).padStart(8, "0");
}

/** FNV-1a with a final mix: short, well spread, and the same everywhere. */
function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
