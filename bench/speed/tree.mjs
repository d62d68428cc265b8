import { closeSync, openSync, readSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openJsonlStore } from "../../dist/stores/jsonl/index.js";
import { cpu, median } from "./median.mjs";

const ROUNDS = 9;
/** Rounds until the code is compiled. */
const WARM = 16;
const CHUNK = 4 << 20;
const LF = 10;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/**
 * Processor time in ms of the whole tree's metadata, of parsing each line, and of reading and finding newlines.
 *
 * One session stays open, as in a program that uses sessions. Each starts without the garbage of the one before.
 */
export async function treeRow(file) {
  const times = { tree: [], parse: [], read: [] };
  const timed = async (row, task) => {
    collect();
    const start = cpu();
    await task();
    row.push(cpu() - start);
  };
  const kept = await openJsonlStore(file, { readOnly: true });
  await kept.tree();
  for (let round = 0; round < WARM + ROUNDS; round++) {
    await timed(times.tree, async () => {
      const store = await openJsonlStore(file, { readOnly: true });
      await store.tree();
      await store.close();
    });
    if (round % 2 === 0) await timed(times.parse, () => eachLine(file, (bytes) => JSON.parse(bytes.toString("utf8"))));
    await timed(times.read, () => eachLine(file, () => {}));
  }
  await kept.close();
  return {
    tree: median(times.tree.slice(WARM)),
    parse: median(times.parse.slice(WARM / 2)),
    read: median(times.read.slice(WARM)),
  };
}

/** The plainest reader of lines: the limit for whoever looks at all of a file. */
function eachLine(file, onLine) {
  const fd = openSync(file, "r");
  let buffer = Buffer.allocUnsafe(CHUNK);
  let held = 0;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const got = readSync(fd, buffer, held, buffer.length - held, null);
    if (got === 0) break;
    const chunk = buffer.subarray(0, held + got);
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      if (at > start) onLine(chunk.subarray(start, at));
      start = at + 1;
    }
    buffer.copy(buffer, 0, start, chunk.length);
    held = chunk.length - start;
  }
  closeSync(fd);
}
