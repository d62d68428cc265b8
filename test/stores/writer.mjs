// A process that writes to a session until it is killed: node writer.mjs append|rewrite FILE
import { writeSync } from "node:fs";
import { openJsonlStore } from "../../dist/stores/jsonl/index.js";
import { entryAt } from "./steady-entries.mjs";

const [, , what, file] = process.argv;
const STDOUT = 1;
const store = await openJsonlStore(file, { fsync: "always" });
const { tipId } = store.position();
const next = tipId === null ? 0 : Number(tipId.slice(1)) + 1;

// What is printed has been acknowledged; printing is one system call, so it is out before anything else happens.
if (what === "append") {
  for (let i = next; ; ) {
    const batch = Array.from({ length: 1 + (i % 3) }, (_, nth) => entryAt(i + nth));
    await store.append(batch);
    i += batch.length;
    writeSync(STDOUT, `${i}\n`);
  }
} else {
  for (let round = 0; ; round++) {
    const { message, ...entry } = entryAt(2 * (round % 4));
    await store.rewrite([{ ...entry, message: { ...message, content: `pruned in round ${round} of ${process.pid}` } }]);
    writeSync(STDOUT, `${round + 1}\n`);
  }
}
