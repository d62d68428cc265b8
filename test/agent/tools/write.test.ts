import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { draftName } from "../../../src/agent/tools/files/draft.ts";
import { folder, text, tools } from "./scratch.ts";

describe("write", () => {
  it("makes files and their folders, and says what was written", async () => {
    const cwd = folder();
    const result = (await tools(cwd).write?.({ path: "a/b/c.txt", content: "é\nzwei\n" }))!;
    expect(text(result)).toBe("Made a/b/c.txt: 8 bytes, 2 lines.");
    expect(result.details).toMatchObject({ bytes: 8, lines: 2 });
    expect(readFileSync(join(cwd, "a/b/c.txt"), "utf8")).toBe("é\nzwei\n");
  });

  it("replaces whole, keeps the mode, and leaves nothing beside", async () => {
    const cwd = folder({ "run.sh": "old\n" });
    chmodSync(join(cwd, "run.sh"), 0o751);
    const inode = statSync(join(cwd, "run.sh")).ino;
    const result = (await tools(cwd).write?.({ path: "run.sh", content: "new" }))!;
    expect(text(result)).toBe("Replaced run.sh: 3 bytes, 1 line.");
    expect(result.details.diff).toBe("@@ -1,2 +1,1 @@\n-old\n-\n+new");
    expect(statSync(join(cwd, "run.sh")).mode & 0o7777).toBe(0o751);
    expect(statSync(join(cwd, "run.sh")).ino).not.toBe(inode);
    expect(readdirSync(cwd)).toEqual(["run.sh"]);
  });

  it("follows a link inside and keeps it", async () => {
    const cwd = folder({ "real.txt": "old" });
    symlinkSync("real.txt", join(cwd, "link"));
    await tools(cwd).write?.({ path: "link", content: "new" });
    expect(lstatSync(join(cwd, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "real.txt"), "utf8")).toBe("new");
  });

  it("refuses folders and what leads through files", async () => {
    const cwd = folder({ "dir/a": "", "old.bin": Buffer.from([0, 255]) });
    const { write } = tools(cwd);
    await expect(write?.({ path: "dir", content: "" })).rejects.toThrow("dir is a folder; give the path of a file.");
    await expect(write?.({ path: "dir/a/b", content: "" })).rejects.toThrow(/leads through a file/);
    await expect(write?.({ path: "x" })).rejects.toThrow(/content is missing/);
    expect(text((await write?.({ path: "old.bin", content: "t" }))!)).toMatch(/^Replaced/);
    expect(readdirSync(cwd).sort()).toEqual(["dir", "old.bin"]);
  });

  it("removes the drafts of writers that were killed, and no others", async () => {
    const cwd = folder();
    const { pid: dead } = spawnSync(process.execPath, ["-e", ""]);
    const draft = (host: string, pid: number) => `.espalier-${host}-${pid}-0123456789abcdef.part`;
    const ours = /-([0-9a-f]{8})-/.exec(draftName())?.[1] ?? "";
    const left = [draft(ours, process.pid), draft("00000000", dead), ".0123456789abcdef.part", "x.part"];
    for (const name of [draft(ours, dead), ...left]) writeFileSync(join(cwd, name), "half");
    await tools(cwd).write?.({ path: "a", content: "x" });
    expect(readdirSync(cwd).sort()).toEqual([...left, "a"].sort());
    writeFileSync(join(cwd, draft(ours, dead)), "half");
    await tools(cwd).write?.({ path: "b", content: "x" });
    expect(readdirSync(cwd)).toContain(draft(ours, dead));
  });

  it("writes lone surrogates as the replacement character", async () => {
    const cwd = folder();
    await tools(cwd).write?.({ path: "a", content: "x\ud800y" });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("x\uFFFDy");
  });

  it("does not write through a folder that was exchanged for a link while the user was asked", async () => {
    const outside = folder();
    const cwd = folder({ "dir/a": "" });
    const ask = async () => {
      renameSync(join(cwd, "dir"), join(cwd, "was"));
      symlinkSync(outside, join(cwd, "dir"));
      return "once" as const;
    };
    await expect(tools(cwd, { ask }).write?.({ path: "dir/b", content: "x" })).rejects.toThrow(/leads elsewhere now/);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("writes nothing after an abort", async () => {
    const cwd = folder();
    const stop = new AbortController();
    const ask = async () => {
      stop.abort();
      return "once" as const;
    };
    await expect(tools(cwd, { ask }).write?.({ path: "a", content: "x" }, stop.signal)).rejects.toThrow(/Interrupted/);
    await expect(tools(cwd).write?.({ path: "a", content: "x" }, stop.signal)).rejects.toThrow(/Interrupted/);
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)("leaves a read-only file alone", async () => {
    const cwd = folder({ a: "old" });
    chmodSync(join(cwd, "a"), 0o444);
    await expect(tools(cwd).write?.({ path: "a", content: "x" })).rejects.toThrow(/permission denied/);
    mkdirSync(join(cwd, "dir"), { mode: 0o555 });
    await expect(tools(cwd).write?.({ path: "dir/b", content: "x" })).rejects.toThrow(/permission denied/);
  });
});
