import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type Ask, createPermission, type PermissionAnswer } from "../../../src/agent/tools/permission/permission.ts";
import { parseRule } from "../../../src/agent/tools/permission/rules.ts";
import { matchesPath, matchesText } from "../../../src/agent/tools/permission/wildcard.ts";
import { folder, tools } from "./scratch.ts";

const CWD = "/home/me/work";
const allows = (rule: string, command: string) => parseRule(rule, CWD)({ tool: "bash", command });
const allowsPath = (rule: string, path: string) => parseRule(rule, CWD)({ tool: "write", path });

describe("a rule", () => {
  it("allows its tool and no other", () => {
    expect(parseRule("write", CWD)({ tool: "write", path: "a" })).toBe(true);
    expect(parseRule("write", CWD)({ tool: "edit", path: "a" })).toBe(false);
    expect(parseRule(" bash ", CWD)({ tool: "bash", command: "a; b" })).toBe(true);
  });

  it("without * allows exactly its command", () => {
    expect(allows("bash(npm test)", "npm test")).toBe(true);
    expect(allows("bash(npm test)", " npm test\n")).toBe(true);
    expect(allows("bash(npm run a && npm run b)", "npm run a && npm run b")).toBe(true);
    for (const other of ["npm test x", "npm tests", "xnpm test", "npm test; x", "npm  test"]) {
      expect(allows("bash(npm test)", other), other).toBe(false);
    }
  });

  it.each([
    "git status; rm -rf x",
    "git status && rm x",
    "git status || rm x",
    "git status & rm x",
    "git status | sh",
    "git status |& sh",
    "git status $(rm x)",
    "git status `rm x`",
    'git status "$(rm x)"',
    'git status "`rm x`"',
    "git status\nrm x",
    "git status\rrm x",
    "git status > ~/.bashrc",
    "git status >> x",
    "git status < /etc/passwd",
    "git status <(rm x)",
    "git status $IFS",
    "git status $" + "{x@P}",
    "git status $'a\\nb'",
    "git status 'open",
    'git status "open',
    "git status \\",
    "git status '\\' ; rm x '",
    'git status "\\"; rm x',
    "git status # rest",
    "git status\u0000x",
    "GIT_PAGER=evil git status",
    "git status (x)",
  ])("with * does not allow more than a simple command: %j", (command) => {
    expect(allows("bash(git *)", command)).toBe(false);
    expect(allows("bash(*)", command)).toBe(false);
  });

  it("with * allows simple commands, quoted characters included", () => {
    for (const command of [
      "git status",
      "git status --short -- 'a; b' \"c | d\"",
      "git commit -m 'it costs $5 `now`'",
      'git commit -m "a \\"quoted\\" word; and a \\$"',
      "git show HEAD@{1} a\\;b x#y",
      "git log --grep=a*b?",
    ]) {
      expect(allows("bash(git *)", command), command).toBe(true);
    }
    expect(allows("bash(git status*)", "git status")).toBe(true);
    expect(allows("bash(git status*)", "git stash")).toBe(false);
    expect(allows("bash(rm * --dry-run)", "rm x # --dry-run")).toBe(false);
  });

  it("of paths is taken from the working directory", () => {
    for (const path of ["src/a.ts", "src/deep/er/b.ts", `${CWD}/src/c`])
      expect(allowsPath("write(src/**)", path)).toBe(true);
    for (const path of ["a.ts", "srcx/a", "src/../a.ts", "/src/a", "x/src/a"])
      expect(allowsPath("write(src/**)", path)).toBe(false);
    expect(allowsPath("write(*.md)", "a.md")).toBe(true);
    expect(allowsPath("write(*.md)", "docs/a.md")).toBe(false);
    expect(allowsPath("write(**/*.md)", "docs/x/a.md")).toBe(true);
    expect(allowsPath("write(**/*.md)", "a.md")).toBe(true);
    expect(allowsPath("write(/data/**)", "/data/x")).toBe(true);
    expect(allowsPath("write(./src/./a.ts)", "src/a.ts")).toBe(true);
  });

  it("takes its working directory as it is named, stars and all", () => {
    const rule = parseRule("write(a)", "/odd/*/[x]");
    expect(rule({ tool: "write", path: "a" })).toBe(true);
  });

  it("that is none is told", () => {
    for (const text of ["", "read", "bash(", "bash()", "rm", "write(a) x"]) {
      expect(() => parseRule(text, CWD), text).toThrow(expect.objectContaining({ code: "SETTING_INVALID" }));
    }
  });

  it("never hangs on a pattern", () => {
    expect(matchesText("*a".repeat(500), "a".repeat(20_000))).toBe(true);
    expect(matchesText(`${"*a".repeat(500)}b`, "a".repeat(20_000))).toBe(false);
    expect(matchesPath(`${"**/a/".repeat(50)}b`, "a/".repeat(2_000))).toBe(false);
  });
});

describe("permission", () => {
  const answering = (...answers: PermissionAnswer[]) => vi.fn<Ask>(async () => answers.shift() ?? "deny");
  const bash = (command: string) => ({ tool: "bash" as const, command });
  const path = (tool: "write" | "edit", path: string) => ({ tool, path });

  it("without anybody to ask is denied in a sentence that says how to allow it", async () => {
    const permit = createPermission({ cwd: CWD, allow: ["bash(npm test)"] });
    await permit(bash("npm test"));
    await expect(permit(bash("rm -rf x"))).rejects.toThrow(
      /nobody can be asked.*by the rule `bash\(rm -rf x\)`, or by `bash`/,
    );
    await expect(permit(path("write", "a"))).rejects.toThrow(/`write\(a\)`/);
    await createPermission({ cwd: CWD, allowAll: true })(bash("rm -rf x"));
  });

  it("once is once; always is this command, or this tool on this path", async () => {
    const ask = answering("once", "always", "always", "deny");
    const permit = createPermission({ cwd: CWD, ask });
    await permit(bash("make"));
    await permit(bash("make"));
    await permit(bash("make"));
    expect(ask).toHaveBeenCalledTimes(2);
    await permit(path("write", "a"));
    await permit(path("write", "a"));
    expect(ask).toHaveBeenCalledTimes(3);
    await expect(permit(bash("make; rm x"))).rejects.toThrow(/did not allow/);
    await expect(permit(path("edit", "a"))).rejects.toThrow(/did not allow/);
    await expect(permit(path("write", "b"))).rejects.toThrow(/did not allow/);
  });

  it("asks one at a time, and not again for what an answer has settled", async () => {
    let open = 0;
    let most = 0;
    const ask = vi.fn<Ask>(async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 10));
      open--;
      return "always";
    });
    const permit = createPermission({ cwd: CWD, ask });
    await Promise.all([permit(bash("a")), permit(bash("b")), permit(bash("a")), permit(bash("b"))]);
    expect([most, ask.mock.calls.length]).toEqual([1, 2]);
  });

  it("ends at once on abort, asked or waiting, and the next is asked", async () => {
    const never = new Promise<PermissionAnswer>(() => {});
    const ask = vi.fn<Ask>(() => never).mockReturnValueOnce(never);
    const permit = createPermission({ cwd: CWD, ask });
    const stop = new AbortController();
    const first = permit(bash("a"), stop.signal);
    const second = permit(bash("b"), stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await expect(first).rejects.toThrow(/Interrupted/);
    await expect(second).rejects.toThrow(/Interrupted/);
    expect(ask).toHaveBeenCalledTimes(1);
    ask.mockResolvedValueOnce("once");
    await permit(bash("c"));
  });

  it("is denied by any answer but yes, and by a question that fails", async () => {
    const odd = createPermission({ cwd: CWD, ask: async () => "perhaps" as PermissionAnswer });
    await expect(odd(bash("a"))).rejects.toThrow(/did not allow/);
    const failing = createPermission({ cwd: CWD, ask: () => Promise.reject(new Error("no terminal")) });
    await expect(failing(bash("a"))).rejects.toThrow("no terminal");
  });

  it("is asked by write, edit and bash with what they would do; read asks nobody", async () => {
    const cwd = folder({ "a.txt": "one\n" });
    const ask = vi.fn<Ask>(async () => "deny");
    const { read, write, edit, bash: run } = tools(cwd, { ask });
    await read?.({ path: "a.txt" });
    expect(ask).not.toHaveBeenCalled();
    await expect(write?.({ path: "./b.txt", content: "new\n" })).rejects.toThrow(/did not allow write\(b.txt\)/);
    await expect(edit?.({ path: "a.txt", oldText: "one", newText: "two" })).rejects.toThrow(/did not allow/);
    await expect(run?.({ command: "touch c.txt" })).rejects.toThrow(/did not allow/);
    expect(ask.mock.calls.map(([request]) => request)).toEqual([
      { tool: "write", path: "b.txt", preview: expect.stringContaining("+new") },
      { tool: "edit", path: "a.txt", preview: expect.stringContaining("-one\n+two") },
      { tool: "bash", command: "touch c.txt" },
    ]);
    expect(["b.txt", "c.txt"].some((name) => existsSync(join(cwd, name)))).toBe(false);
  });
});
