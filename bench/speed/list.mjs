import { linkSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { filesIn, sessionPlaces } from "../../dist/cli/discover/places.js";
import { sketch } from "../../dist/cli/discover/sketch.js";
import { cpu, median } from "./median.mjs";

const ROUNDS = 7;

/** Processor time in ms that one session takes in the list of the sessions on a machine with `count` like `file`. */
export function listRow(folder, file, count) {
  const place = join(folder, "sessions", "project");
  mkdirSync(place, { recursive: true });
  for (let i = 0; i < count; i++) linkSync(file, join(place, `${i}.jsonl`));
  const [pi] = sessionPlaces({ PI_CODING_AGENT_DIR: folder }, folder).filter(({ agent }) => agent === "pi");
  const times = Array.from({ length: ROUNDS }, () => {
    const start = cpu();
    const found = [...filesIn(pi, () => {})].map((path) => sketch(path, "pi"));
    if (found.length !== count) throw new Error(`${found.length} sessions were found, not ${count}`);
    return (cpu() - start) / count;
  });
  rmSync(place, { recursive: true });
  return median(times);
}
