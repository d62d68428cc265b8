import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { bytesOf, chain, codes, fileOf, HEADER, ids, message, pathIds, streamIds, tempFolder } from "./files.ts";

const folder = tempFolder();
let made = 0;
const path = () => join(folder, `${made++}.jsonl`);

describe("what is no session", () => {
  const cases: [string, string | Buffer, string][] = [
    ["an empty file", "", "is empty"],
    ["a binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255, 254, 0]), "holds no session header"],
    ["a JSON object", '{"name": "x"}\n', "no session header"],
    ["a pretty-printed JSON", '{\n  "name": "x"\n}\n', "no session header"],
    ["a JSON array", "[1, 2]\n", "no session header"],
    ["entries without a header", `${JSON.stringify(message("a", null))}\n`, "no session header"],
    ["a header that was cut off", '{"type":"session","version":3,"id":"s', "no session header"],
    ["a header without an id", '{"type":"session","version":3}\n', "no session header"],
    ["blank lines", "\n\n  \n", "holds no session header"],
  ];
  for (const [name, content, why] of cases) {
    it(`[S6] ${name} is rejected and never written over`, async () => {
      const file = path();
      writeFileSync(file, content);
      await expect(openJsonlStore(file)).rejects.toMatchObject({
        code: "NOT_A_SESSION",
        message: expect.stringContaining(why),
        data: { path: file },
      });
      await expect(openJsonlStore(file, { create: HEADER })).rejects.toMatchObject({ code: "OUT_EXISTS" });
      expect(readFileSync(file)).toEqual(Buffer.from(content));
    });
  }

  it("[S6] a missing file, a folder and a path through a file are told apart", async () => {
    const file = fileOf(path(), [HEADER]);
    mkdirSync(join(folder, "dir.jsonl"));
    await expect(openJsonlStore(path())).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(openJsonlStore(join(file, "x"))).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(openJsonlStore(join(folder, "dir.jsonl"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    symlinkSync(join(folder, "loop.jsonl"), join(folder, "loop.jsonl"));
    await expect(openJsonlStore(join(folder, "loop.jsonl"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("bad lines", () => {
  it("[S6] are reported with number and reason, and the lines after them still load", async () => {
    const [a, b, c] = chain(3).map((entry) => JSON.stringify(entry)) as [string, string, string];
    const lines = [
      JSON.stringify(HEADER),
      a,
      b.slice(0, 100),
      "\0".repeat(300),
      "",
      "null",
      "[]",
      "{}",
      '{"type":"x"}',
    ];
    const file = fileOf(path(), [...lines, c, "no json"]);
    const store = await openJsonlStore(file);
    expect(await streamIds(store)).toEqual(["e0", "e2"]);
    const found = store.warnings.filter(({ code }) => code === "BAD_LINE");
    expect(found.map(({ line }) => line)).toEqual([3, 4, 6, 7, 8, 9, 11]);
    expect(found.map(({ message: text }) => text.replace(/^.*jsonl /, ""))).toEqual([
      "is cut off.",
      "holds NUL bytes and nothing else.",
      "is not an object.",
      "is not an object.",
      "has no type.",
      "has no id.",
      "is not JSON.",
    ]);
    await store.close();
  });

  it("[S6] a tail read reports a bad line by its place, a full one by its number, each once", async () => {
    const [a, b] = chain(2);
    const file = fileOf(path(), [HEADER, a, "oops", b]);
    const store = await openJsonlStore(file);
    expect(await pathIds(store)).toEqual(["e0", "e1"]);
    expect(store.warnings).toMatchObject([{ code: "BAD_LINE", message: expect.stringContaining("at byte") }]);
    expect(store.warnings[0]?.line).toBeUndefined();
    await store.tree();
    expect(store.warnings).toMatchObject([{ code: "BAD_LINE", line: 3 }]);
    await store.close();
  });

  it("[S7] children of a line cut off behind its parent's id go to that parent", async () => {
    const lines = chain(4).map((entry) => JSON.stringify(entry));
    lines[2] = lines[2]?.slice(0, 100) as string;
    const file = fileOf(path(), [HEADER, ...lines]);
    const tail = await openJsonlStore(file);
    expect(await pathIds(tail)).toEqual(["e0", "e1", "e3"]);
    const full = await openJsonlStore(file);
    const tree = await full.tree();
    expect(tree.path("e3")).toEqual(["e0", "e1", "e3"]);
    expect(await pathIds(full)).toEqual(["e0", "e1", "e3"]);
    await Promise.all([tail.close(), full.close()]);
  });

  it("[S6] glued records are split, whatever stands in their strings", async () => {
    const [a, b, c, d] = [
      message("a", null, 'braces }{ and {"type":"message","id":"x","parentId":null} and a quote " inside'),
      message("b", "a"),
      message("c", "b", "\\\\"),
      message("d", "c"),
    ].map((entry) => JSON.stringify(entry));
    for (const lines of [
      [JSON.stringify(HEADER) + a, `${b}${c}`, d],
      [HEADER, `${a}${b}${c}${d}`],
      [HEADER, `${a} ${b}`, `${c}\0\0${d}`],
      [HEADER, a, b, `${c}${d}`],
    ]) {
      const file = fileOf(path(), lines);
      const tail = await openJsonlStore(file);
      expect(await pathIds(tail)).toEqual(["a", "b", "c", "d"]);
      expect(await streamIds(tail)).toEqual(["a", "b", "c", "d"]);
      const full = await openJsonlStore(file);
      expect([...(await full.tree()).ids()]).toEqual(["a", "b", "c", "d"]);
      expect(ids(await full.read(["d", "a"]))).toEqual(["d", "a"]);
      await Promise.all([tail.close(), full.close()]);
    }
  });

  it("[S6] a whole record after a cut-off one on the same line is recovered, at every cut", async () => {
    const [a, b, c] = chain(3).map((entry) => JSON.stringify(entry)) as [string, string, string];
    const file = path();
    for (let cut = 1; cut < b.length; cut++) {
      fileOf(file, [HEADER, a, b.slice(0, cut) + c]);
      const store = await openJsonlStore(file, { readOnly: true });
      expect([...(await store.tree()).ids()], `cut at ${cut}`).toEqual(["e0", "e2"]);
      expect(ids(await store.readPath("e2")).at(-1)).toBe("e2");
      await store.close();
    }
  });

  it("[S6] a BOM, line ends of Windows, U+2028 and a title line before the header are accepted", async () => {
    const entries = [message("a", null, "one\u2028two\u2029three"), message("b", "a")];
    const title = { type: "title", v: 1, title: "A name", pad: " ".repeat(180) };
    const text = [title, HEADER, ...entries].map((line) => JSON.stringify(line)).join("\r\n");
    const file = path();
    writeFileSync(file, `\uFEFF${text}\r\n`);
    const store = await openJsonlStore(file);
    expect(store.header.id).toBe("s1");
    expect(await pathIds(store)).toEqual(["a", "b"]);
    expect((await store.tree()).size).toBe(2);
    expect(await streamIds(store)).toEqual(["a", "b"]);
    expect(await store.read(["a"])).toEqual([entries[0]]);
    expect(store.warnings).toEqual([]);
    await store.append([message("c", "b")]);
    expect(await pathIds(store)).toEqual(["a", "b", "c"]);
    await store.close();
  });

  it("[S6] a number that JSON does not know is read as null and reported", async () => {
    const bad = JSON.stringify(message("a", null, "NaN and Infinity stay")).replace(
      '"user"',
      '"user","n":NaN,"m":-Infinity',
    );
    const store = await openJsonlStore(fileOf(path(), [HEADER, bad]));
    expect(await store.read(["a"])).toMatchObject([
      { message: { n: null, m: null, content: "NaN and Infinity stay" } },
    ]);
    await store.tree();
    expect(codes(store)).toEqual(["BAD_LINE"]);
    await store.close();
  });

  it("[X6] lone surrogates are replaced on load, pairs and escaped backslashes are not", async () => {
    const raw = JSON.stringify(message("a", null, "X")).replace('"X"', '"\\ud83d! \\uD83D\\uDE42 \\\\ud83d"');
    const store = await openJsonlStore(fileOf(path(), [HEADER, raw]));
    const [entry] = await store.read(["a"]);
    expect(entry).toMatchObject({ message: { content: "\uFFFD! 🙂 \\ud83d" } });
    await store.close();
  });

  it("[S3] fromHook is read as fromExtension, and both are written", async () => {
    const base = { id: "c", parentId: null, timestamp: "", summary: "s", firstKeptEntryId: "c", tokensBefore: 1 };
    const file = fileOf(path(), [HEADER, { type: "compaction", ...base, fromHook: true }]);
    const store = await openJsonlStore(file);
    expect(await store.read(["c"])).toMatchObject([{ fromHook: true, fromExtension: true }]);
    await store.append([
      {
        type: "branch_summary",
        id: "d",
        parentId: "c",
        timestamp: "",
        fromId: "root",
        summary: "s",
        fromExtension: true,
      },
    ]);
    const last = JSON.parse(bytesOf(file).trim().split("\n").at(-1) as string);
    expect(last).toMatchObject({ fromHook: true, fromExtension: true });
    await store.close();
  });
});

describe("odd trees", () => {
  const open = async (entries: readonly unknown[]) => {
    const file = fileOf(path(), [HEADER, ...entries]);
    const tail = await openJsonlStore(file);
    const full = await openJsonlStore(file);
    await full.tree();
    return { tail, full };
  };

  it("[S7] cycles and self-parents are cut the same way however the path is read", async () => {
    const { tail, full } = await open([
      message("a", "c"),
      message("b", "a"),
      message("c", "b"),
      message("s", "s"),
      message("d", "b"),
    ]);
    for (const store of [tail, full]) {
      expect(await pathIds(store)).toEqual(["a", "b", "d"]);
      expect(ids(await store.readPath("s"))).toEqual(["s"]);
      expect(codes(store).filter((code) => code === "CYCLE").length).toBe(2);
      await store.close();
    }
  });

  it("[S7] an unknown parent makes a root, a parent further down is found", async () => {
    const { tail, full } = await open([message("a", "gone"), message("b", "c"), message("c", "a"), message("d", "b")]);
    for (const store of [tail, full]) {
      expect(await pathIds(store)).toEqual(["a", "c", "b", "d"]);
      expect(codes(store)).toEqual(["PARENT_MISSING"]);
      await store.close();
    }
  });

  it("[S7] of duplicate ids the last wins", async () => {
    const { tail, full } = await open([
      message("a", null),
      message("b", "a", "old"),
      message("b", null, "new"),
      message("c", "b"),
    ]);
    for (const store of [tail, full]) {
      expect(await pathIds(store)).toEqual(["b", "c"]);
      expect(await store.read(["b"])).toMatchObject([{ message: { content: "new" } }]);
      await store.close();
    }
  });

  it("[S7] a missing parent met from the end is reported, and nothing is lost before it", async () => {
    const file = fileOf(path(), [HEADER, message("a", "gone"), message("b", "a")]);
    const store = await openJsonlStore(file);
    expect(await pathIds(store)).toEqual(["a", "b"]);
    expect(store.warnings).toMatchObject([{ code: "PARENT_MISSING", entryId: "a" }]);
    await store.close();
  });

  it("[S7] 100,000 entries in one chain open, tree, path and stream", async () => {
    const file = fileOf(path(), [HEADER, ...chain(100_000)]);
    const { readPath, tree, position, close } = await openJsonlStore(file);
    expect((await readPath(position().leafId)).length).toBe(100_000);
    expect((await tree()).path("e99999").length).toBe(100_000);
    expect((await readPath("e99999", ({ id }) => id === "e99990")).length).toBe(10);
    await close();
  });

  it("[S9] a file that was cut short under an open session says so, whatever is read of it", async () => {
    const file = fileOf(path(), [HEADER, ...chain(20_000)]);
    const store = await openJsonlStore(file, { readOnly: true });
    truncateSync(file, 500);
    const about = { code: "SESSION_CHANGED", message: expect.stringContaining("was cut short") };
    await expect(store.read(["e400"])).rejects.toMatchObject(about);
    await expect(store.tree()).rejects.toMatchObject(about);
    await expect(streamIds(store)).rejects.toMatchObject(about);
    await store.close();
  });
});
