import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { espalier, espalierJson, fileOf } from "./run.ts";
import { HEADER, idOf, lines, messageAt, sessionText, turnRecords } from "./session-text.ts";

const KEEP = ["--keep-recent-tokens", "4000"];
const rolesOf = async (file: string) => (await espalierJson(["context", file])).document.messages[0].role;

describe("espalier pin and unpin", () => {
  it("[V1] pins by text and by entry, lists, and the pins stand in what compact writes", async () => {
    const file = fileOf(sessionText(60));
    const first = await espalierJson(["pin", file, "--text", "Ship on Tuesday, not before."]);
    expect(first).toMatchObject({ code: 0, document: { status: "pinned", pin: { by: "text" } } });
    const second = await espalierJson(["pin", file, "--entry", idOf(4)]);
    expect(second.document).toMatchObject({ status: "pinned", pin: { by: "label", entryId: idOf(4) } });
    const before = readFileSync(file);
    expect((await espalierJson(["pin", file])).document).toMatchObject({ status: "listed", pins: { length: 2 } });
    expect((await espalierJson(["pin", file, "--entry", idOf(4)])).document.status).toBe("unchanged");
    expect(readFileSync(file)).toEqual(before);
    const human = await espalier(["pin", file]);
    expect(human.out).toContain("Ship on Tuesday, not before.");

    const { document } = await espalierJson(["compact", file, ...KEEP]);
    expect(document.pins).toEqual({ kept: 2, restored: expect.any(Number) });
    expect(document.loss).toMatchObject({ anchors: expect.any(Number), lost: expect.any(Number) });
    expect(document.loss.top.length).toBeLessThanOrEqual(50);
    expect(document.summary).toContain("## Pinned");
    expect(document.summary).toContain("- Ship on Tuesday, not before.");
    expect((await espalierJson(["unpin", file, "1"])).document).toMatchObject({
      status: "unpinned",
      unpinned: [{ text: "Ship on Tuesday, not before." }],
      pins: { length: 1 },
    });
    expect((await espalierJson(["unpin", file, "nothing like it"])).document.status).toBe("nothing");
    expect((await espalierJson(["unpin", file])).document.status).toBe("listed");
  });

  it("[V1] a pin's entry is named by the beginning of its id, to pin and to unpin", async () => {
    const file = fileOf(lines(HEADER, messageAt(1, { role: "user", content: "The port is 8080." })));
    expect((await espalierJson(["pin", file, "--entry", "0000"])).document.status).toBe("pinned");
    for (const named of [["--entry", "0000000"], ["#00000001"]]) {
      expect((await espalierJson(["unpin", file, ...named])).document.status).toBe("unpinned");
      expect((await espalierJson(["pin", file, "--entry", idOf(1)])).document.status).toBe("pinned");
    }
    expect((await espalierJson(["unpin", file, "--entry", "0009"])).document.status).toBe("nothing");
  });

  it("[V1] a wrong entry, an entry without words and wrong usage are told", async () => {
    const image = messageAt(9, { role: "user", content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] });
    const file = fileOf(lines(HEADER, ...turnRecords(2), image));
    const code = async (...args: string[]) => {
      const { code, document } = await espalierJson(["pin", file, ...args]);
      return [code, document.error.code];
    };
    expect(await code("--entry", "none")).toEqual([1, "ENTRY_NOT_FOUND"]);
    expect(await code("--entry", idOf(9))).toEqual([1, "ENTRY_INVALID"]);
    expect(await code("--text", " ")).toEqual([2, "USAGE"]);
    expect(await code("--text", "a", "--entry", idOf(1))).toEqual([2, "USAGE"]);
  });
});

describe("espalier undo and redo", () => {
  it("[V3, V1, S8] undo and pin stand where --leaf says", async () => {
    const file = fileOf(sessionText(60));
    const { document: made } = await espalierJson(["compact", file, "--keep-recent-tokens", "3000"]);
    const pins = async (...leaf: string[]) =>
      JSON.stringify((await espalierJson(["pin", file, ...leaf])).document.pins);
    await espalierJson(["pin", file, "--text", "Only here.", "--leaf", idOf(8)]);
    expect(await pins()).toContain("Only here.");
    expect(await pins("--leaf", made.entryId)).not.toContain("Only here.");
    const undone = await espalierJson(["undo", file, "--leaf", made.entryId]);
    expect(undone.document).toMatchObject({ status: "undone", compactionId: made.entryId });
    expect((await espalierJson(["redo", file])).document.status).toBe("redone");
  });

  it("[V3] only add bytes, hold over processes, and say when there is nothing", async () => {
    const file = fileOf(sessionText(60));
    expect((await espalierJson(["undo", file])).document).toMatchObject({
      status: "nothing",
      because: "no-compaction",
    });
    expect((await espalier(["redo", file])).out).toContain("Nothing was written");
    const whole = (await espalierJson(["context", file])).document;
    const { document } = await espalierJson(["compact", file, ...KEEP]);
    const bytes = readFileSync(file);
    const undone = await espalierJson(["undo", file]);
    expect(undone.document).toMatchObject({ status: "undone", compactionId: document.entryId, how: "leaf" });
    expect(readFileSync(file).subarray(0, bytes.length)).toEqual(bytes);
    const again = (await espalierJson(["context", file])).document;
    expect(again.messages).toEqual(whole.messages);
    expect((await espalierJson(["redo", file])).document.status).toBe("redone");
    expect(await rolesOf(file)).toBe("compactionSummary");
    const human = await espalier(["undo", file]);
    expect(human.out).toContain("is undone");
    expect(await rolesOf(file)).toBe("user");
  });
});
