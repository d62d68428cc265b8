import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../../src/core/session/entry.ts";
import { openSession } from "../../../src/index.ts";
import { openJsonlStore, writeSessionFile } from "../../../src/stores/jsonl/index.ts";
import { espalierJson } from "../../cli/run.ts";
import { havePi, piItself } from "../../formats/pi-itself.ts";
import { codes, fileOf, HEADER, message, tempFolder } from "./files.ts";

const root = tempFolder();
let folders = 0;

/** A session file in a folder of its own, with one message of text. */
function fresh(): string {
  const folder = join(root, String(++folders));
  mkdirSync(folder);
  return fileOf(join(folder, "s.jsonl"), [HEADER, message("a", null)]);
}

const png = (seed: number) => Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * seed) % 251)).toString("base64");
const image = (data: string) => ({ type: "image" as const, data, mimeType: "image/png" });
const shown = (id: string, parentId: string, ...data: string[]): Entry =>
  ({
    ...message(id, parentId),
    message: { role: "user", content: [{ type: "text", text: "look" }, ...data.map(image)] },
  }) as Entry;
const blobsOf = (path: string) => {
  const folder = join(dirname(path), "blobs");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

async function stored(path: string, entries: readonly Entry[], blobs?: "inline" | "extract"): Promise<void> {
  const store = await openJsonlStore(path, { blobs });
  await store.append(entries);
  await store.close();
}

describe("images", () => {
  it("[S12] stay in the file by default", async () => {
    const path = fresh();
    await stored(path, [shown("b", "a", png(7))]);
    expect(blobsOf(path)).toEqual([]);
    expect(readFileSync(path, "utf8")).toContain(png(7));
  });

  it("[S12] are taken out and put back, one file for the same picture, wherever blocks stand", async () => {
    const path = fresh();
    const custom = { ...message("c", "b"), type: "custom_message", customType: "x", content: [image(png(11))] };
    const edit = {
      ...message("d", "c"),
      type: "context_edit",
      targetId: "b",
      replacement: { content: [image(png(7))] },
    };
    const entries = [shown("b", "a", png(7), png(7)), custom, edit] as unknown as Entry[];
    await stored(path, entries, "extract");
    expect(blobsOf(path)).toHaveLength(2);
    expect(readFileSync(path, "utf8")).not.toContain(png(7));
    expect(readFileSync(path).length).toBeLessThan(2500);
    const store = await openJsonlStore(path);
    expect((await store.readPath("d")).slice(1)).toEqual(entries);
    expect(await store.read(["b"])).toEqual([entries[0]]);
    for await (const { entry, raw } of store.entries()) expect(JSON.parse(raw)).toEqual(entry);
    expect(store.warnings).toEqual([]);
    await store.close();
  });

  it("[S12] small ones and data that would not come back the same stay in the file", async () => {
    const path = fresh();
    const odd = `${png(7)}\n`;
    await stored(path, [shown("b", "a", Buffer.from("tiny").toString("base64"), odd)], "extract");
    expect(blobsOf(path)).toEqual([]);
  });

  it("[S12] a missing or damaged one is a placeholder and a warning, and the same reference when written again", async () => {
    const path = fresh();
    await stored(path, [shown("b", "a", png(7)), shown("c", "b", png(11))], "extract");
    const line = readFileSync(path, "utf8").split("\n")[2];
    const [one = "", two = ""] = blobsOf(path);
    rmSync(join(dirname(path), "blobs", one));
    writeFileSync(join(dirname(path), "blobs", two), "cut");
    const store = await openJsonlStore(path);
    const [entry] = await store.read(["b"]);
    expect(JSON.stringify(entry)).toMatch(/\[Image missing: image\/png, blobs\/sha256-[0-9a-f]{64}\]/);
    await store.read(["c"]);
    expect(codes(store)).toEqual(["BLOB_MISSING", "BLOB_MISSING"]);
    await store.rewrite?.([entry as Entry]);
    await store.close();
    expect(readFileSync(path, "utf8").split("\n")[2]).toBe(line);
    const session = await openSession(path, { readOnly: true });
    expect((await session.context()).messages).toHaveLength(3);
    await session.close();
  });

  it("[S12] a reference never leads out of its folder", async () => {
    const path = fresh();
    writeFileSync(join(dirname(path), "secret"), "secret");
    for (const [n, data] of ["blob:sha256:../secret", `blob:sha256:${"A".repeat(64)}`, "blob:sha256:"].entries()) {
      await stored(path, [shown(`x${n}`, "a", data)]);
      const store = await openJsonlStore(path);
      expect((await store.read([`x${n}`]))[0]).toEqual(shown(`x${n}`, "a", data));
      await store.close();
    }
  });

  it("[S12] the setting reaches the session; forks and copies elsewhere have the images in them", async () => {
    const path = fresh();
    const session = await openSession(path, { settings: { blobs: "extract" } });
    const [entry] = await session.append((shown("b", "a", png(7)) as Entry & { type: "message" }).message);
    const { messages } = await session.context();
    expect(JSON.stringify(messages)).toContain(png(7));
    expect(blobsOf(path)).toHaveLength(1);
    const out = join(dirname(fresh()), "fork.jsonl");
    const { header, lines } = await session.fork(entry?.id ?? "");
    await writeSessionFile(out, header, lines);
    await session.close();
    expect(readFileSync(out, "utf8")).toContain(png(7));
    const copy = join(dirname(fresh()), "copy.jsonl");
    await espalierJson(["convert", path, "--to", "pi", "--out", copy]);
    expect(readFileSync(copy, "utf8")).toContain(png(7));
  });

  it.skipIf(!havePi)("[S1, S12] pi opens such a file, with references in the place of images", async () => {
    const path = fresh();
    await stored(path, [shown("b", "a", png(7))], "extract");
    const context = piItself.open(path).buildSessionContext();
    expect(JSON.stringify(context.messages)).toContain("blob:sha256:");
    expect(context.messages).toHaveLength(2);
  });
});
