import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/agent/tools/files/workspace.ts";
import { folder, text, tools } from "./scratch.ts";

const OUTSIDE = /leads out of the working directory/;

describe("a path of the model", () => {
  it("leads to files inside, there or not, by whatever spelling", async () => {
    const cwd = folder({ "src/a.ts": "a" });
    const workspace = openWorkspace({ cwd });
    for (const path of ["src/a.ts", "./src/../src/a.ts", join(cwd, "src/a.ts"), "src//a.ts"]) {
      expect(await workspace.resolve(path)).toEqual({ path: join(cwd, "src/a.ts"), shown: "src/a.ts" });
    }
    expect((await workspace.resolve("new/deep/b.ts")).path).toBe(join(cwd, "new/deep/b.ts"));
    expect((await workspace.resolve(".")).shown).toBe(".");
    expect((await workspace.resolve("..a/...b")).shown).toBe("..a/...b");
  });

  it("does not lead out by .., from the root, by ~, or to a folder that only begins alike", async () => {
    const cwd = folder({ "in/a": "" });
    const workspace = openWorkspace({ cwd: join(cwd, "in") });
    mkdirSync(join(cwd, "inside-not"));
    for (const path of ["..", "../x", "/etc/passwd", "~", "~/x", "a/../../x", `${cwd}/inside-not/x`, "/"]) {
      await expect(workspace.resolve(path), path).rejects.toThrow(OUTSIDE);
    }
    await expect(workspace.resolve("a\0b")).rejects.toThrow(/NUL/);
    await expect(workspace.resolve(" ")).rejects.toThrow(/empty/);
    await expect(workspace.resolve("a/b")).rejects.toThrow(/leads through a file/);
    await expect(workspace.resolve("x".repeat(300))).rejects.toThrow(/too long a name/);
  });

  it("does not lead out by links: to files, to folders in the middle, to nothing, in chains and circles", async () => {
    const outside = folder({ "secret.txt": "s", "dir/x": "" });
    const cwd = folder({ "real/a": "" });
    symlinkSync(join(outside, "secret.txt"), join(cwd, "file"));
    symlinkSync(join(outside, "dir"), join(cwd, "dir"));
    symlinkSync(join(outside, "not-yet"), join(cwd, "dangling"));
    symlinkSync("dangling", join(cwd, "chain"));
    symlinkSync("../../..", join(cwd, "real/up"));
    symlinkSync("loop", join(cwd, "loop"));
    const workspace = openWorkspace({ cwd });
    for (const path of ["file", "dir/x", "dir/new/deep", "dangling", "dangling/x", "chain", "real/up/etc"]) {
      await expect(workspace.resolve(path), path).rejects.toThrow(OUTSIDE);
    }
    await expect(workspace.resolve("loop")).rejects.toThrow(/circle/);
  });

  it("follows links that stay inside, and goes where roots allow", async () => {
    const outside = folder({ "b.txt": "b" });
    const cwd = folder({ "a.txt": "a" });
    symlinkSync("a.txt", join(cwd, "link"));
    symlinkSync("later/file", join(cwd, "early"));
    symlinkSync(outside, join(cwd, "other"));
    const workspace = openWorkspace({ cwd, roots: [outside] });
    expect((await workspace.resolve("link")).shown).toBe("a.txt");
    expect((await workspace.resolve("early")).shown).toBe("later/file");
    expect((await workspace.resolve("other/b.txt")).path).toBe(join(outside, "b.txt"));
    expect((await openWorkspace({ cwd, roots: ["~"] }).resolve("~/x")).path).toBe(join(homedir(), "x"));
    await expect(workspace.resolve("/etc")).rejects.toThrow(/use a path inside/);
  });

  it("is judged again when it is opened: a link put in its way meanwhile is not followed", async () => {
    const outside = folder({ "a.txt": "secret" });
    const cwd = folder({ "dir/a.txt": "mine" });
    const workspace = openWorkspace({ cwd });
    const place = await workspace.resolve("dir/a.txt");
    renameSync(join(cwd, "dir"), join(cwd, "was"));
    symlinkSync(outside, join(cwd, "dir"));
    await expect(workspace.open(place)).rejects.toThrow(/leads elsewhere now/);
    const file = await workspace.resolve("was/a.txt");
    renameSync(join(cwd, "was/a.txt"), join(cwd, "was/b.txt"));
    symlinkSync(join(outside, "a.txt"), join(cwd, "was/a.txt"));
    await expect(workspace.open(file)).rejects.toThrow(/symbolic link/);
  });

  it("is refused by every tool alike", async () => {
    const outside = folder({ "secret.txt": "s" });
    const cwd = folder();
    symlinkSync(join(outside, "secret.txt"), join(cwd, "link"));
    symlinkSync(join(outside, "made"), join(cwd, "dangling"));
    const { read, write, edit } = tools(cwd);
    await expect(read?.({ path: "link" })).rejects.toThrow(OUTSIDE);
    await expect(write?.({ path: "link", content: "x" })).rejects.toThrow(OUTSIDE);
    await expect(write?.({ path: "dangling", content: "x" })).rejects.toThrow(OUTSIDE);
    await expect(edit?.({ path: "link", oldText: "s", newText: "t" })).rejects.toThrow(OUTSIDE);
    writeFileSync(join(cwd, "a"), "fine");
    expect(text((await read?.({ path: "a" }))!)).toBe("fine");
  });

  it("needs a working directory", () => {
    expect(() => openWorkspace({ cwd: "/no/such/folder" })).toThrow(TypeError);
  });
});
