import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { haveSessions, realSessions } from "../real-sessions.ts";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { HEADER, idOf, lines, messageAt, sessionText } from "./session-text.ts";

/** Requests, bash calls and their outputs of `size` lines each; results have numbers 3, 6, 9, … */
function outputsText(turns: number, size: number): string {
  const records: object[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const n = records.length;
    const call = { type: "toolCall", id: `c${turn}`, name: "bash", arguments: { command: `make part-${turn}` } };
    const text = `part-${turn} \u001b[31mbuilt\u001b[0m in the kiln\n`.repeat(size);
    const result = { role: "toolResult", toolCallId: `c${turn}`, toolName: "bash", isError: false };
    records.push(
      messageAt(n + 1, { role: "user", content: `Build ${turn}` }),
      messageAt(n + 2, { role: "assistant", content: [call], stopReason: "toolUse" }),
      messageAt(n + 3, { ...result, content: [{ type: "text", text }] }),
    );
  }
  return lines(HEADER, ...records);
}

describe("espalier prune", () => {
  it("[R2] appends edits in place, says what it saved, and does nothing the second time", async () => {
    const file = fileOf(outputsText(12, 1_000));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["prune", file]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ status: "pruned", persist: "edits" });
    expect(document.outputs[0]).toMatchObject({ entryId: idOf(3), toolName: "bash" });
    expect(document.saved).toBeGreaterThanOrEqual(20_000);
    const after = readFileSync(file);
    expect(before.equals(after.subarray(0, before.length))).toBe(true);
    const { document: context } = await espalierJson(["context", file]);
    expect(context.tokens).toBe(document.tokensAfter);
    const again = await espalier(["prune", file]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("Nothing to prune") });
    expect(readFileSync(file).equals(after)).toBe(true);
    const { document: hit } = await espalierJson(["recall", file, "--entry", idOf(3)]);
    expect(hit.hits[0]).toMatchObject({ entryId: idOf(3), where: "edited", role: "toolResult" });
    expect(hit.hits[0].text).toContain("part-1 ");
  });

  it("[R2] tries without writing, and writes the same copy twice", async () => {
    const file = fileOf(outputsText(12, 1_000));
    const before = readFileSync(file);
    const dry = await espalier(["prune", file, "--dry-run"]);
    expect(dry.out).toContain("nothing was written");
    const copies = ["a.jsonl", "b.jsonl"].map((name) => join(dirname(file), name));
    for (const out of copies) await espalierJson(["prune", file, "--out", out]);
    expect(readFileSync(file).equals(before)).toBe(true);
    const [a = "", b = ""] = copies.map((path) => readFileSync(path, "utf8"));
    expect(a === b && a.length > before.length).toBe(true);
    const { document } = await espalierJson(["stats", file]);
    expect(document.prune).toMatchObject({ status: "preview", outputs: expect.any(Number) });
    const small = await espalierJson(["stats", fileOf(sessionText(2))]);
    expect(small.document.prune).toEqual({ status: "skipped", saved: 0, because: "nothing-old-enough" });
  });

  it("[R2] rewrites where the setting says so, the originals beside the session", async () => {
    const file = fileOf(outputsText(12, 1_000));
    const env = { ESPALIER_PRUNING_PERSIST: "rewrite" };
    const { document } = await espalierJson(["prune", file], { env });
    expect(document).toMatchObject({ status: "pruned", persist: "rewrite" });
    expect(existsSync(file.replace(".jsonl", ".originals.jsonl"))).toBe(true);
    const { document: hit } = await espalierJson(["recall", file, "part-1", "kiln"]);
    expect(hit.hits[0]).toMatchObject({ entryId: idOf(3), where: "edited" });
  });

  it.skipIf(!haveSessions)("[R2] refuses to write into another agent's session and offers a copy", async () => {
    const source = realSessions("claude-code").find((file) => file.includes("303-tools")) ?? "";
    const { code, document } = await espalierJson(["prune", source]);
    expect(code).toBe(1);
    expect(document.error.code).toBe("FORMAT_READ_ONLY");
    const out = join(folder(), "out.jsonl");
    const env = { ESPALIER_PRUNING_PROTECT_TOKENS: "5000", ESPALIER_PRUNING_MIN_SAVINGS: "1000" };
    const ran = await espalierJson(["prune", source, "--out", out], { env });
    expect(ran.document).toMatchObject({ status: "pruned", out });
  });
});

describe("espalier recall", () => {
  it("[R9] shows hits as JSON and for people, safe for a terminal", async () => {
    const file = fileOf(outputsText(12, 1_000));
    await espalierJson(["prune", file]);
    const { document } = await espalierJson(["recall", file, "part-2", "kiln", "--limit", "1"]);
    expect(document.hits).toHaveLength(1);
    expect(document.hits[0]).toMatchObject({ entryId: idOf(6), score: expect.any(Number), where: "edited" });
    const human = await espalier(["recall", file, "part-2 kiln"]);
    expect(human.code).toBe(0);
    expect(human.out).toContain(`#${idOf(6)}`);
    expect(human.out).not.toContain("\u001b");
    expect(Math.max(...human.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it("[R9] finds nothing in what is live, and says where else to look", async () => {
    const file = fileOf(sessionText(2));
    const none = await espalier(["recall", file, "module"]);
    expect(none).toMatchObject({ code: 0, out: expect.stringContaining("--where live") });
    const { document } = await espalierJson(["recall", file, "module", "--where", "live"]);
    expect(document.hits.length).toBeGreaterThan(0);
  });

  it("[R9] asks for words, and names an unknown entry", async () => {
    const file = fileOf(sessionText(2));
    expect((await espalier(["recall", file])).code).toBe(2);
    expect((await espalier(["recall", file, "x", "--limit", "no"])).code).toBe(2);
    const { code, document } = await espalierJson(["recall", file, "--entry", "nope"]);
    expect(code).toBe(1);
    expect(document.error).toMatchObject({ code: "ENTRY_NOT_FOUND" });
  });
});
