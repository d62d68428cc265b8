import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const EXAMPLE = new URL("../../examples/session/espalier.jsonl", import.meta.url);
const KEPT_CHARACTERS = 80_000;
const BLOCK = 4 << 20;

/** The number of entries in a new session file of about `bytes`: the example session over and over, with new ids. */
export function makeSession(path, bytes, { compacted = true } = {}) {
  const [header, ...example] = readFileSync(EXAMPLE, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const round = example.filter(({ type }) => type === "message");
  const file = writer(path);
  file.line({ type: "session", version: 3, id: "bench", timestamp: header.timestamp, cwd: "/work" });
  let parentId = null;
  let count = 0;
  // Entries of one kind in pi's key order; a compaction ends each round, as in a session that goes on for weeks.
  const add = ({ type, timestamp, id: _, parentId: __, ...fields }) => {
    const id = nthId(count++);
    file.line({ type, id, parentId, timestamp, ...fields });
    parentId = id;
    return id;
  };
  for (let nth = 0; file.size < bytes; nth++) {
    const ids = round.map((entry) => add(renamed(entry, nth)));
    if (compacted) add(compactionOf(round, ids));
  }
  // Some messages after the newest compaction, so that there is something to show.
  for (const entry of round.slice(0, 8)) add(renamed(entry, "last"));
  file.close();
  return count;
}

/** A file of many small entries in one chain; with `flat` all of them are children of the first. */
export function makeMany(path, entries, { flat = false } = {}) {
  const file = writer(path);
  const timestamp = "2026-01-01T00:00:00.000Z";
  file.line({ type: "session", version: 3, id: "bench", timestamp, cwd: "/work" });
  for (let i = 0; i < entries; i++) {
    const parentId = i === 0 ? null : nthId(flat ? 0 : i - 1);
    const message = i % 2 === 0 ? { role: "user", content: `question ${i}` } : answer(i);
    file.line({ type: "message", id: nthId(i), parentId, timestamp, message });
  }
  file.close();
}

/** A file whose middle entry is one line of about `bytes`. */
export function makeLong(path, bytes) {
  const file = writer(path);
  const timestamp = "2026-01-01T00:00:00.000Z";
  file.line({ type: "session", version: 3, id: "bench", timestamp, cwd: "/work" });
  const contents = ["first", "x".repeat(bytes), "last"];
  contents.forEach((content, i) => {
    const parentId = i === 0 ? null : nthId(i - 1);
    file.line({ type: "message", id: nthId(i), parentId, timestamp, message: { role: "user", content } });
  });
  file.close();
}

/** Eight hexadecimal digits, different for each n below 2^32, in no order. */
export function nthId(n) {
  return (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
}

const answer = (i) => ({ role: "assistant", content: [{ type: "text", text: `answer ${i}` }], stopReason: "stop" });

/** Call ids are unique in a session: providers refuse others. */
function renamed(entry, nth) {
  const text = JSON.stringify(entry);
  return JSON.parse(text.replace(/"(toolCallId|id)":"((?:call|toolu)[^"]*)"/g, `"$1":"$2_${nth}"`));
}

function compactionOf(round, ids) {
  let first = round.length;
  for (let size = 0; first > 0 && size < KEPT_CHARACTERS; first--) size += JSON.stringify(round[first - 1]).length;
  while (first < round.length - 1 && round[first].message.role !== "user") first++;
  return {
    type: "compaction",
    timestamp: round.at(-1).timestamp,
    summary: `## Goal\n${"Keep long sessions usable. ".repeat(200)}`,
    firstKeptEntryId: ids[first],
    tokensBefore: 180_000,
    details: { readFiles: [], modifiedFiles: [] },
  };
}

function writer(path) {
  const fd = openSync(path, "w");
  let held = [];
  let heldSize = 0;
  const file = {
    size: 0,
    line(value) {
      const text = `${JSON.stringify(value)}\n`;
      held.push(text);
      heldSize += text.length;
      file.size += text.length;
      if (heldSize > BLOCK) flush();
    },
    close() {
      flush();
      closeSync(fd);
    },
  };
  function flush() {
    const bytes = Buffer.from(held.join(""));
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    held = [];
    heldSize = 0;
  }
  return file;
}
