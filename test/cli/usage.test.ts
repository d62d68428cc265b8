import { closeSync, openSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { espalier, espalierJson, fileOf } from "./run.ts";
import { sessionText } from "./session-text.ts";

describe("wrong usage", () => {
  for (const [what, args, hint] of [
    ["an unknown command", ["compcat", "x"], "compact"],
    ["an unknown flag", ["compact", "x", "--dry-rum"], "--dry-run"],
    ["a missing file", ["context"], "file"],
    ["a flag without its value", ["compact", "x", "--out"], "--out"],
    ["a value out of choice", ["context", "x", "--format", "gemini"], "anthropic"],
    ["a missing required flag", ["convert", "x", "--to", "pi"], "--out"],
    ["too many arguments", ["tree", "a", "b"], "tree --help"],
    ["help for an unknown command", ["help", "compcat"], "Did you mean compact?"],
    ["a file without a name", ["stats", ""], "The file's name is empty"],
    ["a place without a name", ["compact", "x", "--out", ""], "--out is empty"],
    ["a session without a name", ["chat", "-p", "x", "--session", ""], "--session is empty"],
    ["no words to look for", ["recall", "x", " "], "--entry ID"],
    ["a number that is none", ["compact", "x", "--window", "60k"], "--window"],
    ["a number out of range", ["compact", "x", "--keep-recent-tokens", "0"], "--keep-recent-tokens"],
  ] as const) {
    it(`${what} exits 2 with one line that helps`, async () => {
      const ran = await espalier(args);
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
      expect(ran.err).toContain(hint);
    });
  }

  it("is one JSON document with --json, exit 2", async () => {
    const ran = await espalierJson(["compact", "x", "--bogus"]);
    expect(ran).toMatchObject({ code: 2, err: "", document: { status: "failed", error: { code: "USAGE" } } });
  });
});

describe("help", () => {
  it("lists every command, and each command its flags", async () => {
    const ran = await espalier(["--help"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    for (const name of ["compact", "context", "explain", "tree", "stats", "convert", "settings", "demo"]) {
      expect(ran.out).toMatch(new RegExp(`^ {2}${name} `, "m"));
    }
    const compact = await espalier(["compact", "--help"]);
    for (const flag of [
      "--dry-run",
      "--out",
      "--window",
      "--keep-recent-tokens",
      "--retain-none",
      "--leaf",
      "--json",
    ]) {
      expect(compact.out).toContain(flag);
    }
    expect((await espalier(["--help"])).out).toContain("Usage: espalier");
    expect((await espalier(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("output", () => {
  it("has no colour where there is no terminal, and colour when it is forced", async () => {
    const file = fileOf(sessionText(3));
    expect((await espalier(["context", file])).out).not.toContain("\x1b");
    const forced = await espalier(["context", file], { env: { FORCE_COLOR: "1" } });
    expect(forced.out).toContain("\x1b[");
    const no = await espalier(["context", file], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(no.out).not.toContain("\x1b");
  });

  it("fits the width", async () => {
    const file = fileOf(sessionText(30));
    for (const command of ["context", "explain", "tree", "stats"]) {
      const ran = await espalier([command, file], { env: { COLUMNS: "60" } });
      expect(ran.code).toBe(0);
      const body = ran.out.split("\n").slice(1);
      expect(Math.max(...body.map((line) => line.length))).toBeLessThanOrEqual(60);
    }
  });

  it("says when its output can't be written", async () => {
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const cut = await espalier(["explain", fileOf(sessionText(2))], { stdout: full });
    expect(cut).toMatchObject({ code: 1, err: "espalier: Standard output can't be written (ENOSPC).\n" });
  });

  it("stops quietly when the reader has seen enough", async () => {
    const file = fileOf(sessionText(2000));
    const ran = await espalier(["explain", file], {
      started: (child) => child.stdout?.once("data", () => child.stdout?.destroy()),
    });
    expect(ran).toMatchObject({ code: 0, err: "" });
  });
});
