import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { HEADER, idOf, lines, messageAt, sessionText, turnRecords } from "./session-text.ts";

const READING = ["stats", "context", "explain", "tree"] as const;
const user = (text: string) => ({ role: "user", content: text });

describe("files that are no session", () => {
  const binary = Uint8Array.from({ length: 4096 }, (_, i) => (i * 37) % 256);
  for (const [what, content, code] of [
    ["an empty file", "", "NOT_A_SESSION"],
    ["a binary", binary, "NOT_A_SESSION"],
    ["a JSON that is no session", `{"name": "x", "version": 1}`, "NOT_A_SESSION"],
    ["a text", "hello\nthere\n", "NOT_A_SESSION"],
    ["entries without a header", lines(messageAt(1, user("hi"))), "NOT_A_SESSION"],
  ] as const) {
    it(`[S6] ${what}: one line that names the file, exit 1, nothing written`, async () => {
      const file = fileOf(content);
      const before = readFileSync(file);
      // All of them open files in the same way; each is tried on one of these.
      const commands = what === "a text" ? [...READING, "compact", "demo"] : ["stats", "compact"];
      for (const name of commands) {
        const ran = await espalier([name, file]);
        expect(ran).toMatchObject({ code: 1, out: "" });
        expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
        expect(ran.err).toContain(file);
      }
      const json = await espalierJson(["compact", file]);
      expect(json).toMatchObject({ code: 1, err: "", document: { status: "failed", error: { code } } });
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  }

  it("a directory and a missing file are named", async () => {
    const at = folder();
    const directory = await espalierJson(["stats", at]);
    expect(directory).toMatchObject({ code: 1, document: { error: { code: "FILE_UNREADABLE" } } });
    expect(directory.document.error.message).toContain(at);
    const missing = await espalierJson(["stats", join(at, "none.jsonl")]);
    expect(missing).toMatchObject({ code: 1, document: { error: { code: "FILE_NOT_FOUND" } } });
    expect((await espalier(["stats", at, "--verbose"])).err).toContain("FILE_UNREADABLE");
  });
});

describe("sessions with faults", () => {
  const [first, second, third, fourth] = turnRecords(1);
  const torn = JSON.stringify(third).slice(0, 60);
  const cycle = [messageAt(1, user("a"), idOf(2)), messageAt(2, user("b"), idOf(1)), messageAt(3, user("c"), idOf(2))];
  const nanUsage = `{"type":"message","id":"${idOf(2)}","parentId":"${idOf(1)}","timestamp":"2026-01-02T04:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"usage":{"input":null,"output":"NaN","cacheRead":-1,"cacheWrite":1e999},"stopReason":"stop"}}`;
  const surrogate = `{"type":"message","id":"${idOf(1)}","parentId":null,"timestamp":"2026-01-02T04:00:01.000Z","message":{"role":"user","content":"lone \\ud800 half"}}`;

  for (const [what, content, warned, live] of [
    ["a truncated line in the middle", lines(HEADER, first!, second!, torn, third!, fourth!), READING, 4],
    ["a truncated line at the end", lines(HEADER, first!, second!, third!, fourth!) + torn, READING, 4],
    ["two objects on a line", lines(HEADER, first!, JSON.stringify(second) + JSON.stringify(third), fourth!), [], 4],
    ["a cycle", lines(HEADER, ...cycle), READING, undefined],
    ["a missing parent", lines(HEADER, messageAt(1, user("a")), messageAt(9, user("b"), "ffffffff")), READING, 1],
    // The context needs no more than the end of the file, which holds the entry that counts.
    [
      "duplicate ids",
      lines(HEADER, messageAt(1, user("old")), messageAt(1, user("new"))),
      ["stats", "explain", "tree"],
      1,
    ],
    ["NaN usage", lines(HEADER, messageAt(1, user("a")), nanUsage), [], 2],
    ["a lone surrogate", lines(HEADER, surrogate), [], 1],
    ["U+2028 in text", lines(HEADER, messageAt(1, user("one\u2028two\u2029three"))), [], 1],
  ] as const) {
    it(`[S6] [S7] ${what}: every command answers, and says what of it is wrong`, async () => {
      const file = fileOf(content);
      const before = readFileSync(file);
      for (const command of READING) {
        const { code, document } = await espalierJson([command, file]);
        expect(code).toBe(0);
        expect(document.warnings.length > 0).toBe((warned as readonly string[]).includes(command));
        if (command === "context" && live !== undefined) expect(document.messages).toHaveLength(live);
      }
      expect((await espalier(["tree", file])).code).toBe(0);
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  }

  it("[S4] a version 4 header opens for reading with a warning and is refused for writing", async () => {
    const file = fileOf(lines({ ...HEADER, version: 4 }, ...turnRecords(40)));
    const before = readFileSync(file);
    const { code, document } = await espalierJson(["context", file]);
    expect(code).toBe(0);
    expect(document.warnings).not.toHaveLength(0);
    const compact = await espalierJson(["compact", file, "--keep-recent-tokens", "2000"]);
    expect(compact.code).toBe(1);
    expect(["VERSION_TOO_NEW", "SESSION_READ_ONLY"]).toContain(compact.document.error.code);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("[S7] 100,000 entries in one chain: every command answers, and the tree does not indent by depth", async () => {
    const records = Array.from({ length: 100_000 }, (_, i) => messageAt(i + 1, user(`message ${i + 1}`)));
    const file = fileOf(lines(HEADER, ...records));
    for (const command of ["stats", "context", "explain"]) {
      const ran = await espalierJson([command, file]);
      expect(ran.code).toBe(0);
    }
    const all = await espalier(["tree", file, "--all"]);
    expect(all.code).toBe(0);
    expect(all.out.split("\n").length).toBeGreaterThan(100_000);
    expect(all.out).not.toContain("│ │");
  });
});

describe("untrusted transcripts", () => {
  it("no escape sequence of a transcript reaches the terminal, in any command", async () => {
    const evil = "\x1b]0;owned\x07\x1b[31mred \u009b2J \u202eright";
    const call = { type: "toolCall", id: "c", name: evil, arguments: { path: evil } };
    const file = fileOf(
      lines(
        { ...HEADER, cwd: evil },
        messageAt(1, user(evil)),
        messageAt(2, {
          role: "assistant",
          content: [{ type: "text", text: evil }, call],
          model: evil,
          provider: evil,
          stopReason: "toolUse",
        }),
        messageAt(3, {
          role: "toolResult",
          toolCallId: "c",
          toolName: evil,
          content: [{ type: "text", text: evil }],
          isError: true,
        }),
        ...turnRecords(20).map((record, i) => ({ ...record, id: idOf(i + 4), parentId: idOf(i + 3) })),
        {
          type: "label",
          id: idOf(200),
          parentId: idOf(83),
          timestamp: HEADER.timestamp,
          targetId: idOf(1),
          label: evil,
        },
        { type: "session_info", id: idOf(201), parentId: idOf(200), timestamp: HEADER.timestamp, name: evil },
      ),
    );
    const commands = [
      ...READING.map((name) => [name]),
      ["compact", "--dry-run", "--keep-recent-tokens", "2000"],
      ["demo"],
    ];
    for (const [name = "", ...flags] of commands) {
      for (const json of [[], ["--json"]]) {
        const ran = await espalier([name, file, ...flags, ...json]);
        expect(ran.code).toBe(0);
        expect(ran.out + ran.err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      }
    }
    const formatted = await espalier(["context", file, "--format", "anthropic"]);
    expect(formatted.out).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  });

  it("[S6] nor one of an entry's id or a file's name; commands to type name the file all the same", async () => {
    const evil = (n: number) => `${idOf(n)}\x1b[31m\x1b]0;owned\x07\u009b2J\u202e`;
    const records = turnRecords(20).map((record, i) => ({ ...record, id: evil(i + 1), parentId: i ? evil(i) : null }));
    const compaction = { type: "compaction", id: evil(90), parentId: evil(80), timestamp: HEADER.timestamp };
    const kept = { summary: "## Goal\nAll", firstKeptEntryId: evil(41), tokensBefore: 9 };
    const after = turnRecords(20).map((record, i) => ({ ...record, id: evil(i + 91), parentId: evil(i + 90) }));
    const file = fileOf(lines(HEADER, ...records, { ...compaction, ...kept }, ...after), "it's\x1b[31m\u202e \\.jsonl");
    for (const args of [
      ["demo"],
      ["compact", "--keep-recent-tokens", "2000"],
      ["undo"],
      ["undo"],
      ["redo"],
      ["back"],
    ]) {
      const ran = await espalier([args[0] ?? "", file, ...args.slice(1)]);
      expect(ran.code).toBe(0);
      expect(ran.out + ran.err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }
    const typed = /espalier context (\$'.*')/.exec((await espalier(["undo", file])).out)?.[1];
    expect(execFileSync("bash", ["-c", `printf %s ${typed}`], { env: { LC_ALL: "C.UTF-8" } }).toString()).toBe(file);
  });
});

describe("wrong leaf and places", () => {
  it("an unknown --leaf names the nearest ids", async () => {
    const file = fileOf(sessionText(2));
    for (const command of [...READING, "compact"]) {
      const { code, document } = await espalierJson([command, file, "--leaf", "00000009x"]);
      expect(code).toBe(1);
      expect(document.error.code).toBe("ENTRY_NOT_FOUND");
      expect(document.error.data.near).toHaveLength(3);
    }
  });

  it("--leaf stands on that entry", async () => {
    const file = fileOf(sessionText(3));
    const { document } = await espalierJson(["context", file, "--leaf", idOf(4)]);
    expect(document.messages).toHaveLength(4);
    const tree = await espalierJson(["tree", file, "--leaf", idOf(4)]);
    expect(tree.document.leafId).toBe(idOf(4));
    expect(tree.document.nodes.filter((node: { onPath: boolean }) => node.onPath)).toHaveLength(4);
  });

  it("never writes over a file, the session itself included, and never into a folder that is not there", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const other = fileOf("precious", "other.jsonl");
    const flags = ["--keep-recent-tokens", "3000"];
    for (const out of [file, other]) {
      for (const args of [
        ["compact", file, ...flags],
        ["convert", file, "--to", "pi"],
        ["demo", file],
      ]) {
        const { code, document } = await espalierJson([...args, "--out", out]);
        expect(code).toBe(1);
        expect(document.error.code).toBe("OUT_EXISTS");
      }
    }
    const nowhere = join(folder(), "missing", "out.jsonl");
    const { code, document } = await espalierJson(["compact", file, ...flags, "--out", nowhere]);
    expect(code).toBe(1);
    expect(document.error.message).toContain(nowhere);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readFileSync(other, "utf8")).toBe("precious");
    mkdirSync(join(nowhere, ".."));
    expect(existsSync(nowhere)).toBe(false);
  });
});
