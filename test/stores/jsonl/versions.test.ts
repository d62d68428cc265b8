import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { haveSessions, realSessions, SESSIONS } from "../../real-sessions.ts";
import { bytesOf, codes, fileOf, HEADER, ids, message, pathIds, streamIds, tempFolder } from "./files.ts";

const folder = tempFolder();
let made = 0;
const path = () => join(folder, `${made++}.jsonl`);

const V1 = [
  { type: "session", id: "old", timestamp: "t", cwd: "/", provider: "p" },
  { type: "message", timestamp: "t", message: { role: "user", content: "one" } },
  "this line is broken",
  { type: "message", timestamp: "t", message: { role: "hookMessage", customType: "x", content: "two" } },
  {
    type: "message",
    timestamp: "t",
    message: { role: "assistant", content: [{ type: "toolCall", partialJson: "{" }] },
  },
  { type: "compaction", timestamp: "t", summary: "s", firstKeptEntryIndex: 2, tokensBefore: 9 },
  { type: "compaction", timestamp: "t", summary: "s", firstKeptEntryIndex: 0, tokensBefore: 9 },
  { type: "future", timestamp: "t", x: { y: 1 } },
];

describe("versions 1 and 2", () => {
  it("[S4] migrate on load to the same ids each time, and leave the file as it is", async () => {
    const file = fileOf(path(), V1);
    const before = bytesOf(file);
    const first = await openJsonlStore(file);
    const second = await openJsonlStore(file);
    const path1 = await first.readPath(first.position().leafId);
    expect(await second.readPath(second.position().leafId)).toEqual(path1);
    expect(path1.length).toBe(6);
    expect(path1.every(({ id }) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(path1.map(({ parentId }) => parentId)).toEqual([null, ...ids(path1).slice(0, -1)]);
    expect(path1[1]).toMatchObject({ message: { role: "custom", customType: "x" } });
    expect(path1[2]).toMatchObject({ message: { content: [{ partialJson: "{" }] } });
    expect(path1[3]).toMatchObject({ firstKeptEntryId: path1[1]?.id });
    expect(path1[3]).not.toHaveProperty("firstKeptEntryIndex");
    expect(path1[4]).toMatchObject({ firstKeptEntryId: path1[4]?.id });
    expect(path1[5]).toMatchObject({ type: "future", x: { y: 1 } });
    expect(codes(first)).toEqual(["BAD_LINE"]);
    expect(await streamIds(first)).toEqual(ids(path1));
    expect([...(await first.tree()).ids()]).toEqual(ids(path1));
    expect(first.header.version).toBeUndefined();
    await Promise.all([first.close(), second.close()]);
    expect(bytesOf(file)).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file)))).toEqual([basename(file)]);
  });

  it("[S4] the first append writes the migrated file and keeps the old one as .bak, over no other", async () => {
    const file = fileOf(path(), V1);
    const before = bytesOf(file);
    writeFileSync(`${file}.bak`, "precious");
    const store = await openJsonlStore(file);
    const old = await store.readPath(store.position().leafId);
    const last = ids(old).at(-1) as string;
    await store.append([message("new1", last), message("new2", "new1")]);
    expect(store.header.version).toBe(3);
    expect(readFileSync(`${file}.bak`, "utf8")).toBe("precious");
    expect(bytesOf(`${file}.bak.1`)).toBe(before);
    const expected = [...ids(old), "new1", "new2"];
    expect(await pathIds(store)).toEqual(expected);
    await store.append([message("new3", "new2")]);
    await store.close();
    const again = await openJsonlStore(file);
    expect(again.header).toMatchObject({ version: 3, id: "old", provider: "p" });
    expect(await again.readPath("new3")).toEqual([...old, ...(await again.read(["new1", "new2", "new3"]))]);
    expect(again.warnings).toEqual([]);
    await again.close();
    expect(readdirSync(folder).filter((name) => name.includes(".tmp") || name.endsWith(".lock"))).toEqual([]);
  });

  it("[S4] version 2 keeps its ids and tree", async () => {
    const hook = { ...message("b", "a"), message: { role: "hookMessage", customType: "x", content: "c" } };
    const file = fileOf(path(), [{ ...HEADER, version: 2 }, message("a", null), hook, message("c", "a")]);
    const store = await openJsonlStore(file);
    expect(await pathIds(store)).toEqual(["a", "c"]);
    expect(await store.read(["b"])).toMatchObject([{ message: { role: "custom" } }]);
    await store.append([message("d", "c")]);
    expect((await store.tree()).children("a")).toEqual(["b", "c"]);
    expect(existsSync(`${file}.bak`)).toBe(true);
    await store.close();
  });

  it("[S4] files that pi migrated, with id and parent at the end of a line, are read by place too", async () => {
    const at = (id: string, parentId: string | null) => {
      const { id: _, parentId: __, ...rest } = message(id, parentId);
      return { ...rest, id, parentId };
    };
    const store = await openJsonlStore(fileOf(path(), [HEADER, at("a1", null), at("b2", "a1"), at("c3", "a1")]));
    expect(await pathIds(store)).toEqual(["a1", "c3"]);
    const tree = await store.tree();
    expect(tree.children("a1")).toEqual(["b2", "c3"]);
    expect(tree.get("b2")).toEqual({ id: "b2", parentId: "a1", type: "message", role: "user" });
    await store.close();
  });

  it("[S4] a newer version opens for reading only, with a warning", async () => {
    const file = fileOf(path(), [{ ...HEADER, version: 4 }, message("a", null)]);
    const before = bytesOf(file);
    const store = await openJsonlStore(file);
    expect(store.readOnly).toBe(true);
    expect(codes(store)).toEqual(["VERSION_TOO_NEW"]);
    expect(await pathIds(store)).toEqual(["a"]);
    await expect(store.append([message("b", "a")])).rejects.toMatchObject({ code: "VERSION_TOO_NEW" });
    await store.close();
    expect(bytesOf(file)).toBe(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

describe("real version 1 sessions against pi 0.73.1", () => {
  interface Facts {
    parsedEntries: number;
    skippedMalformed: number;
    compactions: { at: number; firstKeptEntryIndex: number | null }[];
  }
  const oracle: Record<string, Facts> = haveSessions
    ? JSON.parse(readFileSync(`${SESSIONS}/pi/ORACLE-pi-0.73.1.json`, "utf8")).files
    : {};

  for (const file of realSessions("pi")) {
    const name = basename(file);
    it(`[S4] ${name} gives pi's entries and compactions, and what pi loses on glued lines`, async () => {
      const facts = oracle[`sessions/pi/${name}`] as Facts;
      const store = await openJsonlStore(file, { readOnly: true });
      const entries = await store.readPath(store.position().leafId);
      // pi counts the header, and loses both records of a glued line.
      expect(entries.length).toBe(facts.parsedEntries - 1 + 2 * facts.skippedMalformed);
      expect(new Set(ids(entries)).size).toBe(entries.length);
      for (const { at, firstKeptEntryIndex } of facts.compactions) {
        expect(entries[at - 1]).toMatchObject({
          type: "compaction",
          firstKeptEntryId: entries[(firstKeptEntryIndex as number) - 1]?.id,
        });
      }
      expect(codes(store)).toEqual([]);
      await store.close();
    });
  }
  it.skipIf(haveSessions)("[S4] real sessions are not at hand here", () => {});
});
