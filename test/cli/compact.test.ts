import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { haveSessions, realSessions } from "../real-sessions.ts";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { HEADER, lines, sessionText, turnRecords } from "./session-text.ts";

const KEEP = ["--keep-recent-tokens", "4000"];
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

describe("espalier compact, in place", () => {
  it("[S5] only adds bytes: one line, and says what it did", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["compact", file, ...KEEP]);
    expect(code).toBe(0);
    const after = readFileSync(file);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    const added = after.subarray(before.length).toString("utf8").trimEnd().split("\n");
    expect(added).toHaveLength(1);
    const entry = JSON.parse(added[0] ?? "");
    expect(entry).toMatchObject({
      type: "compaction",
      id: document.entryId,
      firstKeptEntryId: document.firstKeptEntryId,
    });
    expect(document).toMatchObject({
      status: "compacted",
      method: "extractive",
      plan: { isSplitTurn: expect.any(Boolean) },
    });
    expect(document.tokensAfter).toBeLessThan(document.tokensBefore);
    expect(document.summary).toBe(entry.summary);
    expect(document.readFiles).toContain("src/module-1.ts");
    expect(document.modifiedFiles).toEqual([]);
    const { plan } = document;
    expect(plan.summarised + plan.turnPrefix + plan.kept).toBe(240);

    const context = await espalierJson(["context", file]);
    expect(context.document.messages[0]).toMatchObject({ role: "compactionSummary", entryId: document.entryId });
    expect(context.document.tokens).toBe(document.tokensAfter);
    const explained = await espalierJson(["explain", file]);
    expect(sum(explained.document.counts)).toBe(241);
    expect(explained.document.entries).toHaveLength(241);
  });

  it("[P4] nothing to do is done: exit 0, a reason, nothing written", async () => {
    const file = fileOf(sessionText(2));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["compact", file]);
    expect(code).toBe(0);
    expect(document.status).toBe("skipped");
    expect(document.because).toMatch(/^(already-compacted|too-small|nothing-before-cut)$/);
    const human = await espalier(["compact", file]);
    expect(human.code).toBe(0);
    expect(human.out).toContain("Nothing to compact");
    expect(readFileSync(file).equals(before)).toBe(true);
    const out = join(dirname(file), "out.jsonl");
    expect((await espalierJson(["compact", file, "--out", out])).document.status).toBe("skipped");
    expect(existsSync(out)).toBe(false);
  });

  it("[S4] a version 1 file is migrated by its first append, the old one kept as .bak", async () => {
    const old = turnRecords(60).map((record) => {
      const { type, timestamp, message } = record as { type: string; timestamp: string; message: object };
      return { type, timestamp, message };
    });
    const { version: _, ...header } = HEADER;
    const file = fileOf(lines(header, ...old));
    const before = readFileSync(file);
    expect((await espalierJson(["stats", file])).code).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect((await espalierJson(["compact", file, ...KEEP])).document.status).toBe("compacted");
    expect(readFileSync(`${file}.bak`).equals(before)).toBe(true);
    expect(JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "")).toMatchObject({ type: "session", version: 3 });
    expect((await espalierJson(["context", file])).document.messages[0].role).toBe("compactionSummary");
  });

  it("[P5] --retain-none keeps nothing before the entry", async () => {
    const file = fileOf(sessionText(60));
    const { document } = await espalierJson(["compact", file, "--retain-none"]);
    expect(document.firstKeptEntryId).toBe(document.entryId);
    expect(document.plan.kept).toBe(0);
  });

  it("takes focus words and shows the summary, sized", async () => {
    const file = fileOf(sessionText(60));
    const ran = await espalier(["compact", file, "the", "module", "fixes", ...KEEP]);
    expect(ran.code).toBe(0);
    for (const text of ["before", "after", "Summary", "Files", "Next", "espalier context"])
      expect(ran.out).toContain(text);
  });
});

describe("espalier compact --dry-run", () => {
  it("[V5] shows plan, summary and context after, and writes nothing", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["compact", file, "--dry-run", ...KEEP]);
    expect(code).toBe(0);
    expect(document.status).toBe("preview");
    expect(document.summary).not.toBe("");
    expect((await espalier(["compact", file, "--dry-run", ...KEEP])).out).toContain("nothing was written");
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(["session.jsonl"]);
  });
});

describe("espalier compact --out", () => {
  it("[I7] two runs give the same bytes, the original stays, its bytes are the copy's prefix", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const [a, b] = [join(folder(), "a.jsonl"), join(folder(), "b.jsonl")];
    const first = await espalierJson(["compact", file, "--out", a, ...KEEP]);
    expect(first.document).toMatchObject({ status: "compacted", out: a });
    await espalierJson(["compact", file, "--out", b, ...KEEP]);
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
    expect(readFileSync(a).subarray(0, before.length).equals(before)).toBe(true);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(a))).toEqual(["a.jsonl"]);
    expect(readdirSync(dirname(file))).toEqual(["session.jsonl"]);
  });

  it("[S6] keeps bad lines and a torn end of the original in the copy", async () => {
    const file = fileOf(`${sessionText(60)}{"type":"message","id":"to`);
    const out = join(folder(), "out.jsonl");
    const { document } = await espalierJson(["compact", file, "--out", out, ...KEEP]);
    expect(document.status).toBe("compacted");
    expect(readFileSync(out, "utf8").startsWith(readFileSync(file, "utf8"))).toBe(true);
    expect((await espalierJson(["context", out])).document.messages[0].role).toBe("compactionSummary");
  });

  it("[P5] with --leaf compacts that path", async () => {
    const file = fileOf(sessionText(60));
    const out = join(folder(), "out.jsonl");
    const { document } = await espalierJson(["compact", file, "--leaf", "000000a0", "--out", out, ...KEEP]);
    expect(document.status).toBe("compacted");
    const explained = await espalierJson(["explain", out]);
    expect(sum(explained.document.counts)).toBe(161);
  });

  it.skipIf(!haveSessions)("[I7] a Claude Code session needs --out; two runs give the same bytes", async () => {
    const source = realSessions("claude-code").find((path) => path.includes("303-tools")) ?? "";
    const file = join(folder(), "cc.jsonl");
    cpSync(source, file);
    const refused = await espalierJson(["compact", file, ...KEEP]);
    expect(refused).toMatchObject({ code: 1, document: { error: { code: "FORMAT_READ_ONLY" } } });
    expect(refused.document.error.message).toContain("--out");
    const [a, b] = [join(folder(), "a.jsonl"), join(folder(), "b.jsonl")];
    const { document } = await espalierJson([
      "compact",
      file,
      "--out",
      a,
      "--window",
      "60000",
      "--keep-recent-tokens",
      "8000",
    ]);
    expect(document.status).toBe("compacted");
    expect(document.tokensAfter).toBeLessThan(0.45 * document.tokensBefore);
    await espalierJson(["compact", file, "--out", b, "--window", "60000", "--keep-recent-tokens", "8000"]);
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
    expect(readFileSync(file).equals(readFileSync(source))).toBe(true);
    expect((await espalierJson(["context", a])).document.tokens).toBe(document.tokensAfter);
  });
});

describe("what is said to type next", () => {
  it("[V5] has all that shaped a dry run, the focus too, and stands in line or all below", async () => {
    const file = fileOf(sessionText(60), "a  b.jsonl");
    const ran = await espalier(["compact", file, "the parser's", "tests", "--dry-run", ...KEEP]);
    expect(ran.out).toContain(`espalier compact '${file}' 'the parser'\\''s' tests ${KEEP.join(" ")} --out`);
    const demo = await espalier(["demo", file], { env: { COLUMNS: "60" } });
    expect(demo.out).toContain(`espalier explain '${file}'\n      where every entry went\n`);
  });

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)(
    "[S9] a session that can't be written to is told before any work, too",
    async () => {
      const file = fileOf(sessionText(60));
      chmodSync(file, 0o444);
      for (const args of [
        ["compact", file, ...KEEP, "--model", "no/such"],
        ["label", file, "00000001", "x"],
      ]) {
        const ran = await espalier(args);
        expect(ran).toMatchObject({ code: 1, out: "" });
        expect(ran.err).toContain(`${file} or its folder can't be written to`);
      }
    },
  );

  it("[S9] while another process writes to the session no work is begun", async () => {
    const file = fileOf(sessionText(60));
    const holder = await openSession(file, { claim: true });
    try {
      const ran = await espalierJson(["compact", file, ...KEEP, "--model", "no/such"]);
      expect(ran.code).toBe(1);
      expect(ran.document.error.code).toBe("SESSION_LOCKED");
      expect((await espalierJson(["label", file, "00000001", "x"])).document.error.code).toBe("SESSION_LOCKED");
      expect((await espalierJson(["compact", file, "--dry-run", ...KEEP])).document.status).toBe("preview");
    } finally {
      await holder.close();
    }
  });

  it("[S5] a place that can't be written to is told before any work, a link to nothing as a file", async () => {
    const file = fileOf(sessionText(2));
    const nowhere = await espalier(["compact", file, "--out", join(folder(), "none/out.jsonl"), "--model", "no/such"]);
    expect(nowhere).toMatchObject({ code: 1, out: "" });
    expect(nowhere.err).toContain("cannot be written (ENOENT)");
    const link = join(folder(), "link.jsonl");
    symlinkSync("nowhere", link);
    expect((await espalierJson(["compact", file, "--out", link])).document.error.code).toBe("OUT_EXISTS");
  });
});

describe("interruption", () => {
  it("[S5] Ctrl-C in the middle: exit 130, nothing half-written", async () => {
    const file = fileOf(sessionText(6000));
    const before = readFileSync(file);
    const out = join(folder(), "out.jsonl");
    for (const flags of [[], ["--out", out]]) {
      const ran = await espalier(["compact", file, ...KEEP, ...flags], {
        started: (child) => child.stderr?.once("data", () => child.kill("SIGINT")),
      });
      expect(ran.code).toBe(130);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(dirname(out))).toEqual([]);
      expect(readdirSync(dirname(file))).toEqual(["session.jsonl"]);
    }
  });
});
