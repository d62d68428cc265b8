import { expect, it } from "vitest";
import { Ids } from "../../../src/core/session/ids.ts";
import { Tree } from "../../../src/core/session/tree.ts";

// After each pair the hash is the same whichever of the two was taken; the last pair may follow itself.
const PAIRS = ["105zx1bpcd", "0k40p1c04a", "003zx0fpad", "09vl80apd6", "04pvu0b3ea", "05rnw0mpba", "07rnw0opba"];

/** 2 ** `pairs` ids that all have one hash. */
function colliding(pairs: number): string[] {
  let ids = [""];
  for (let nth = 0; nth < pairs; nth++) {
    const pair = PAIRS[Math.min(nth, PAIRS.length - 1)] as string;
    ids = ids.flatMap((id) => [id + pair.slice(0, 5), id + pair.slice(5)]);
  }
  return ids;
}

it("[S7] ids that were made to collide take no longer than others", { timeout: 30_000 }, () => {
  const ids = colliding(16);
  const tree = new Tree();
  ids.forEach((id, i) => {
    tree.add({ type: "message", id, parentId: ids[i - 1] ?? null });
  });
  expect([...tree.ids()].join()).toBe(ids.join());
  expect(tree.path(ids.at(-1) as string)).toHaveLength(ids.length);
  expect(tree.warnings).toEqual([]);
});

it("[S7] ids keep their numbers when they leave the table", () => {
  const others = Array.from({ length: 500 }, (_, i) => `ä漢${i}`);
  const all = [...others, ...colliding(10), "last"];
  const ids = new Ids();
  all.forEach((id, i) => {
    expect(ids.add(id)).toBe(i);
  });
  all.forEach((id, i) => {
    expect([ids.find(id), ids.add(id), ids.text(i)]).toEqual([i, i, id]);
  });
  expect(ids.find("unknown")).toBe(-1);
  const bytes = new TextEncoder().encode("x漢");
  expect([ids.addBytes(bytes, 0, bytes.length), ids.find("x漢"), ids.size]).toEqual([
    all.length,
    all.length,
    all.length + 1,
  ]);
});
