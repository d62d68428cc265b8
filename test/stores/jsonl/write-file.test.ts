import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJsonlStore, writeSessionFile } from "../../../src/stores/jsonl/index.ts";
import { bytesOf, chain, HEADER, pathIds, tempFolder } from "./files.ts";

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
