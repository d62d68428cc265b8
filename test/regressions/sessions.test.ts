import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/core/session/entry.ts";
import type { Session } from "../../src/engine/session.ts";
import { openSession } from "../../src/index.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { fileOf, HEADER, message, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
let files = 0;
const fresh = () => join(folder, `${++files}.jsonl`);
const settings = { contextWindow: 8000, compaction: { keepRecentTokens: 300, reserveTokens: 1000 } };

/** Opens with ids that no other opening of this file has given. */
const open = (file: string, seed = ++files * 1000): Promise<Session> =>
  openSession(file, { clock: fixedClock(seed), settings, summarizer: scriptedSummarizer(["## Goal\nWhat was done."]) });

/** A session of `turns` turns on disk, ids `u1`, `a1`, `u2`, … */
function session(turns: number): string {
  const entries: Entry[] = [];
  for (let n = 1; n <= turns; n++) {
    const content = [{ type: "text" as const, text: `answer ${n} ${"and more of it ".repeat(20)}` }];
    entries.push(message(`u${n}`, n === 1 ? null : `a${n - 1}`, `request ${n}`));
    entries.push({
      ...message(`a${n}`, `u${n}`),
      message: { role: "assistant", content, stopReason: "stop" },
    } as Entry);
  }
  return fileOf(fresh(), [HEADER, ...entries]);
}

const seen = async (session: Session) => (await session.context()).messages.map(({ entryId }) => entryId);

/** The context of the file as another process would see it. */
async function reopened(file: string): Promise<string[]> {
  const again = await openSession(file, { readOnly: true, settings });
  const ids = await seen(again);
  await again.close();
  return ids;
}

describe("resume", () => {
  it("[RS-01, RS-04] [I3] a compaction is on disk before it is told; each cut of what follows opens with its context", async () => {
    const file = session(20);
    const live = await open(file);
    const told: number[] = [];
    live.on("compaction_end", () => void told.push(readFileSync(file).length));
    const outcome = await live.compact();
    expect(outcome.status).toBe("compacted");
    expect(told).toEqual([readFileSync(file).length]);
    const contexts: [number, string[]][] = [[readFileSync(file).length, await seen(live)]];
    for (const said of ["one", "two"]) {
      await live.append({ role: "user", content: said });
      contexts.push([readFileSync(file).length, await seen(live)]);
    }
    await live.close();
    const bytes = readFileSync(file);
    for (const [size, context] of contexts) {
      for (const cut of [size, Math.min(bytes.length, size + 25)]) {
        const copy = fresh();
        writeFileSync(copy, bytes.subarray(0, cut));
        expect(await reopened(copy)).toEqual(context);
      }
    }
  });

  it("[RS-03] [P4] compacted, closed and opened again there is nothing new to compact", async () => {
    const file = session(20);
    const first = await open(file);
    expect((await first.compact()).status).toBe("compacted");
    await first.close();
    const second = await open(file);
    expect(await second.compact()).toMatchObject({ status: "skipped" });
    await second.close();
    expect(readFileSync(file, "utf8").split('"type":"compaction"')).toHaveLength(2);
  });

  it("[RS-05] [S1] order comes from parents and places, never from times or ids", async () => {
    const file = session(3);
    const times = ["", "yesterday", "2099-01-01T00:00:00.000Z", "9000000000000000", "1970-01-01T00:00:00.000Z"];
    const odd = times.map((timestamp, n) => ({ ...message(`z${9 - n}`, n === 0 ? "a3" : `z${10 - n}`), timestamp }));
    const noTime = { ...message("y", "z5"), timestamp: undefined };
    writeFileSync(
      file,
      readFileSync(file, "utf8") + [...odd, noTime].map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    expect((await reopened(file)).slice(-6)).toEqual(["z9", "z8", "z7", "z6", "z5", "y"]);
    const back = await openSession(file, { clock: { now: () => 0, newId: () => "0000" }, settings });
    await back.append({ role: "user", content: "a clock that went back" });
    expect((await seen(back)).at(-1)).toBe("0000");
    await back.close();
    expect((await reopened(file)).at(-1)).toBe("0000");
  });
});

describe("tree", () => {
  it("[TB-10] [S9] what one session stores never lands in another, and a second writer of one file is refused", async () => {
    const [one, two] = [session(2), session(20)];
    const parent = await open(one);
    const child = await open(two);
    await parent.append({ role: "user", content: "waiting" });
    const before = readFileSync(one);
    await child.compact();
    expect(readFileSync(one)).toEqual(before);
    const second = await open(one);
    await expect(second.append({ role: "user", content: "x" })).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    for (const session of [parent, child, second]) await session.close();
  });
});

describe("import and export", () => {
  it("[IE-04] [S2] branches, labels, compactions and unknown entries come out as they went in, byte for byte", async () => {
    const file = session(20);
    const live = await open(file);
    await live.compact();
    await live.navigate("a2");
    await live.append({ role: "user", content: "branch two" });
    await live.label("u1", "start");
    await live.navigate("a1");
    await live.append({ type: "of_the_future", deep: [{ n: 1.5 }] } as never);
    await live.close();
    const store = await openJsonlStore(file, { readOnly: true });
    const raw: string[] = [];
    for await (const stored of store.entries()) raw.push(stored.raw);
    await store.close();
    expect([JSON.stringify(HEADER), ...raw].map((line) => `${line}\n`).join("")).toBe(readFileSync(file, "utf8"));
  });
});

describe("migration", () => {
  it("[MG-01] [S4] a newer version is for reading only, with a warning, and stays byte for byte", async () => {
    const file = fileOf(fresh(), [
      { ...HEADER, version: 4 },
      message("a", null),
      { type: "new", id: "b", parentId: "a" },
    ]);
    const before = readFileSync(file);
    const live = await open(file);
    expect(live.readOnly).toBe(true);
    expect(live.warnings.map(({ code }) => code)).toContain("VERSION_TOO_NEW");
    await expect(live.append({ role: "user", content: "x" })).rejects.toMatchObject({ code: "VERSION_TOO_NEW" });
    await expect(live.navigate(null)).rejects.toMatchObject({ code: "VERSION_TOO_NEW" });
    await live.close();
    expect(readFileSync(file)).toEqual(before);
  });

  it("[MG-02] [S4, S6] lines of an old writer in a migrated file are told with their numbers, never dropped silently", async () => {
    const old = { type: "message", timestamp: "t", message: { role: "user", content: "by an old version" } };
    const file = fileOf(fresh(), [HEADER, message("a", null), old, message("b", "a")]);
    const live = await open(file);
    await live.tree();
    expect(live.warnings).toMatchObject([{ code: "BAD_LINE", line: 3 }]);
    await live.append({ role: "user", content: "on" });
    await live.close();
    expect(readFileSync(file, "utf8")).toContain(JSON.stringify(old));
  });
});
