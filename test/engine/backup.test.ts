import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession, type Session } from "../../src/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-backup-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fill(session: Session): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    await session.append({ role: "user", content: `Question ${turn}: ${"some words ".repeat(40)}` });
    await session.append({
      role: "assistant",
      content: [{ type: "text", text: `Answer ${turn} ${"and more ".repeat(40)}` }],
    });
  }
}

const open = (transcripts: boolean) =>
  openSession(join(folder, "s.jsonl"), { create: { cwd: folder }, settings: { contextWindow: 8000, transcripts } });

describe("transcripts of what a compaction replaces", () => {
  it("[K5] writes them before an automatic compaction, not before one by hand", async () => {
    const session = await open(true);
    await fill(session);
    const first = (await session.context()).messages[0];
    const { compaction } = await session.maintain();
    if (compaction?.status !== "compacted") throw new Error(compaction?.status);
    const [name = "", ...others] = await readdir(join(folder, ".transcripts"));
    expect(name).toMatch(/^transcript_\d{13}_[0-9a-f]+\.jsonl$/);
    expect(others).toEqual([]);
    const lines = (await readFile(join(folder, ".transcripts", name), "utf8")).trimEnd().split("\n");
    const { messagesToSummarize, turnPrefixMessages } = compaction.result.plan;
    expect(lines).toHaveLength(messagesToSummarize.length + turnPrefixMessages.length);
    expect(JSON.parse(lines[0] ?? "")).toEqual({ entryId: first?.entryId, ...first?.message });
    await fill(session);
    await session.compact();
    expect(await readdir(join(folder, ".transcripts"))).toHaveLength(1);
    await session.close();
  });

  it("[K5] compacts all the same, with a warning, where they can't be written", async () => {
    await writeFile(join(folder, ".transcripts"), "a file in the way");
    const session = await open(true);
    await fill(session);
    const codes: string[] = [];
    session.on("warning", ({ warning }) => codes.push(warning.code));
    expect((await session.maintain()).compaction?.status).toBe("compacted");
    expect(codes).toEqual(["TRANSCRIPT_FAILED"]);
    await session.close();
  });

  it("[K5] is off by default", async () => {
    const session = await open(false);
    await fill(session);
    expect((await session.maintain()).compaction?.status).toBe("compacted");
    expect(await readdir(folder)).not.toContain(".transcripts");
    await session.close();
  });
});
