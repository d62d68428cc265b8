import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { espalier, espalierJson, fileOf } from "./run.ts";
import { HEADER, idOf, lines, messageAt } from "./session-text.ts";

const says = (text: string) => ({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" });
const write = (path: string) => ({
  role: "assistant",
  content: [{ type: "toolCall", id: path, name: "write", arguments: { path } }],
  stopReason: "toolUse",
});
const done = (path: string) => ({
  role: "toolResult",
  toolCallId: path,
  toolName: "write",
  content: [],
  isError: false,
});

/** 1; 2 3 on one branch, 4 to 7 on the one we stand on. */
const text = lines(
  HEADER,
  messageAt(1, { role: "user", content: "start" }),
  messageAt(2, says("one way"), idOf(1)),
  messageAt(3, says("its end"), idOf(2)),
  messageAt(4, { role: "user", content: "try the other way" }, idOf(1)),
  messageAt(5, write("src/other.ts")),
  messageAt(6, done("src/other.ts")),
  messageAt(7, says("it \u001b[31mfailed\u001b[0m with E_OTHER")),
);

describe("branches on the command line", () => {
  it("[B4] navigate --summarize leaves a summary, as JSON and for people; nothing is taken away", async () => {
    const file = fileOf(text);
    const { code, document } = await espalierJson(["navigate", file, idOf(3), "--summarize", "--name", "dead end"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      status: "moved",
      oldLeafId: idOf(7),
      summaryEntry: {
        type: "branch_summary",
        parentId: idOf(3),
        fromId: idOf(7),
        details: { modifiedFiles: ["src/other.ts"] },
      },
      warnings: [],
    });
    expect(readFileSync(file, "utf8").startsWith(text)).toBe(true);
    const people = await espalier(["navigate", fileOf(text), idOf(3), "--focus", "the error"]);
    expect(people).toMatchObject({ code: 0, out: expect.stringContaining("Summary of the branch") });
    expect(people.out).toContain("src/other.ts");
    expect(people.out).not.toContain("\u001b");
    const back = await espalierJson(["back", file]);
    expect(back.document).toMatchObject({ status: "moved", newLeafId: idOf(7) });
  });

  it("[B5] merge-branch puts the summary here, and says where there is nothing", async () => {
    const file = fileOf(text);
    const { code, document } = await espalierJson(["merge-branch", file, idOf(3)]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ status: "imported", fromId: idOf(3), summaryEntry: { parentId: idOf(7) } });
    expect(document.leafId).toBe(document.summaryEntry.id);
    const again = await espalierJson(["merge-branch", file, idOf(4)]);
    expect(again).toMatchObject({ code: 0, document: { status: "skipped", because: "on-the-path" } });
    expect((await espalier(["merge-branch", file, "nobody"])).code).toBe(1);
  });

  it("[V5] --dry-run shows the summary that navigate and merge-branch would store, twice the same, and writes nothing", async () => {
    const file = fileOf(text);
    for (const args of [
      ["navigate", file, idOf(3), "--summarize", "--dry-run"],
      ["merge-branch", file, idOf(3), "--dry-run"],
    ]) {
      const { code, document } = await espalierJson(args);
      expect(code).toBe(0);
      expect(document).toMatchObject({ status: "preview", summaryEntry: { type: "branch_summary" } });
      expect(document).not.toHaveProperty("draft");
      expect((await espalierJson(args)).document).toEqual(document);
      const people = await espalier(args);
      expect(people.out).toContain("Summary of the branch");
      expect(people.out).toContain("Nothing was written.");
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("[B5] diff shows both sides and writes nothing", async () => {
    const file = fileOf(text);
    const { code, document } = await espalierJson(["diff", file, idOf(3), idOf(7)]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      commonAncestorId: idOf(1),
      a: { leafId: idOf(3), entries: 2, modifiedFiles: [] },
      b: { leafId: idOf(7), entries: 4, modifiedFiles: ["src/other.ts"] },
      bothModified: [],
    });
    const people = await espalier(["diff", file, idOf(3), idOf(7)]);
    expect(people.out).toContain("src/other.ts");
    expect(people.out).not.toContain("\u001b");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await espalier(["diff", file, idOf(3)])).code).toBe(2);
  });
});
