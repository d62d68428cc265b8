import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../src/core/context/blocks.ts";
import { recallHint } from "../../src/core/plan/placeholder.ts";
import type { Entry, SessionHeader } from "../../src/core/session/entry.ts";
import type { SettingsInput } from "../../src/core/settings.ts";
import type { Session } from "../../src/engine/session.ts";
import { importSession } from "../../src/formats/index.ts";
import { openSession } from "../../src/index.ts";
import type { SessionEvent } from "../../src/ports/events.ts";
import { writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { callsTool, type Draft, message, pathOf, says, user } from "../core/plan/entries.ts";
import { haveSessions, realSessions } from "../real-sessions.ts";

const SMALL = { protectTokens: 1000, minSavings: 200 };
const REWRITE = { ...SMALL, persist: "rewrite" };
const HEADER: SessionHeader = {
  type: "session",
  version: 3,
  id: "s-1",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/p",
};

const output = (n: number, words: number): Draft[] => [
  callsTool("bash", { command: `run ${n}` }, `call-${n}`),
  message({
    role: "toolResult",
    toolCallId: `call-${n}`,
    toolName: "bash",
    content: [{ type: "text", text: `line ${n} of the build\n`.repeat(words) }],
    isError: false,
  }),
];
/** Results at e2, e4, e6, …: about 7 tokens a line. */
const outputs = (n: number, lines = 100) =>
  pathOf(user("build it"), ...Array.from({ length: n }, (_, i) => output(i, lines)).flat(), says("done"));

async function fileOf(entries: readonly Entry[], header = HEADER): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-prune-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "session.jsonl");
  await writeSessionFile(
    path,
    header,
    entries.map((entry) => JSON.stringify(entry)),
  );
  return path;
}

async function opened(file: string, pruning: SettingsInput = SMALL, more = {}): Promise<Session> {
  const session = await openSession(file, { settings: { pruning }, clock: fixedClock(), ...more });
  onTestFinished(() => session.close());
  return session;
}

const shown = async (session: Session) =>
  new Map(
    (await session.context()).messages.map(({ entryId, message }) => [
      entryId,
      textOf((message as { content?: unknown }).content),
    ]),
  );

describe("session.prune", () => {
  it("[R2] appends one batch of edits and changes not a byte before it", async () => {
    const file = await fileOf(outputs(6));
    const before = readFileSync(file);
    const session = await opened(file);
    const events: SessionEvent[] = [];
    session.on("*", (event) => events.push(event));
    const measured = session.measure().tokens;
    const { tokens } = await session.context();
    const outcome = await session.prune();
    if (outcome.status !== "pruned") throw new Error(outcome.status);
    const after = readFileSync(file);
    expect(before.equals(after.subarray(0, before.length))).toBe(true);
    const added = after
      .subarray(before.length)
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(added.map(({ type, targetId, reason }) => [type, targetId, reason])).toEqual(
      outcome.outputs.map(({ entryId }) => ["context_edit", entryId, "prune"]),
    );
    expect(added).toEqual(outcome.entries);
    expect(outcome.outputs.map(({ entryId }) => entryId)).toEqual(["e2", "e4", "e6", "e8"]);
    const context = await session.context();
    expect(context.tokens).toBe(outcome.tokensAfter);
    expect(tokens - context.tokens).toBe(outcome.saved);
    expect(session.measure().tokens).toBe(measured - outcome.saved);
    expect(events).toEqual([
      { type: "prune", reason: "manual", entryIds: ["e2", "e4", "e6", "e8"], saved: outcome.saved },
    ]);
    expect([...(await shown(session)).values()].filter((text) => text.startsWith("[Output truncated"))).toHaveLength(4);
  });

  it("[R2] leaves a reopened session with the same context, and originals before the prune", async () => {
    const file = await fileOf(outputs(6));
    const session = await opened(file);
    const before = await shown(session);
    const leaf = session.leafId as string;
    await session.prune({ recallHint });
    const live = await shown(session);
    await session.close();
    expect(await shown(await opened(file, SMALL, { readOnly: true }))).toEqual(live);
    expect(await shown(await opened(file, SMALL, { readOnly: true, leafId: leaf }))).toEqual(before);
    expect(live.get("e2")).toBe(
      `[Output truncated - ${live.get("e2")?.match(/\d+/)?.[0]} tokens]\n[recall {"entryId":"e2"} shows it]`,
    );
  });

  it("[R3] does nothing the second time, and says why", async () => {
    const file = await fileOf(outputs(6));
    const session = await opened(file);
    await session.prune();
    const before = readFileSync(file);
    expect(await session.prune()).toEqual({ status: "skipped", because: "nothing-old-enough", saved: 0 });
    expect(readFileSync(file)).toEqual(before);
  });

  it("[R2] previews without writing, and heeds pruning.enabled unless asked by hand", async () => {
    const file = await fileOf(outputs(6));
    const before = readFileSync(file);
    const session = await opened(file, { ...SMALL, enabled: false });
    expect(session.previewPrune()).toMatchObject({ status: "preview", persist: "edits" });
    expect(await session.prune({ reason: "threshold" })).toEqual({ status: "skipped", because: "off", saved: 0 });
    expect(readFileSync(file)).toEqual(before);
    expect((await session.prune()).status).toBe("pruned");
  });

  it("[R2] runs in turn with appends and never cuts a batch that arrived meanwhile", async () => {
    const store = createMemoryStore({ entries: outputs(6) });
    const session = await openSession(store, { settings: { pruning: SMALL }, clock: fixedClock() });
    const arrives = output(99, 100).map((draft) => ({ ...draft }));
    const [, outcome] = await Promise.all([session.append(...(arrives as never[])), session.prune()]);
    if (outcome.status !== "pruned") throw new Error(outcome.status);
    expect(outcome.outputs.at(-1)?.entryId).toBe("e10");
    expect(outcome.outputs.map(({ entryId }) => entryId)).not.toContain(session.store.position().leafId);
  });
});

describe("pruning.persist: rewrite", () => {
  it("[R2] replaces the stored outputs and keeps the originals beside the session, word for word", async () => {
    const path = outputs(6);
    const file = await fileOf(path);
    const session = await opened(file, REWRITE);
    const { leafId } = session;
    const outcome = await session.prune();
    expect(outcome).toMatchObject({ status: "pruned", persist: "rewrite" });
    const stored = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line));
    const pruned = new Set(["e2", "e4", "e6", "e8"]);
    for (const [at, entry] of path.entries()) {
      if (!pruned.has(entry.id)) expect(stored[at]).toEqual(entry);
      else
        expect(stored[at]).toMatchObject({
          id: entry.id,
          parentId: entry.parentId,
          message: { prunedAt: expect.any(Number) },
        });
    }
    expect(stored.at(-1)).toMatchObject({ type: "custom", customType: "espalier.prune", parentId: leafId });
    const originals = readFileSync(file.replace(".jsonl", ".originals.jsonl"), "utf8").trimEnd().split("\n");
    expect(originals.map((line) => JSON.parse(line))).toEqual(path.filter(({ id }) => pruned.has(id)));
    if (outcome.status === "pruned") expect((await session.context()).tokens).toBe(outcome.tokensAfter);
    expect(await session.prune()).toMatchObject({ status: "skipped" });
    await session.append({ role: "user", content: "go on" });
    const live = await shown(session);
    await session.close();
    expect(await shown(await opened(file, REWRITE, { readOnly: true }))).toEqual(live);
  });

  it("[R2] works in memory too, and refuses where a store can't", async () => {
    const store = createMemoryStore({ entries: outputs(6) });
    const session = await openSession(store, { settings: { pruning: REWRITE }, clock: fixedClock() });
    expect((await session.prune()).status).toBe("pruned");
    const originals: string[] = [];
    for await (const { id } of store.originals?.() ?? []) originals.push(id);
    expect(originals).toEqual(["e2", "e4", "e6", "e8"]);
    const plain = { ...createMemoryStore({ entries: outputs(6) }), supports: { durable: false, locks: false } };
    const unable = await openSession(plain, { settings: { pruning: REWRITE } });
    await expect(unable.prune()).rejects.toMatchObject({ code: "STORE_IO" });
  });

  it("[R2] leaves an output alone that an edit replaces already", async () => {
    const edited: Draft = { type: "context_edit", targetId: "e2", replacement: { content: "word ".repeat(500) } };
    const file = await fileOf(pathOf(...(outputs(6) as Draft[]), edited));
    const outcome = await (await opened(file, REWRITE)).prune();
    if (outcome.status !== "pruned") throw new Error(outcome.status);
    expect(outcome.outputs.map(({ entryId }) => entryId)).not.toContain("e2");
  });
});

describe("real sessions", () => {
  it.skipIf(!haveSessions).each(["3-auto", "303-tools", "large-tables"])(
    "[R2] prune append-only, once, with the originals before it: %s",
    async (name) => {
      const source = realSessions("claude-code").find((file) => file.includes(name)) ?? "";
      const { header, entries } = await importSession(source);
      const file = await fileOf(entries, { ...header, version: 3 });
      const bytes = readFileSync(file);
      const session = await opened(file, { protectTokens: 5000, minSavings: 500 });
      const before = await shown(session);
      const { leafId } = session;
      const outcome = await session.prune();
      expect(bytes.equals(readFileSync(file).subarray(0, bytes.length))).toBe(true);
      if (outcome.status !== "pruned") return expect(readFileSync(file).equals(bytes)).toBe(true);
      expect((await session.context()).tokens).toBe(outcome.tokensAfter);
      expect((await session.prune()).status).toBe("skipped");
      const earlier = await opened(file, {}, { readOnly: true, leafId });
      expect([...(await shown(earlier))].join() === [...before].join()).toBe(true);
      expect(existsSync(file.replace(".jsonl", ".originals.jsonl"))).toBe(false);
    },
  );
});
