import { execFileSync } from "node:child_process";
import { createWriteStream, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, text, tools } from "./scratch.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function read(cwd: string, params: object): Promise<string> {
  return text((await tools(cwd).read?.(params))!);
}

describe("read", () => {
  it("gives a text as it is, line ends aside", async () => {
    const cwd = folder({ a: "one\ntwo\n", crlf: "one\r\ntwo\r\n", bom: "\uFEFFone", none: "" });
    expect(await read(cwd, { path: "a" })).toBe("one\ntwo");
    expect(await read(cwd, { path: "crlf" })).toBe("one\ntwo");
    expect(await read(cwd, { path: "bom" })).toBe("one");
    expect(await read(cwd, { path: "none" })).toBe("(none is empty)");
  });

  it("is bounded in lines, and says how to read on until the end", async () => {
    const cwd = folder({ a: Array.from({ length: 4_500 }, (_, at) => `line ${at + 1}`).join("\n") });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const part = await read(cwd, { path: "a", offset });
      const lines = part.split("\n");
      const next = /Read on with offset (\d+)/.exec(part)?.[1];
      seen.push(...(next ? lines.slice(0, -1) : lines));
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toHaveLength(4_500);
    expect(seen[2_000]).toBe("line 2001");
    expect(await read(cwd, { path: "a", offset: 10, limit: 2 })).toBe(
      "line 10\nline 11\n[Lines 10-11 of 4,500. Read on with offset 12.]",
    );
    await expect(read(cwd, { path: "a", offset: 4_501 })).rejects.toThrow(
      "a has 4,500 lines; offset 4501 is behind its end.",
    );
  });

  it("is bounded in bytes, and cuts long lines at graphemes with the number cut", async () => {
    const family = "👨‍👩‍👧‍👦";
    const cwd = folder({ wide: `${"語".repeat(1_000)}\n`.repeat(100), long: `${family.repeat(500)}\nnext` });
    const wide = await read(cwd, { path: "wide" });
    expect(Buffer.byteLength(wide)).toBeLessThan(50_200);
    expect(wide).toMatch(/\[Lines 1-16 of 100\. Read on with offset 17\.\]$/);
    const [first = "", second] = (await read(cwd, { path: "long" })).split("\n");
    const shown = first.slice(0, first.indexOf("["));
    expect(shown).toBe(family.repeat(shown.length / family.length));
    expect(first).toContain(
      `[… ${(family.length * 500 - shown.length).toLocaleString("en-US")} characters of this line cut]`,
    );
    expect(second).toBe("next");
  });

  it("reads out of huge files and huge lines in constant memory", async () => {
    const cwd = folder();
    await new Promise<void>((resolve) => {
      const out = createWriteStream(join(cwd, "huge"));
      for (let at = 0; at < 60; at++) out.write("x".repeat(1_000_000));
      out.write("\nlast line\n");
      for (let at = 0; at < 10; at++) out.write("y\n".repeat(500_000));
      out.end(resolve);
    });
    const before = process.memoryUsage().rss;
    const found = await read(cwd, { path: "huge", offset: 2, limit: 1 });
    expect(found).toBe("last line\n[Lines 2-2; more follow. Read on with offset 3.]");
    expect(await read(cwd, { path: "huge", limit: 1 })).toMatch(/^x{2000}\[… 59,998,000 characters of this line cut\]/);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  it("shows odd encodings well-formed, and names binary files", async () => {
    const cwd = folder({
      latin1: Buffer.from("caf\xe9 au lait", "latin1"),
      utf16: Buffer.from("\uFEFFgrüße\nzwei", "utf16le"),
      be: Buffer.from("\uFEFFab", "utf16le").swap16(),
      binary: Buffer.from([1, 2, 0, 3, 255]),
      lone: Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]),
      late: `${"x\n".repeat(5_000)}\0end`,
    });
    expect(await read(cwd, { path: "latin1" })).toBe("caf\uFFFD au lait");
    expect(await read(cwd, { path: "utf16" })).toBe("grüße\nzwei");
    expect(await read(cwd, { path: "be" })).toBe("ab");
    expect(await read(cwd, { path: "binary" })).toBe(
      "binary is a binary file of 5 bytes; it is not shown. Use bash to look into it.",
    );
    expect(await read(cwd, { path: "lone" })).toBe("a\uFFFD\uFFFD\uFFFDb");
    expect(await read(cwd, { path: "late", offset: 5_001 })).toBe("\uFFFDend");
  });

  it("gives images as images, within a size", async () => {
    const cwd = folder({
      "a.png": PNG,
      "wrong.txt": PNG,
      "b.gif": "GIF89a...",
      "c.jpg": Buffer.from([255, 216, 255, 0]),
      "d.webp": "RIFF0000WEBPVP8",
    });
    const result = (await tools(cwd).read?.({ path: "a.png" }))!;
    expect(result.content).toEqual([
      { type: "text", text: `a.png is an image (image/png, ${PNG.length} bytes).` },
      { type: "image", mimeType: "image/png", data: PNG.toString("base64") },
    ]);
    for (const [path, type] of [
      ["wrong.txt", "png"],
      ["b.gif", "gif"],
      ["c.jpg", "jpeg"],
      ["d.webp", "webp"],
    ]) {
      expect(await read(cwd, { path })).toContain(`[image/${type}]`);
    }
    writeFileSync(join(cwd, "big.png"), PNG);
    truncateSync(join(cwd, "big.png"), 4_000_000);
    expect(await read(cwd, { path: "big.png" })).toMatch(
      /^big.png is an image .* is not shown\. Make it smaller with bash\.$/,
    );
  });

  it("lists folders, bounded", async () => {
    const cwd = folder({ "b/x": "", "a.txt": "", "odd\nname": "" });
    expect(await read(cwd, { path: "." })).toBe('"odd\\nname"\na.txt\nb/');
    mkdirSync(join(cwd, "none"));
    expect(await read(cwd, { path: "none" })).toBe("(empty folder)");
    for (let at = 0; at < 600; at++) writeFileSync(join(cwd, "b", `f${String(at).padStart(3, "0")}`), "");
    expect((await read(cwd, { path: "b" })).split("\n").slice(-2)).toEqual([
      "f499",
      "[500 names of 601; use bash to list others]",
    ]);
  });

  it("says what is wrong: missing files, FIFOs, arguments", async () => {
    const cwd = folder();
    execFileSync("mkfifo", [join(cwd, "fifo")]);
    await expect(read(cwd, { path: "no.txt" })).rejects.toThrow("no.txt does not exist. List its folder");
    await expect(read(cwd, { path: "fifo" })).rejects.toThrow("fifo is not a regular file, so it is not read.");
    await expect(read(cwd, {})).rejects.toThrow("The argument path is missing");
    await expect(tools(cwd).read?.(null)).rejects.toThrow(/arguments must be an object/);
  });

  it("stops at once on abort", async () => {
    const cwd = folder({ a: "a" });
    await expect(tools(cwd).read?.({ path: "a" }, AbortSignal.abort())).rejects.toThrow(/Interrupted/);
  });
});
