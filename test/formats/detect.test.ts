import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import { detectFormat, FORMATS, formatOf, importSession } from "../../src/formats/index.ts";
import { realSessions, SESSIONS } from "../real-sessions.ts";
import { user } from "./claude-lines.ts";

const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}';
const line = (value: unknown) => JSON.stringify(value);

/** Code and message of what is wrong with `head`. */
function problemOf(head: string | Uint8Array): [string, string] {
  const found = detectFormat(head, "x.jsonl");
  if (typeof found === "string") throw new Error(`detected ${found}`);
  return [found.problem.code, found.problem.message];
}

describe("what is read", () => {
  it.each([
    ["version 3", header],
    ["version 1", '{"type":"session","id":"s","timestamp":"t","cwd":"/","provider":"anthropic"}'],
    ["a newer version", '{"type":"session","version":4,"id":"s"}'],
    ["a BOM and CRLF", `\uFEFF${header}\r\n`],
    ["oh-my-pi's title line", `{"type":"title","title":"t"}\n${header}\n`],
    ["keys in another order", '{"id":"s","type":"session"}'],
    ["a header longer than the head", `{"type":"session","version":3,"id":"s","x":"${"y".repeat(70_000)}`],
    ["an entry glued to the header", `${header}{"type":"message","id":"a","parentId":null}`],
    ["bytes", new TextEncoder().encode(header)],
  ])("[S1] pi: %s", (_, head) => {
    expect(detectFormat(head)).toBe("pi");
  });

  it.each([
    ["a message", line(user("a", null, "go"))],
    ["a snapshot first", '{"type":"file-history-snapshot","messageId":"m","snapshot":{}}'],
    ["only summaries", '{"type":"summary","summary":"s","leafUuid":"u"}'],
    ["a broken first line", `{"type":"us\n${line(user("a", null, "go"))}`],
    ["a first line longer than the head", line(user("a", null, "x".repeat(70_000))).slice(0, 65_536)],
  ])("[S6] Claude Code: %s", (_, head) => {
    expect(detectFormat(head)).toBe("claude-code");
  });
});

describe("what is not", () => {
  it.each([
    ["Codex rollout", '{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}'],
    ["Codex rollout", '{"id":"x","timestamp":"t","instructions":null}\n{"record_type":"state"}'],
    ["opencode export", '{\n  "info": {\n "id": "ses_1", "projectID": "p", "version": "1.2.5"'],
    ["opencode database", "SQLite format 3\0"],
    ["SWE-agent trajectory", '{"environment":"main","trajectory":[{"action":"ls"'],
    ["mini-swe-agent trajectory", '{"info":{"mini_version":"1.15.0"},"messages":[]'],
    ["tau-bench result", '[{"task_id":0,"reward":1.0,"traj":['],
    ["array of chat messages", '[{"role":"user","content":"hi"}]'],
    ["Anthropic Messages log", '[{"role":"assistant","content":[{"type":"tool_use","id":"t"}]}]'],
  ])("[S6] names a %s", (title, head) => {
    const [code, message] = problemOf(head);
    expect(code).toBe("FORMAT_UNKNOWN");
    expect(message).toBe(
      `x.jsonl is a session of another kind (${title}), which this version cannot read; give a session file of pi or oh-my-pi or Claude Code.`,
    );
  });

  it.each([
    ["an empty file", "", "is empty"],
    ["blank lines", "\n \n", "is empty"],
    ["a binary", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 0xff]), "is a binary file or not UTF-8, no session"],
    ["other JSON", '{"name":"espalier","version":"1.0.0"}', "is JSON but holds no session"],
    ["a JSON number", "3", "is text but no session"],
    ["an array", "[1,2,3]", "is JSON but holds no session"],
    ["text", "# Title\n\nwords", "is text but no session"],
    [
      "entries without a header",
      '{"type":"message","id":"a","parentId":null}',
      "has entries but no session header in front of them",
    ],
  ])("[S6] says that %s is no session", (_, head, words) => {
    const [code, message] = problemOf(head);
    expect(code).toBe("NOT_A_SESSION");
    expect(message).toContain(`x.jsonl ${words}`);
  });

  it("[S6] a folder, a missing file and a native session are refused by name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "espalier-"));
    const native = join(folder, "native.jsonl");
    await writeFile(native, `${header}\n`);
    await expect(formatOf(folder)).rejects.toSatisfy((error) => EspalierError.is(error, "FILE_UNREADABLE"));
    await expect(formatOf(join(folder, "none"))).rejects.toSatisfy((error) =>
      EspalierError.is(error, "FILE_NOT_FOUND"),
    );
    await expect(importSession(native)).rejects.toThrow(TypeError);
    expect(await formatOf(native)).toBe("pi");
  });
});

it("[S6] reads a file by chunks: CRLF, U+2028 inside a text, no newline at the end", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "espalier-")), "cc.jsonl");
  const big = "é".repeat(100_000);
  await writeFile(path, `${line(user("a", null, "one\u2028two"))}\r\n\r\n${line(user("b", "a", big))}`);
  const { entries, warnings } = await importSession(path);
  expect(entries).toMatchObject([{ message: { content: "one\u2028two" } }, { message: { content: big } }]);
  expect(warnings).toEqual([]);
});

it("[S1] every format has its own id and title", () => {
  expect(new Set(FORMATS.map((one) => one.id)).size).toBe(FORMATS.length);
  expect(new Set(FORMATS.map((one) => one.title)).size).toBe(FORMATS.length);
});

describe.skipIf(!existsSync(SESSIONS))("real sessions", () => {
  it.each([
    ["pi", "pi"],
    ["claude-code", "claude-code"],
  ])("[S6] all of %s are detected", async (folder, id) => {
    for (const path of realSessions(folder)) expect([path, await formatOf(path)]).toEqual([path, id]);
  });
});
