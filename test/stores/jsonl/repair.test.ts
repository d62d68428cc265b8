import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJsonlStore, repairFile } from "../../../src/stores/jsonl/index.ts";
import { fileOf, HEADER, ids, message, pathIds, tempFolder } from "./files.ts";

const folder = tempFolder();
let files = 0;
const fresh = () => join(folder, `${++files}.jsonl`);
const json = (value: unknown) => JSON.stringify(value);
const asideOf = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("repair", () => {
  it("[S6] leaves a clean file alone, odd but readable ones too", async () => {
    const path = fresh();
    writeFileSync(path, `\uFEFF${json(HEADER)}\r\n${json(message("a", null))}\r\n\n${json(message("b", "gone"))}`);
    const before = readFileSync(path);
    expect(await repairFile(path)).toEqual({ entries: 2, bad: [], split: [], reparented: [] });
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.bak`) || existsSync(`${path}.lock`)).toBe(false);
  });

  it("[S6] sets bad lines aside word for word, splits glued ones, keeps every other byte, and the old file", async () => {
    const path = fresh();
    const odd =
      '{"type":"message", "id":"c","parentId":"b","timestamp":"t","n":1.0,"message":{"role":"user","content":"c"}}';
    const lines = [
      json(HEADER),
      json(message("a", null)),
      "not json at all",
      json(message("b", "a")) + odd,
      `{"type":"mess${json(message("d", "c"))}`,
      "null",
      "\0".repeat(30),
      json({ type: "message", noId: true }),
      json(message("e", "d")),
    ];
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(`${lines.join("\n")}\n`), Buffer.from('{"type":"message","id":"torn"')]),
    );
    const before = readFileSync(path);
    const store = await openJsonlStore(path, { readOnly: true });
    const context = ids(await store.readPath("e"));
    await store.close();

    const preview = await repairFile(path, { dryRun: true });
    expect(readFileSync(path)).toEqual(before);
    const report = await repairFile(path);
    expect(report).toMatchObject(preview);
    expect(report.entries).toBe(5);
    expect(report.split).toEqual([4]);
    expect(report.bad.map(({ line, records }) => [line, records])).toEqual([
      [3, 0],
      [5, 1],
      [6, 0],
      [7, 0],
      [8, 0],
      [10, 0],
    ]);
    expect(asideOf(report.badFile as string).map(({ line, text }) => [line, text])).toEqual(
      [3, 5, 6, 7, 8].map((line) => [line, lines[line - 1]]).concat([[10, '{"type":"message","id":"torn"']]),
    );
    expect(readFileSync(report.backup as string)).toEqual(before);
    expect(readFileSync(path, "utf8")).toBe(
      `${[HEADER, message("a", null), message("b", "a")].map(json).join("\n")}\n${odd}\n${json(message("d", "c"))}\n${json(message("e", "d"))}\n`,
    );
    const again = await openJsonlStore(path);
    expect(await pathIds(again)).toEqual(context);
    await again.tree();
    expect(again.warnings).toEqual([]);
    await again.close();
    expect(await repairFile(path)).toMatchObject({ bad: [], split: [], reparented: [] });
  });

  it("[S6] re-attaches the children of what is lost: to its parent where its line tells it, else to the entry before", async () => {
    const path = fileOf(fresh(), [
      HEADER,
      message("a", null),
      message("b", "a"),
      '{"type":"message","id":"lost","parentId":"a","timestamp":"t","message":{"role":"us',
      message("c", "lost"),
      "\0\0\0\0",
      message("d", "unseen"),
      message("e", "d"),
    ]);
    const { reparented } = await repairFile(path);
    expect(reparented).toEqual([
      { id: "c", from: "lost", to: "a" },
      { id: "d", from: "unseen", to: "c" },
    ]);
    const store = await openJsonlStore(path);
    expect(await pathIds(store)).toEqual(["a", "c", "d", "e"]);
    expect((await store.tree()).warnings).toEqual([]);
    await store.close();
  });

  it("[S6] bytes that are no text are kept as base64; a second repair takes another name", async () => {
    const path = fresh();
    const bad = Buffer.from([0x7b, 0xff, 0xfe, 0x22]);
    const good = `${json(HEADER)}\n${json(message("a", null))}\n`;
    for (const name of [".bad.jsonl", ".bad.1.jsonl"]) {
      writeFileSync(path, Buffer.concat([Buffer.from(good), bad, Buffer.from("\n")]));
      const { badFile } = await repairFile(path);
      expect(badFile?.endsWith(name)).toBe(true);
      expect(asideOf(badFile as string)[0]).toMatchObject({ line: 3, base64: bad.toString("base64") });
      expect(readFileSync(path, "utf8")).toBe(good);
    }
  });

  it("[S4, S6] an old version keeps its lines and its version", async () => {
    const { version: _, ...header } = HEADER;
    const { id: _id, parentId: _parent, ...first } = message("x", null);
    const path = fileOf(fresh(), [header, first, "garbage", json(first) + json(first)]);
    expect(await repairFile(path)).toMatchObject({ entries: 3, split: [4], reparented: [] });
    expect(readFileSync(path, "utf8")).toBe(`${[header, first, first, first].map(json).join("\n")}\n`);
  });

  it("[S9] refuses a file that another program writes, and what is no session", async () => {
    const path = fileOf(fresh(), [HEADER, message("a", null), "garbage"]);
    const writer = await openJsonlStore(path);
    await writer.append([message("b", "a")]);
    const held = readFileSync(path);
    // The same process may not repair under its own open session either.
    await expect(repairFile(path)).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    expect(readFileSync(path)).toEqual(held);
    await writer.close();
    const other = fileOf(fresh(), ["garbage", { type: "note" }]);
    await expect(repairFile(other)).rejects.toMatchObject({ code: "NOT_A_SESSION" });
  });
});
