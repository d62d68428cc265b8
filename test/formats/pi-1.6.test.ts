import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import type { Entry, SessionHeader } from "../../src/core/session/entry.ts";
import type { Message } from "../../src/core/session/message.ts";
import { importSession, readClaudeCode, writeLines } from "../../src/formats/index.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { realSessions } from "../real-sessions.ts";
import { answer, assistant, call, chained, source, text, user, uuid } from "./claude-lines.ts";
import { havePi, piItself } from "./pi-itself.ts";
import { pathOf } from "./shape.ts";

async function write(header: SessionHeader, entries: readonly Entry[]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "espalier-")), "session.jsonl");
  await writeFile(path, `${[...writeLines(header, entries)].join("\n")}\n`);
  return path;
}

/** Role and content, which is what the model reads. */
function seen(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const content = "content" in message ? message.content : "summary" in message ? message.summary : message;
    return `${message.role}: ${JSON.stringify(content)}`;
  });
}

/**
 * Our context before the repairs of X5, which pi leaves to the moment of sending: failed attempts, orphan results and
 * empty replies are still in it, results made up for open calls are not.
 */
function ours(entries: readonly Entry[]): string[] {
  const { messages, live, compaction } = projectContext(pathOf(entries));
  const shown = new Map(messages.filter((one) => !one.synthetic).map((one) => [one.entryId, one.message]));
  const ofEntry = (entry: Entry) => shown.get(entry.id) ?? (entry.type === "message" ? entry.message : undefined);
  return seen([...(compaction ? [compaction] : []), ...live].flatMap((entry) => ofEntry(entry) ?? []));
}

const said = (id: string, parentId: string | null, message: Message): Entry => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-01-01T00:00:00.000Z",
  message,
});

describe.skipIf(!havePi)("pi 1.6 opens what we write", () => {
  it("[S1] an imported session: the same leaf and the same context", async () => {
    const micro = { compactedToolIds: ["t1"] };
    const { header, entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [text("I look"), call("t1"), call("t2")]),
        user("c", "b", [answer("t1", "long")]),
        user("d", "b", [answer("t2", "short", true)]),
        chained("e", "d", { type: "system", subtype: "microcompact_boundary", microcompactMetadata: micro }),
        user("f", "e", "<system-reminder>x</system-reminder>"),
        user("0", null, "subtask", { isSidechain: true, agentId: "z" }),
        { type: "summary", summary: "The title", leafUuid: uuid("a") },
      ),
    );
    const pi = piItself.open(await write(header, entries));
    expect(pi.getLeafId()).toBe(entries.at(-1)?.id);
    expect(pi.buildSessionContext().messages).toHaveLength(5);
    expect(seen(pi.buildSessionContext().messages)).toEqual(ours(entries));
  });

  it("[S1] what the store appends, after which pi appends and the store reads on", async () => {
    const header: SessionHeader = {
      type: "session",
      version: 3,
      id: "s1",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: "/",
    };
    const path = join(await mkdtemp(join(tmpdir(), "espalier-")), "session.jsonl");
    const store = await openJsonlStore(path, { create: header });
    const entries: Entry[] = [
      said("00000001", null, { role: "user", content: "one", timestamp: 1 }),
      said("00000002", "00000001", { role: "user", content: "two\u2028lines", timestamp: 2 }),
      {
        type: "compaction",
        id: "00000003",
        parentId: "00000002",
        timestamp: "2026-01-01T00:00:01.000Z",
        summary: "## Goal",
        firstKeptEntryId: "00000002",
        tokensBefore: 9,
      },
      said("00000004", "00000003", { role: "user", content: "three", timestamp: 3 }),
    ];
    await store.append(entries);
    await store.close();

    const pi = piItself.open(path);
    expect(seen(pi.buildSessionContext().messages)).toEqual(ours(entries));
    const before = await readFile(path, "utf8");
    const added = pi.appendMessage({ role: "user", content: "from pi", timestamp: 4 });
    expect((await readFile(path, "utf8")).startsWith(before)).toBe(true);

    const again = await openJsonlStore(path, { readOnly: true });
    expect(again.position().leafId).toBe(added);
    expect((await again.readPath(added)).map((entry) => entry.id)).toEqual([
      ...entries.map((entry) => entry.id),
      added,
    ]);
    await again.close();
  });

  it.each(realSessions("claude-code").map((path) => [basename(path), path] as const))(
    "[X2] %s: pi shows the same context",
    async (_, path) => {
      const { header, entries } = await importSession(path);
      const file = await write(header, entries);
      expect(seen(piItself.open(file).buildSessionContext().messages)).toEqual(ours(entries));
    },
  );
});
