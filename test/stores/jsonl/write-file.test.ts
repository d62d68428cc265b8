import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJsonlStore, writeSessionFile } from "../../../src/stores/jsonl/index.ts";
import { bornAt } from "../../../src/stores/jsonl/process.ts";
import { sweepTemporaries, temporaryName } from "../../../src/stores/jsonl/temporary.ts";
import { bytesOf, chain, fileOf, HEADER, message, pathIds, tempFolder } from "./files.ts";

const folder = tempFolder();
const lines = chain(5).map((entry) => JSON.stringify(entry));

describe("writeSessionFile", () => {
  it("[S1] writes a session file that opens", async () => {
    const out = join(folder, "new.jsonl");
    await writeSessionFile(out, HEADER, lines);
    const store = await openJsonlStore(out);
    expect(await pathIds(store)).toEqual(["e0", "e1", "e2", "e3", "e4"]);
    await store.close();
  });

  it("[S5] refuses a name that is taken unless it may overwrite", async () => {
    const out = join(folder, "taken.jsonl");
    writeFileSync(out, "mine");
    await expect(writeSessionFile(out, HEADER, lines)).rejects.toMatchObject({ code: "OUT_EXISTS" });
    expect(bytesOf(out)).toBe("mine");
    await writeSessionFile(out, HEADER, lines, { overwrite: true });
    expect(bytesOf(out).split("\n").length).toBe(7);
  });

  it("[S5] leaves nothing behind when its source or its folder fails", async () => {
    const out = join(folder, "half.jsonl");
    async function* failing(): AsyncGenerator<string> {
      yield lines[0] as string;
      throw new Error("source broke");
    }
    await expect(writeSessionFile(out, HEADER, failing())).rejects.toThrow("source broke");
    await expect(writeSessionFile(join(folder, "no", "x.jsonl"), HEADER, [])).rejects.toMatchObject({
      code: "STORE_IO",
    });
    expect(readdirSync(folder).filter((name) => name.includes("half") || name.includes(".tmp"))).toEqual([]);
  });
});

describe("what killed writers leave", () => {
  const STORES = new URL("../../../dist/stores/jsonl/index.js", import.meta.url).href;

  /** A process that is killed in the middle of writing `out`. */
  async function killedWhileWriting(out: string): Promise<void> {
    const code = `import { writeSessionFile } from ${JSON.stringify(STORES)};
      async function* lines() {
        yield "{}";
        process.stdout.write("writing");
        await new Promise(() => setTimeout(() => {}, 1e6));
      }
      await writeSessionFile(${JSON.stringify(out)}, ${JSON.stringify(HEADER)}, lines());`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
  }

  it("[S5] half a file is swept when a session beside it is opened for writing, and nothing else is", async () => {
    const place = join(folder, "swept");
    mkdirSync(place);
    const file = fileOf(join(place, "s.jsonl"), [HEADER, ...chain(2)]);
    await killedWhileWriting(join(place, "out.jsonl"));
    const [left = "", ...more] = readdirSync(place).filter((name) => name.endsWith(".tmp"));
    expect([more, existsSync(join(place, "out.jsonl"))]).toEqual([[], false]);
    const host = /\.([0-9a-f]{8})-/.exec(left)?.[1] as string;
    const others = [
      "notes.tmp",
      "out.jsonl.tmp",
      "out.jsonl.77.0.tmp",
      left.replace(host, "00000000"),
      basename(temporaryName("live.jsonl")),
      `${left}.bak`,
    ];
    for (const name of others) writeFileSync(join(place, name), "mine");

    const reader = await openJsonlStore(file, { readOnly: true });
    await reader.tree();
    await reader.close();
    expect(readdirSync(place)).toContain(left);
    const store = await openJsonlStore(file);
    await store.append([message("a", "e1")]);
    await store.close();
    expect(readdirSync(place).sort()).toEqual(["s.jsonl", ...others].sort());
  });

  it("[S5] half a file is swept by the next one that is written beside it", async () => {
    const place = join(folder, "again");
    mkdirSync(place);
    const out = join(place, "out.jsonl");
    await killedWhileWriting(out);
    await killedWhileWriting(out);
    // The second has removed what the first one left.
    expect(readdirSync(place)).toHaveLength(1);
    await writeSessionFile(out, HEADER, lines);
    expect(readdirSync(place)).toEqual(["out.jsonl"]);
  });

  it("[S5] a file with the pid of another, earlier process is a leftover too", {
    skip: bornAt(process.pid) === null,
  }, () => {
    const place = join(folder, "reused");
    mkdirSync(place);
    const [, host = ""] = /\.([0-9a-f]{8})-/.exec(temporaryName("x")) ?? [];
    for (const born of ["12345678", "0"]) writeFileSync(join(place, `x.${host}-${process.pid}-${born}.0.tmp`), "");
    sweepTemporaries(place);
    // Where a name does not tell the birth, a living process with that pid counts as the maker.
    expect(readdirSync(place)).toEqual([`x.${host}-${process.pid}-0.0.tmp`]);
  });
});
