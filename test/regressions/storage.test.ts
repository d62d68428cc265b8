import { appendFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scriptCounter } from "../../src/core/context/tokens.ts";
import { encodeEntry } from "../../src/core/session/codec.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { openSession } from "../../src/index.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { scriptedSummarizer } from "../../src/testing/index.ts";
import { bytesOf, chain, codes, fileOf, HEADER, message, pathIds, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
let files = 0;
const fresh = () => join(folder, `${++files}.jsonl`);

it("[ST-01] bad lines in the middle hide nothing after them", async () => {
  const entries = chain(21);
  const lines = entries.map(encodeEntry);
  const cut = (lines[10] as string).slice(0, -12);
  const bad = [cut, "\0".repeat(300), "", "null", "[]"];
  const file = fileOf(fresh(), [HEADER, ...lines.slice(0, 10), ...bad, ...lines.slice(11)]);
  const before = bytesOf(file);
  const store = await openJsonlStore(file);
  const others = entries.map(({ id }) => id).filter((id) => id !== "e10");
  expect(await pathIds(store)).toEqual(others);
  expect((await store.tree()).path("e20")).toEqual(others);
  expect(store.warnings.filter(({ code }) => code === "BAD_LINE").map(({ line }) => line)).toEqual([12, 13, 15, 16]);
  await store.close();
  expect(bytesOf(file)).toBe(before);
});

it("[ST-02] records glued by an interrupted append are both there, and an append to an open line starts a new one", async () => {
  const [a, b, c] = chain(3).map(encodeEntry) as [string, string, string];
  const glued = await openJsonlStore(fileOf(fresh(), [HEADER, a + b, c]));
  expect(await pathIds(glued)).toEqual(["e0", "e1", "e2"]);
  const torn = await openJsonlStore(fileOf(fresh(), [HEADER, a, `{"type":"mess${b}`, c]));
  expect(await pathIds(torn)).toEqual(["e0", "e1", "e2"]);
  const file = fileOf(fresh(), [HEADER, a, b], "");
  const open = await openJsonlStore(file);
  await open.append([message("e2", "e1")]);
  expect(bytesOf(file).split("\n")).toContain(c);
  const again = await openJsonlStore(file);
  expect(await pathIds(again)).toEqual(["e0", "e1", "e2"]);
  for (const store of [glued, torn, open, again]) await store.close();
});

it("[ST-04] two writers never mix: one lock for all names of a file, and no write over what another has added", async () => {
  const file = fileOf(fresh(), [HEADER, ...chain(2)]);
  const link = fresh();
  symlinkSync(file, link);
  const first = await openJsonlStore(file);
  await first.append([message("a", "e1")]);
  const second = await openJsonlStore(link);
  await expect(second.append([message("b", "a")])).rejects.toMatchObject({ code: "SESSION_LOCKED" });
  // A program that knows no lock.
  appendFileSync(file, `${encodeEntry(message("c", "a"))}\n`);
  const before = bytesOf(file);
  await expect(first.append([message("d", "a")])).rejects.toMatchObject({ code: "SESSION_CHANGED" });
  await expect(first.rewrite?.([message("e1", "e0", "pruned")])).rejects.toMatchObject({ code: "SESSION_CHANGED" });
  expect(bytesOf(file)).toBe(before);
  await first.close();
  await second.close();
});

it("[HP-04] twenty compactions of a session with images add ids and summaries, no image", async () => {
  const file = fresh();
  const settings = { contextWindow: 30_000, compaction: { keepRecentTokens: 3_000, reserveTokens: 1_000 } };
  const summarizer = scriptedSummarizer(Array.from({ length: 60 }, () => "## Goal\nLook at pictures."));
  const session = await openSession(file, { create: { cwd: "/" }, settings, summarizer });
  const image = { type: "image" as const, data: "iVBORw0KGgo".repeat(400), mimeType: "image/png" };
  let compacted = 0;
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 5; i++) {
      await session.append(
        { role: "user", content: [{ type: "text", text: `picture ${round}.${i}` }, image], timestamp: 0 },
        {
          role: "assistant",
          content: [{ type: "text", text: "seen ".repeat(40) }],
          stopReason: "stop",
          timestamp: 0,
        } as never,
      );
    }
    if ((await session.compact()).status === "compacted") compacted++;
  }
  await session.close();
  expect(compacted).toBe(20);
  const stored = bytesOf(file).trimEnd().split("\n");
  const compactions = stored.filter((line) => (JSON.parse(line) as Entry).type === "compaction");
  expect(compactions.some((line) => line.includes("iVBORw0KGgo"))).toBe(false);
  expect(Math.max(...compactions.map((line) => line.length))).toBeLessThan(10_000);
  const store = await openJsonlStore(file, { readOnly: true });
  expect(codes(store)).toEqual([]);
  await store.close();
});

it("[HP-05] a message is counted once, however often the size is asked for", async () => {
  const entries = chain(2_000);
  const file = fileOf(fresh(), [HEADER, ...entries]);
  let counted = 0;
  const counter = {
    name: "counting",
    count(text: string) {
      counted++;
      return scriptCounter.count(text);
    },
  };
  const session = await openSession(file, { counter });
  const first = session.measure().tokens;
  expect(first).toBeGreaterThan(2_000);
  const once = counted;
  for (let i = 0; i < 100; i++) {
    await session.append({ role: "user", content: `more ${i}`, timestamp: 0 });
    session.measure();
  }
  expect(counted - once).toBeLessThanOrEqual(300);
  await session.close();
});
