import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import { encodeEntry, encodeHeader } from "../../src/core/session/codec.ts";
import type { Entry, SessionHeader } from "../../src/core/session/entry.ts";
import { openSession } from "../../src/index.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { codes, tempFolder } from "./jsonl/files.ts";

const WRITER = fileURLToPath(new URL("writer.mjs", import.meta.url));
// Plain JavaScript, since the writers are processes of their own; hence no types.
const { HEADER, entryAt } = (await import(new URL("steady-entries.mjs", import.meta.url).href)) as {
  HEADER: SessionHeader;
  entryAt(i: number): Entry;
};
const numberOf = (id: string | null) => Number(id?.slice(1));
// Many short sessions, since each is read whole after each kill; so many at a time as keep two processors busy.
const LANES = 5;
const SESSIONS = 8;
const KILLS = 5;
const LONGEST_LIFE = 30;
const folder = tempFolder();

/** Starts a writer and kills it some time after its first word; gives its last word. */
function killedWriter(what: "append" | "rewrite", file: string, life: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, what, file], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (said === "") setTimeout(() => child.kill("SIGKILL"), life);
      said += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      complaint += part;
    });
    child.on("error", reject);
    child.on("close", () => {
      if (complaint === "") resolve(Number(said.slice(0, said.lastIndexOf("\n")).split("\n").at(-1)));
      else reject(new Error(complaint));
    });
  });
}

it("[S5, I3] 200 writers killed at random moments lose nothing that was acknowledged", {
  timeout: 600_000,
}, async () => {
  const lane = async (_: unknown, nth: number) => {
    for (let session = 0; session < SESSIONS; session++) await killOneAfterAnother(`append-${nth}-${session}.jsonl`);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
});

async function killOneAfterAnother(name: string): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, `${encodeHeader(HEADER)}\n`);
  let length = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const acknowledged = await killedWriter("append", file, Math.random() * LONGEST_LIFE);
    const store = await openJsonlStore(file, { readOnly: true });
    const { leafId } = store.position();
    expect((await store.tree()).path(leafId)).toHaveLength(numberOf(leafId) + 1);
    // What this writer added, from the end of what the one before had; the whole is looked at in the end.
    const added = await store.readPath(leafId, ({ id }) => numberOf(id) === Math.max(0, length - 1));
    const from = numberOf(added[0]?.id ?? null);
    expect(added).toEqual(Array.from(added, (_, i) => entryAt(from + i)));
    expect(acknowledged).toBeGreaterThan(length);
    length = numberOf(leafId) + 1;
    expect(length).toBeGreaterThanOrEqual(acknowledged);
    expect(codes(store).every((code) => code === "TORN_LINE" || code === "BAD_LINE")).toBe(true);
    await store.close();
  }
  const entries = Array.from({ length }, (_, i) => entryAt(i));
  const whole = await openJsonlStore(file, { readOnly: true });
  expect((await whole.readPath(`e${length - 1}`)).map(encodeEntry)).toEqual(entries.map(encodeEntry));
  await whole.close();
  const live = await openSession(createMemoryStore({ header: HEADER, entries }));
  const reopened = await openSession(file);
  expect((await reopened.context()).messages).toEqual((await live.context()).messages);
  await reopened.append({ role: "user", content: "go on", timestamp: 0 });
  await live.append({ role: "user", content: "go on", timestamp: 0 });
  const again = await openSession(file, { readOnly: true });
  const contents = async (session: typeof again) => (await session.context()).messages.map(({ message }) => message);
  expect(await contents(again)).toEqual(await contents(live));
  for (const session of [again, reopened, live]) await session.close();
}

it("[R2, I1] writers killed while they put a new file in the place of the old one lose no text", {
  timeout: 600_000,
}, async () => {
  await Promise.all(
    Array.from({ length: 4 }, async (_, nth) => {
      const file = join(folder, `rewrite-${nth}.jsonl`);
      const entries = Array.from({ length: 9 }, (_, i) => entryAt(i));
      writeFileSync(file, `${[encodeHeader(HEADER), ...entries.map(encodeEntry)].join("\n")}\n`);
      for (let kill = 0; kill < 6; kill++) {
        await killedWriter("rewrite", file, Math.random() * LONGEST_LIFE);
        const store = await openJsonlStore(file, { readOnly: true });
        expect((await store.readPath("e8")).map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
        const originals: string[] = [];
        for await (const entry of store.originals?.() ?? []) originals.push(encodeEntry(entry));
        const kept = new Set([...readFileSync(file, "utf8").split("\n"), ...originals]);
        for (const entry of entries) expect(kept.has(encodeEntry(entry))).toBe(true);
        expect(projectContext(await store.readPath("e8")).messages).toHaveLength(9);
        await store.close();
      }
    }),
  );
});
