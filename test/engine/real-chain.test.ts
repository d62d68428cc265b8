import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../src/core/index.ts";
import { importSession } from "../../src/formats/index.ts";
import type { Entry } from "../../src/index.ts";
import { openSession } from "../../src/index.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { haveSessions, SESSIONS } from "../real-sessions.ts";

const FILES = [
  "pi/v1-large-session.jsonl",
  "claude-code/cc-303-tools-27-errors.jsonl",
  "claude-code/cc-small-cjk-strings.jsonl",
];

/** The path of a real session without compactions of its own, so that all of it is live. */
async function pathOf(file: string): Promise<Entry[]> {
  const store = file.startsWith("pi/")
    ? await openJsonlStore(`${SESSIONS}/${file}`, { readOnly: true })
    : createMemoryStore(await importSession(`${SESSIONS}/${file}`));
  const path = await store.readPath(store.position().tipId);
  await store.close();
  return path.filter(({ type }) => type === "message" || type === "custom_message");
}

describe.skipIf(!haveSessions)("four compactions of a real session", () => {
  it.each(FILES)("[I1, P2] lose no entry: %s", async (file) => {
    const path = await pathOf(file);
    const store = createMemoryStore({ location: basename(file) });
    const settings = { contextWindow: 60_000, compaction: { keepRecentTokens: 8000 } };
    const session = await openSession(store, { settings, clock: fixedClock() });
    const covered = new Set<string>();
    const given: string[] = [];
    const quarter = Math.ceil(path.length / 4);
    for (let part = 0; part < 4; part++) {
      const items = path
        .slice(part * quarter, (part + 1) * quarter)
        .map(({ id, parentId, timestamp, ...item }) => item);
      const stored = await session.append(...(items as Parameters<typeof session.append>));
      given.push(...stored.map(({ id }) => id));
      const outcome = await session.compact();
      if (outcome.status !== "compacted") throw new Error(`${file}: ${outcome.status}`);
      const { messagesToSummarize, turnPrefixMessages } = outcome.result.plan;
      for (const { entryId } of [...messagesToSummarize, ...turnPrefixMessages]) covered.add(entryId);
    }
    const live = projectContext(await store.readPath(store.position().tipId));
    const kept = new Set(live.messages.map(({ entryId }) => entryId));
    const { entries, counts } = await session.explain();
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(entries.length);
    const wasNothing = failedAttempts(path);
    const fates = new Map(entries.map(({ id, fate }) => [id, fate]));
    for (const id of given) {
      const fate = fates.get(id);
      if (fate === "verbatim") expect(kept.has(id), id).toBe(true);
      else if (fate === "summarised") expect(covered.has(id) || wasNothing(path[given.indexOf(id)]), id).toBe(true);
      else expect(fate, id).toBe("dropped");
    }
    expect(counts.summarised).toBeGreaterThan(counts.verbatim);
  });
});

/** Attempts that failed, were cut short or said nothing never reached a model, and the results of their calls neither. */
function failedAttempts(path: readonly Entry[]): (entry: Entry | undefined) => boolean {
  const calls = new Set<string>();
  const failed = new Set<Entry>();
  for (const entry of path) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { stopReason, content } = entry.message;
    if (stopReason !== "error" && stopReason !== "aborted" && content.length > 0) continue;
    failed.add(entry);
    for (const block of content) if (block.type === "toolCall") calls.add(block.id);
  }
  return (entry) =>
    entry !== undefined &&
    (failed.has(entry) ||
      (entry.type === "message" && entry.message.role === "toolResult" && calls.has(entry.message.toolCallId)));
}
