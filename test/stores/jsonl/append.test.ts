import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeEntry } from "../../../src/core/session/codec.ts";
import { openAppender } from "../../../src/stores/jsonl/append.ts";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { openSessionFile } from "../../../src/stores/jsonl/session-file.ts";
import { bytesOf, chain, codes, fileOf, HEADER, marker, message, pathIds, streamIds, tempFolder } from "./files.ts";

const folder = tempFolder();
let made = 0;
const path = () => join(folder, `${made++}.jsonl`);

describe("appending", () => {
  it("[S5] only adds bytes: the old ones stay as a prefix, odd lines included", async () => {
    const file = fileOf(path(), [
      HEADER,
      '{ "type":"odd",  "id":"o", "parentId":null, "x":1.50 }',
      "broken",
      message("a", "o"),
    ]);
    const before = bytesOf(file);
    const store = await openJsonlStore(file);
    await store.append([message("b", "a"), message("c", "b")]);
    await store.append([message("d", "c")]);
    await store.close();
    const after = bytesOf(file);
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toBe(
      `${[message("b", "a"), message("c", "b"), message("d", "c")].map(encodeEntry).join("\n")}\n`,
    );
  });

  it("[S5] a read or a refused append writes nothing, not even a lock", async () => {
    const file = fileOf(path(), [HEADER, ...chain(3)]);
    const before = bytesOf(file);
    const store = await openJsonlStore(file);
    await store.tree();
    await streamIds(store);
    await expect(store.append([message("x", "nobody")])).rejects.toMatchObject({ code: "ENTRY_INVALID" });
    await store.append([]);
    expect(existsSync(`${file}.lock`)).toBe(false);
    await store.close();
    expect(bytesOf(file)).toBe(before);
  });

  it("[S5] after a full disk the file is as before, and the next append works", () => {
    const path1 = fileOf(path(), [HEADER, ...chain(2)]);
    const before = bytesOf(path1);
    const file = openSessionFile(path1);
    let room = 0;
    const appender = openAppender(file, "never", {
      write(fd, bytes, offset, length) {
        if (room <= 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        const written = writeSync(fd, bytes, offset, Math.min(room, length));
        room -= written;
        return written;
      },
    });
    for (const space of [0, 1, 50, 120]) {
      room = space;
      expect(() => appender.append([encodeEntry(message("x", "e1"))])).toThrow(
        expect.objectContaining({ code: "STORE_IO", data: { path: path1, code: "ENOSPC" } }),
      );
      expect(bytesOf(path1)).toBe(before);
    }
    room = 1_000;
    appender.append([encodeEntry(message("x", "e1"))]);
    expect(bytesOf(path1)).toBe(`${before}${encodeEntry(message("x", "e1"))}\n`);
    appender.close();
    file.close();
  });

  it("[S6] a torn last line is left where it is, reported, and the next append starts on a fresh line", async () => {
    const file = fileOf(path(), [HEADER, message("a", null), '{"type":"message","id":"b","par'], "");
    const before = bytesOf(file);
    const store = await openJsonlStore(file);
    expect(store.position()).toEqual({ leafId: "a", tipId: "a" });
    expect(codes(store)).toEqual(["TORN_LINE"]);
    await store.append([message("c", "a")]);
    expect(bytesOf(file).startsWith(before)).toBe(true);
    expect(await pathIds(store)).toEqual(["a", "c"]);
    await store.close();
    const again = await openJsonlStore(file);
    expect(await pathIds(again)).toEqual(["a", "c"]);
    expect(await streamIds(again)).toEqual(["a", "c"]);
    expect(again.warnings).toMatchObject([{ code: "BAD_LINE", line: 3 }]);
    await again.close();
  });

  it("[I3] copies cut at every byte of the last three entries open, hold what was whole, and append right", async () => {
    const file = path();
    const entries = [
      ...chain(5),
      message("t", "e4", 'inner {"a":{}} braces'),
      marker("m", "e1"),
      message("u", "m", "ü}"),
    ];
    fileOf(file, [HEADER, ...entries]);
    const whole = readFileSync(file);
    const ends: number[] = [];
    for (let at = whole.indexOf(10); at !== -1; at = whole.indexOf(10, at + 1)) ends.push(at);
    const from = ends[5] as number;
    for (let cut = from + 1; cut <= whole.length; cut++) {
      const copy = join(folder, "cut.jsonl");
      writeFileSync(copy, whole.subarray(0, cut));
      const left = entries.slice(0, ends.filter((end) => end <= cut).length - 1);
      const store = await openJsonlStore(copy);
      const last = left.at(-1) as (typeof entries)[number];
      expect(store.position(), `cut at ${cut}`).toEqual({ leafId: last.id === "m" ? "e1" : last.id, tipId: last.id });
      await store.append([message("next", last.id)]);
      const path1 = await store.readPath("next");
      await store.close();
      const again = await openJsonlStore(copy);
      expect(await again.readPath("next")).toEqual(path1);
      expect([...(await again.tree()).ids()]).toEqual([...left.map(({ id }) => id), "next"]);
      expect(await streamIds(again)).toEqual([...left.map(({ id }) => id), "next"]);
      await again.close();
    }
  });
});

describe("other programs", () => {
  it("[S9] a file replaced by renaming is told by SESSION_CHANGED, and the new file stays untouched", async () => {
    const file = fileOf(path(), [HEADER, ...chain(2)]);
    const store = await openJsonlStore(file);
    await store.append([message("a", "e1")]);
    const other = fileOf(path(), [HEADER, ...chain(2), message("z", "e1")]);
    const before = bytesOf(other);
    renameSync(other, file);
    await expect(store.append([message("b", "a")])).rejects.toMatchObject({ code: "SESSION_CHANGED" });
    expect(bytesOf(file)).toBe(before);
    expect(await pathIds(store)).toEqual(["e0", "e1", "a"]);
    await store.close();
  });

  it("[S9] a file that grew, shrank or went away is told by SESSION_CHANGED, and no lock stays behind", async () => {
    const changes: [string, (file: string) => void][] = [
      ["added to", (file) => appendFileSync(file, `${encodeEntry(message("z", "e1"))}\n`)],
      ["cut short", (file) => truncateSync(file, 100)],
      ["removed", (file) => renameSync(file, `${file}.away`)],
    ];
    for (const [how, change] of changes) {
      const file = fileOf(path(), [HEADER, ...chain(2)]);
      const store = await openJsonlStore(file);
      change(file);
      const failure = { code: "SESSION_CHANGED", message: expect.stringContaining(how) };
      await expect(store.append([message("b", "e1")])).rejects.toMatchObject(failure);
      expect(existsSync(`${file}.lock`)).toBe(false);
      await store.close();
    }
  });

  it("[S9] two writers: the second is refused with the holder's pid and host until the first closes", async () => {
    const file = fileOf(path(), [HEADER, ...chain(2)]);
    const first = await openJsonlStore(file);
    const second = await openJsonlStore(file);
    await first.append([message("a", "e1")]);
    await expect(second.append([message("b", "e1")])).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      data: { pid: process.pid, host: hostname() },
    });
    await first.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
    await expect(second.append([message("b", "e1")])).rejects.toMatchObject({ code: "SESSION_CHANGED" });
    await second.close();
    const third = await openJsonlStore(file);
    await third.append([message("b", "a")]);
    expect(await pathIds(third)).toEqual(["e0", "e1", "a", "b"]);
    await third.close();
  });

  it("[S9] claimed at opening: a second claim is refused before it reads, and nothing stays locked behind", async () => {
    const file = fileOf(path(), [HEADER, ...chain(2)]);
    const first = await openJsonlStore(file, { claim: true });
    await expect(openJsonlStore(file, { claim: true })).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      data: { pid: process.pid, host: hostname() },
    });
    await first.append([message("a", "e1")]);
    await first.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
    const second = await openJsonlStore(file, { claim: true });
    await second.append([message("b", "a")]);
    expect(await pathIds(second)).toEqual(["e0", "e1", "a", "b"]);
    await second.close();
    const idle = await openJsonlStore(file, { claim: true });
    await idle.close();
    const noSession = fileOf(path(), ["no session"]);
    await expect(openJsonlStore(noSession, { claim: true })).rejects.toMatchObject({ code: "NOT_A_SESSION" });
    const newer = await openJsonlStore(fileOf(path(), [{ ...HEADER, version: 99 }]), { claim: true });
    expect(newer.readOnly).toBe(true);
    await newer.close();
    for (const each of [file, noSession, newer.location]) expect(existsSync(`${each}.lock`)).toBe(false);
  });

  it("[S9] a named pipe in the lock's place holds nobody up", async () => {
    const file = fileOf(path(), [HEADER, ...chain(2)]);
    execFileSync("mkfifo", [`${file}.lock`]);
    await expect(openJsonlStore(file, { claim: true })).rejects.toMatchObject({ code: "SESSION_LOCKED" });
  });

  it("[S9] the lock of a process that is gone is taken over, that of a live or foreign one is not", async () => {
    const gone = execFileSync(process.execPath, ["-p", "process.pid"]).toString().trim();
    const sleeper = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    try {
      const holders: [string, object | string, boolean][] = [
        ["gone", { pid: Number(gone), host: hostname(), startedAt: "t", born: null }, true],
        [
          "an earlier process with our pid",
          { pid: process.pid, host: hostname(), startedAt: "t", born: "other" },
          true,
        ],
        ["live", { pid: sleeper.pid, host: hostname(), startedAt: "t", born: null }, false],
        ["foreign", { pid: Number(gone), host: "elsewhere", startedAt: "t", born: null }, false],
        ["just being written", "", false],
      ];
      for (const [name, holder, taken] of holders) {
        const file = fileOf(path(), [HEADER, ...chain(2)]);
        writeFileSync(`${file}.lock`, typeof holder === "string" ? holder : JSON.stringify(holder));
        const store = await openJsonlStore(file);
        const append = store.append([message("a", "e1")]);
        if (taken) await append;
        else await expect(append, name).rejects.toMatchObject({ code: "SESSION_LOCKED" });
        await store.close();
        expect(existsSync(`${file}.lock`), name).toBe(!taken);
        expect(existsSync(`${file}.lock.takeover`)).toBe(false);
      }
    } finally {
      sleeper.kill();
    }
  });
});

describe("long lines", () => {
  it("[S10] entries over chunk borders and over the whole-line limit are read from both ends", async () => {
    const big = (id: string, parentId: string | null, size: number) =>
      message(id, parentId, `}{"x":${"é".repeat(size / 2)}`);
    const file = fileOf(path(), [
      HEADER,
      message("a", null),
      big("b", "a", 3 << 20),
      message("c", "b"),
      big("d", "c", 18 << 20),
      message("e", "d"),
      big("f", "e", 200_000),
    ]);
    const expected = ["a", "b", "c", "d", "e", "f"];
    const tail = await openJsonlStore(file);
    expect(await pathIds(tail)).toEqual(expected);
    const full = await openJsonlStore(file);
    expect([...(await full.tree()).ids()]).toEqual(expected);
    expect(await streamIds(full)).toEqual(expected);
    expect(await streamIds(full, { fromLine: 4, toLine: 6 })).toEqual(["c", "d", "e"]);
    expect(full.warnings).toEqual([]);
    await Promise.all([tail.close(), full.close()]);
  });

  it("[S6] a record glued to one over the whole-line limit is found", async () => {
    const long = JSON.stringify(message("b", "a", "x".repeat(17 << 20)));
    const lines = [HEADER, message("a", null), long + JSON.stringify(message("c", "b")), message("d", "c")];
    const file = fileOf(path(), lines);
    const copy = path();
    copyFileSync(file, copy);
    const tail = await openJsonlStore(copy);
    expect(await pathIds(tail)).toEqual(["a", "b", "c", "d"]);
    expect((await tail.tree()).path("d")).toEqual(["a", "b", "c", "d"]);
    await tail.close();
  });
});
