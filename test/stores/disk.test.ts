import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { encodeEntry } from "../../src/core/session/codec.ts";
import { openSession } from "../../src/index.ts";
import { openAppender } from "../../src/stores/jsonl/append.ts";
import { openJsonlStore, writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { openSessionFile } from "../../src/stores/jsonl/session-file.ts";
import { bytesOf, chain, fileOf, HEADER, ids, message, pathIds, tempFolder } from "./jsonl/files.ts";

const folder = tempFolder();
const STORES = new URL("../../dist/stores/jsonl/index.js", import.meta.url).href;

/** A disk of 256 kB, or null where this user may not mount one. */
function smallDisk(): string | null {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], { stdio: "ignore" });
  return status === 0 ? disk : null;
}
const disk = smallDisk();
afterAll(() => {
  if (disk !== null) execFileSync("umount", [disk]);
});

/** Runs a module's text in a process of its own, with `store` opened on the file; gives what it printed. */
function inChild(file: string, text: string): unknown {
  const code = `import { openJsonlStore } from ${JSON.stringify(STORES)};
    import { writeFileSync } from "node:fs";
    const file = ${JSON.stringify(file)};
    const say = (value) => writeFileSync(1, JSON.stringify(value));
    const codeOf = (promise) => promise.then(() => null, ({ code, data }) => ({ code, data }));
    ${text}`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }));
}

describe.skipIf(disk === null)("a full disk (a small tmpfs)", () => {
  const root = disk as string;
  const fill = () => {
    const fd = openSync(join(root, "ballast"), "a");
    for (const size of [4096, 1]) {
      try {
        while (writeSync(fd, Buffer.alloc(size)) > 0);
      } catch {
        // Full, to the last byte of a page.
      }
    }
    closeSync(fd);
  };
  const free = () => rmSync(join(root, "ballast"), { force: true });
  const text = "x".repeat(3_000);

  it("[S5] an append that does not fit leaves the file as it was, and the next one that fits is right", async () => {
    const file = fileOf(join(root, "a.jsonl"), [HEADER, ...chain(2)]);
    const store = await openJsonlStore(file);
    await store.append([message("a", "e1")]);
    fill();
    let tip = "a";
    let failed = 0;
    for (let i = 0; failed < 3; i++) {
      const before = bytesOf(file);
      const error = await store.append([message(`b${i}`, tip, text), message(`c${i}`, `b${i}`, text)]).catch((e) => e);
      if (error === undefined) tip = `c${i}`;
      else {
        expect(error).toMatchObject({ code: "STORE_IO", data: { code: "ENOSPC" } });
        expect(bytesOf(file)).toBe(before);
        failed++;
      }
    }
    free();
    await store.append([message("z", tip)]);
    await store.close();
    const reopened = await openJsonlStore(file);
    expect((await pathIds(reopened)).at(-1)).toBe("z");
    expect(reopened.warnings).toEqual([]);
    await reopened.close();
    rmSync(file);
  });

  it("[R2, S5] a rewrite, a migration and a copy that do not fit leave what was there, and nothing else", async () => {
    const big = [HEADER, ...Array.from({ length: 20 }, (_, i) => message(`e${i}`, i ? `e${i - 1}` : null, text))];
    const file = fileOf(join(root, "b.jsonl"), big);
    const old = fileOf(join(root, "old.jsonl"), [
      { ...HEADER, version: 1 },
      ...Array.from({ length: 20 }, () => ({ type: "message", message: { role: "user", content: text } })),
    ]);
    const before = [bytesOf(file), bytesOf(old)];
    fill();
    const store = await openJsonlStore(file);
    await expect(store.rewrite?.([message("e3", "e2", "pruned")])).rejects.toMatchObject({ code: "STORE_IO" });
    expect(ids(await store.readPath("e19"))).toHaveLength(20);
    await store.close();
    const migrated = await openJsonlStore(old);
    const tip = migrated.position().tipId;
    await expect(migrated.append([message("n", tip)])).rejects.toMatchObject({ code: "STORE_IO" });
    await migrated.close();
    const copy = writeSessionFile(join(root, "copy.jsonl"), HEADER, [encodeEntry(message("a", null, "x".repeat(9e5)))]);
    await expect(copy).rejects.toMatchObject({ code: "STORE_IO" });
    expect([bytesOf(file), bytesOf(old)]).toEqual(before);
    free();
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp") || name.startsWith("copy"))).toEqual([]);
  });
});

it.skipIf(!existsSync("/dev/full"))("[S5] the system's own ENOSPC (/dev/full) leaves the file as it was", () => {
  const path = fileOf(join(folder, "full.jsonl"), [HEADER, ...chain(2)]);
  const before = bytesOf(path);
  const file = openSessionFile(path);
  const full = openSync("/dev/full", "w");
  const appender = openAppender(file, "always", {
    write: (_, bytes, at, length) => writeSync(full, bytes, at, length),
  });
  expect(() => appender.append([encodeEntry(message("x", "e1"))])).toThrow(
    expect.objectContaining({ code: "STORE_IO", data: { path, code: "ENOSPC" } }),
  );
  expect(bytesOf(path)).toBe(before);
  appender.close();
  file.close();
});

it.skipIf(process.getuid?.() !== 0)(
  "[S9] another user may read the session and writes nothing, not even a lock",
  () => {
    const own = join(folder, "own");
    mkdirSync(own, { mode: 0o755 });
    execFileSync("chmod", ["755", folder, own]);
    const file = fileOf(join(own, "s.jsonl"), [HEADER, ...chain(3)]);
    execFileSync("chmod", ["644", file]);
    const before = bytesOf(file);
    const seen = inChild(
      file,
      `process.setgroups([]); process.setgid(65534); process.setuid(65534);
     const store = await openJsonlStore(file);
     const path = await store.readPath(store.position().leafId);
     const entry = { type: "message", id: "x", parentId: "e2", timestamp: "t", message: { role: "user", content: "x" } };
     const tree = await store.tree();
     say({ readOnly: store.readOnly, path: path.length, tree: tree.size, append: (await codeOf(store.append([entry]))).code });
     await store.close();`,
    );
    expect(seen).toEqual({ readOnly: true, path: 3, tree: 3, append: "SESSION_READ_ONLY" });
    expect(readdirSync(own)).toEqual(["s.jsonl"]);
    expect(bytesOf(file)).toBe(before);
  },
);

it("[S9] two processes: the second writer is told the first one's pid and host, and may read meanwhile", async () => {
  const file = fileOf(join(folder, "two.jsonl"), [HEADER, ...chain(2)]);
  const store = await openJsonlStore(file);
  await store.append([message("a", "e1")]);
  const second = `const store = await openJsonlStore(file);
    const path = await store.readPath(store.position().leafId);
    const entry = { type: "message", id: "b", parentId: "a", timestamp: "t", message: { role: "user", content: "x" } };
    const refused = await codeOf(store.append([entry]));
    say({ path: path.length, code: refused?.code, pid: refused?.data?.pid, host: refused?.data?.host });
    await store.close();`;
  expect(inChild(file, second)).toEqual({ path: 3, code: "SESSION_LOCKED", pid: process.pid, host: hostname() });
  await store.close();
  expect(inChild(file, second)).toEqual({ path: 3 });
  expect(bytesOf(file).trimEnd().split("\n")).toHaveLength(5);
});

it("[S9, I3] a clock that goes backwards changes no order and no context", async () => {
  const file = join(folder, "clock.jsonl");
  let now = Date.parse("2026-06-01T00:00:00Z");
  let made = 0;
  const clock = { now: () => (now -= 86_400_000), newId: () => `c${made++}` };
  const session = await openSession(file, { create: { cwd: "/" }, clock });
  for (const content of ["one", "two", "three"]) await session.append({ role: "user", content, timestamp: 0 });
  const live = await session.context();
  await session.close();
  const reopened = await openSession(file, { clock });
  expect((await reopened.context()).messages).toEqual(live.messages);
  expect(reopened.leafId).toBe("c2");
  await reopened.close();
  expect(bytesOf(file)).toContain('"parentId":"c1"');
});
