import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../dist/index.js";
import { openJsonlStore } from "../../dist/stores/jsonl/index.js";
import { nthId } from "./make-session.mjs";
import { median } from "./median.mjs";

const timestamp = "2026-01-01T00:00:00.000Z";
const create = { type: "session", version: 3, id: "bench", timestamp, cwd: "/" };
const messageOf = (i) => ({
  role: "toolResult",
  toolCallId: `call_${i}`,
  toolName: "bash",
  content: [{ type: "text", text: `${"if (done) return; ".repeat(3)}\n`.repeat(34) }],
  isError: false,
});
const entryOf = (i) => {
  const parentId = i === 0 ? null : nthId(i - 1);
  return { type: "message", id: nthId(i), parentId, timestamp, message: messageOf(i) };
};

/** Medians in µs of one append of an entry of 2 kB, beside the bare system calls; each kind in turn, on one disk. */
export async function appendRow(folder, fsync, count) {
  const file = join(folder, `append-${fsync}.jsonl`);
  const store = await openJsonlStore(file, { create, fsync });
  const fds = [openSync(`${file}.raw`, "a"), openSync(`${file}.encoded`, "a")];
  const forced = (fd, data) => {
    writeSync(fd, data);
    if (fsync === "always") fdatasyncSync(fd);
  };
  const times = { append: [], encoded: [], raw: [] };
  const kinds = [
    (entry) => timed(times.append, () => store.append([entry])),
    (_, bytes) => timed(times.raw, () => forced(fds[0], bytes)),
    (entry) => timed(times.encoded, () => forced(fds[1], `${JSON.stringify(entry)}\n`)),
  ];
  for (let i = 0; i < count; i++) {
    const entry = entryOf(i);
    const bytes = Buffer.from(`${JSON.stringify(entry)}\n`);
    // Each kind comes first, second and third equally often: whoever follows a forced write finds a busier disk.
    for (let nth = 0; nth < kinds.length; nth++) await kinds[(i + nth) % kinds.length](entry, bytes);
  }
  for (const fd of fds) closeSync(fd);
  await store.close();
  for (const name of [file, `${file}.raw`, `${file}.encoded`]) rmSync(name);
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/**
 * What a turn of an open session costs beside its two appends, in µs: the entries taken in, and the measure. As many
 * turns go before those that count, until the code is compiled.
 */
export async function turnRow(file, count) {
  const store = await openJsonlStore(file);
  const session = await openSession(store);
  await store.tree();
  const inner = store.append;
  let written = 0;
  // The same append to the same file, its own time taken out.
  Object.defineProperty(store, "append", {
    value: async (entries) => {
      const start = process.hrtime.bigint();
      await inner.call(store, entries);
      written += Number(process.hrtime.bigint() - start) / 1000;
    },
  });
  session.measure();
  const times = [];
  for (let i = 0; i < 2 * count; i++) {
    written = 0;
    const answer = { role: "assistant", content: [{ type: "text", text: `answer ${i}` }], stopReason: "stop" };
    const start = process.hrtime.bigint();
    await session.append({ role: "user", content: `question ${i}`, timestamp: 0 });
    await session.append({ ...answer, timestamp: 0 });
    session.measure();
    times.push(Number(process.hrtime.bigint() - start) / 1000 - written);
  }
  await session.close();
  return median(times.slice(count));
}

/** Waits only for promises, so that the bare calls are not charged with one. */
async function timed(row, task) {
  const start = process.hrtime.bigint();
  const done = task();
  if (done) await done;
  row.push(Number(process.hrtime.bigint() - start) / 1000);
}
