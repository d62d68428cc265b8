import { closeSync, ftruncateSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { encodeEntry, encodeHeader } from "../../src/core/session/codec.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { openSession } from "../../src/index.ts";
import { openJsonlStore, writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { HEADER, message, tempFolder } from "./jsonl/files.ts";

// With ESPALIER_HUGE set the sizes are those of the worst files people have; bench/speed has them too.
const HUGE = process.env.ESPALIER_HUGE !== undefined;
const MANY = HUGE ? 1_000_000 : 50_000;
const DEEP = HUGE ? 100_000 : 20_000;
const LONG = HUGE ? 128 << 20 : 24 << 20;
const TIME = "2026-01-01T00:00:00.000Z";
const LIMIT = { timeout: 600_000 };
const folder = tempFolder();

function compaction(id: string, parentId: string, firstKeptEntryId: string): Entry {
  return {
    type: "compaction",
    id,
    parentId,
    timestamp: TIME,
    summary: "## Goal\nGo on.",
    firstKeptEntryId,
    tokensBefore: 9,
  };
}

function* lines(entries: Iterable<Entry>): Generator<string> {
  for (const entry of entries) yield encodeEntry(entry);
}

it("[S10] a session of more than 512 MB opens by its end, goes on, and is read by place", LIMIT, async () => {
  const file = join(folder, "holed.jsonl");
  const fd = openSync(file, "w");
  writeSync(fd, `${encodeHeader(HEADER)}\n`);
  // A hole costs no disk; it reads as one line that no string could hold.
  const holeEnd = 600 << 20;
  ftruncateSync(fd, holeEnd);
  const entries = [message("a", null), message("b", "a"), compaction("c", "b", "b"), message("d", "c")];
  writeSync(fd, `\n${entries.map(encodeEntry).join("\n")}\n`, holeEnd);
  closeSync(fd);
  expect(statSync(file).size).toBeGreaterThan(512 << 20);

  const session = await openSession(file);
  expect((await session.context()).messages.map(({ entryId }) => entryId)).toEqual(["c", "b", "d"]);
  await session.append({ role: "user", content: "go on", timestamp: 0 });
  expect((await session.store.tree()).size).toBe(5);
  expect(session.store.warnings).toMatchObject([{ code: "BAD_LINE", line: 2 }]);
  await session.close();
});

it("[S10] a huge line costs no more than its bytes: open, tree, explain, context, append", LIMIT, async () => {
  const file = join(folder, "long.jsonl");
  const entries = [
    message("a", null),
    message("b", "a", "x".repeat(LONG)),
    compaction("c", "b", "c"),
    message("d", "c"),
  ];
  await writeSessionFile(file, HEADER, lines(entries));
  const session = await openSession(file);
  expect((await session.context()).messages.map(({ entryId }) => entryId)).toEqual(["c", "d"]);
  expect((await session.store.tree()).path("d")).toEqual(["a", "b", "c", "d"]);
  expect((await session.explain()).entries.map(({ fate }) => fate)).toEqual([
    "summarised",
    "summarised",
    "verbatim",
    "verbatim",
  ]);
  await session.append({ role: "user", content: "go on", timestamp: 0 });
  await session.close();
});

it("[S10] many entries: open, tree, context; nothing is quadratic", LIMIT, async () => {
  const file = join(folder, "many.jsonl");
  function* made(): Generator<Entry> {
    for (let i = 0; i < MANY; i++) {
      const parent = i === 0 ? null : `e${i - 1}`;
      if (i === MANY - 4) yield compaction(`e${i}`, parent as string, `e${i - 2}`);
      else yield message(`e${i}`, parent, "short");
    }
  }
  await writeSessionFile(file, HEADER, lines(made()));
  const session = await openSession(file);
  expect((await session.context()).messages).toHaveLength(6);
  const tree = await session.store.tree();
  expect(tree.size).toBe(MANY);
  expect(tree.path(`e${MANY - 1}`)).toHaveLength(MANY);
  for (let i = 0; i < 200; i++) await session.append({ role: "user", content: `more ${i}`, timestamp: 0 });
  expect(tree.size).toBe(MANY + 200);
  await session.close();
});

it("[S7, S10] a deep session without a compaction: tree, context, explain, compact", LIMIT, async () => {
  const file = join(folder, "deep.jsonl");
  const role = (i: number) => (i % 2 === 0 ? "user" : "assistant");
  const header = encodeHeader(HEADER);
  const all = Array.from({ length: DEEP }, (_, i) => {
    const base = { id: `e${i}`, parentId: i === 0 ? null : `e${i - 1}`, timestamp: TIME };
    const content = [{ type: "text", text: `entry ${i}` }];
    return JSON.stringify({ type: "message", ...base, message: { role: role(i), content, stopReason: "stop" } });
  });
  writeFileSync(file, `${[header, ...all].join("\n")}\n`);
  const session = await openSession(file, { settings: { contextWindow: 16_000 } });
  expect((await session.context()).messages).toHaveLength(DEEP);
  expect((await session.explain()).entries).toHaveLength(DEEP);
  const outcome = await session.compact();
  expect(outcome.status).toBe("compacted");
  expect((await session.context()).messages.length).toBeLessThan(DEEP);
  await session.close();
  const again = await openJsonlStore(file, { readOnly: true });
  expect((await again.tree()).path(again.position().leafId)).toHaveLength(DEEP + 1);
  await again.close();
});
