import { editDistance } from "../core/settings.ts";

/** The `limit` names most like `wanted`, best first: those that start like it, then by edit distance. */
export function nearest(wanted: string, names: Iterable<string>, limit = 1): string[] {
  const best: { name: string; distance: number }[] = [];
  for (const name of names) {
    const starts = wanted.length >= 2 && (name.startsWith(wanted) || wanted.startsWith(name));
    const distance = starts ? 0 : editDistance(wanted, name);
    const worst = best.at(-1);
    if (best.length === limit && worst && distance >= worst.distance) continue;
    if (best.length === limit) best.pop();
    best.push({ name, distance });
    best.sort((a, b) => a.distance - b.distance);
  }
  return best.map(({ name }) => name);
}
