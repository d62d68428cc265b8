import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { HEADER, idOf, lines, messageAt, sessionText } from "./session-text.ts";

const leafOf = async (file: string) => (await espalierJson(["tree", file])).document.leafId;

describe("espalier navigate and back", () => {
  it("[S8, B1] moves the leaf by one appended line, hands the request back, and takes it back again", async () => {
    const file = fileOf(sessionText(3));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["navigate", file, idOf(5)]);
    expect(code).toBe(0);
    expect(document).toEqual({
      status: "moved",
      oldLeafId: idOf(12),
      newLeafId: idOf(4),
      editorText: "Please look at src/module-2.ts and fix problem number 2.",
      warnings: [],
    });
    const after = readFileSync(file);
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(after.subarray(before.length).toString().trimEnd().split("\n")).toHaveLength(1);
    expect(await leafOf(file)).toBe(idOf(4));
    expect((await espalierJson(["back", file])).document).toMatchObject({ status: "moved", newLeafId: idOf(12) });
    const none = await espalier(["back", file]);
    expect([none.code, none.out]).toEqual([0, expect.stringContaining("no navigation to take back")]);
  });

  it("[B1] `root` is the start; the leaf itself is no move", async () => {
    const file = fileOf(sessionText(2));
    expect((await espalierJson(["navigate", file, "root"])).document).toMatchObject({
      status: "moved",
      newLeafId: null,
    });
    expect((await espalierJson(["context", file])).document.messages).toEqual([]);
    await espalierJson(["navigate", file, idOf(8)]);
    const size = readFileSync(file).length;
    expect((await espalierJson(["navigate", file, idOf(8)])).document.status).toBe("unchanged");
    expect(readFileSync(file)).toHaveLength(size);
  });

  it("an entry is named by the beginning of its id; an unclear one is refused with what it may be", async () => {
    const file = fileOf(
      lines(
        HEADER,
        ...["aaaa1111", "aaab2222", "bbbb3333"].map((id, n, ids) => ({
          ...messageAt(n + 1, { role: "assistant", content: [{ type: "text", text: id }] }, ids[n - 1] ?? null),
          id,
        })),
      ),
    );
    expect((await espalierJson(["navigate", file, "#aaab"])).document.newLeafId).toBe("aaab2222");
    expect((await espalierJson(["stats", file, "--leaf", "bb"])).document.path).toBe(3);
    const many = await espalierJson(["navigate", file, "aaa"]);
    expect(many.code).toBe(1);
    expect(many.document.error).toMatchObject({ code: "ENTRY_NOT_FOUND", data: { near: ["aaaa1111", "aaab2222"] } });
    expect((await espalierJson(["context", file, "--leaf", "zz"])).document.error.code).toBe("ENTRY_NOT_FOUND");
  });
});

describe("espalier label", () => {
  it("[S11] names an entry, says when nothing changes, and takes the name away", async () => {
    const file = fileOf(sessionText(2));
    const labelIn = async () =>
      (await espalierJson(["tree", file])).document.nodes.find((node: { id: string }) => node.id === idOf(3)).label;
    expect((await espalierJson(["label", file, idOf(3), "the turn"])).document).toMatchObject({
      status: "labelled",
      targetId: idOf(3),
      label: "the turn",
    });
    expect(await labelIn()).toBe("the turn");
    expect((await espalierJson(["label", file, idOf(3), "the turn"])).document.status).toBe("unchanged");
    expect((await espalierJson(["label", file, idOf(3)])).document).toMatchObject({ label: null, before: "the turn" });
    expect(await labelIn()).toBeUndefined();
  });
});

describe("espalier fork", () => {
  it("[S11, I7] writes the path to a new file, the same at every run, and never over one", async () => {
    const file = fileOf(sessionText(3));
    const before = readFileSync(file);
    const [one, two] = [join(folder(), "one.jsonl"), join(folder(), "two.jsonl")];
    const { code, document } = await espalierJson(["fork", file, idOf(4), "--out", one]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ out: one, entries: 4, leafId: idOf(4) });
    await espalierJson(["fork", file, idOf(4), "--out", two]);
    expect(readFileSync(one)).toEqual(readFileSync(two));
    expect(readFileSync(file)).toEqual(before);
    const over = await espalierJson(["fork", file, idOf(4), "--out", one]);
    expect([over.code, over.document.error.code]).toEqual([1, "OUT_EXISTS"]);
    const missing = join(folder(), "none.jsonl");
    await espalierJson(["fork", file, "zzzz", "--out", missing]);
    expect(existsSync(missing)).toBe(false);
  });
});

describe("espalier repair", () => {
  it("[S6] previews, repairs, and finds nothing the next time", async () => {
    const text = sessionText(2).trimEnd().split("\n");
    const file = fileOf([...text.slice(0, 3), "garbage", ...text.slice(3)].join("\n"));
    const before = readFileSync(file);
    const preview = await espalierJson(["repair", file, "--dry-run"]);
    expect(preview.document).toMatchObject({ status: "preview", entries: 8, bad: [{ line: 4 }], split: [] });
    expect(readFileSync(file)).toEqual(before);
    const human = await espalier(["repair", file]);
    expect([human.code, human.out]).toEqual([0, expect.stringContaining("1 bad line set aside")]);
    expect(readFileSync(`${file}.bak`)).toEqual(before);
    expect((await espalierJson(["repair", file])).document).toMatchObject({ status: "clean", bad: [] });
  });
});
