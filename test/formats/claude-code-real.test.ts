import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import type { ToolCallBlock, ToolResultMessage } from "../../src/core/session/message.ts";
import { importSession, writeLines } from "../../src/formats/index.ts";
import { realSessions, SESSIONS } from "../real-sessions.ts";
import { type Digest, digestOf } from "./real.ts";
import { forks, label, pathOf } from "./shape.ts";

/** As the collection's own table counts them; `orphans` are results without call, `open` calls without result. */
interface Counted {
  calls: number;
  errors?: number;
  thinking?: number;
  compactions?: number;
  forks?: number;
  open?: number;
  orphans?: number;
  badLines?: number;
}

const COUNTED: Record<string, Counted> = {
  "cc-auto-and-manual-compaction-fork.jsonl": {
    calls: 208,
    errors: 12,
    thinking: 128,
    compactions: 2,
    forks: 1,
    open: 1,
  },
  "cc-3-auto-compactions.jsonl": { calls: 206, errors: 12, thinking: 225, compactions: 3 },
  "cc-303-tools-27-errors.jsonl": { calls: 303, errors: 27, thinking: 288, compactions: 1 },
  "cc-plan-then-autonomous-compaction.jsonl": { calls: 116, errors: 7, thinking: 4, compactions: 1 },
  "cc-v1.0.117-large-tables.jsonl": { calls: 152, errors: 22 },
  "cc-v2.0.72-webp-image.jsonl": { calls: 92, errors: 7, open: 1 },
  "cc-microcompact-and-compact.jsonl": { calls: 60, thinking: 49, compactions: 1 },
  "cc-small-cjk-strings.jsonl": { calls: 52, errors: 11, thinking: 47 },
  "cc-duplicate-assistant-branch.jsonl": { calls: 51, errors: 6, thinking: 8, forks: 1 },
  "cc-broken-lines-112-errors-parallel-agents.jsonl": {
    calls: 125,
    errors: 112,
    forks: 1,
    open: 6,
    orphans: 18,
    badLines: 28,
  },
  "cc-concatenated-line-two-sessions-resumed.jsonl": { calls: 41, errors: 2, thinking: 42 },
  "cc-sidechain-agent-abc3cb6.jsonl": { calls: 39, errors: 5 },
  "cc-v2.0.64.jsonl": { calls: 66, errors: 8 },
  "cc-small-132k.jsonl": { calls: 7, errors: 2, thinking: 8 },
  "cc-no-assistant-local-commands.jsonl": { calls: 0 },
  "cc-summaries-only.jsonl": { calls: 0 },
  "cc-no-assistant-snapshots-only.jsonl": { calls: 0 },
  "cc-v1.0.119-tiny.jsonl": { calls: 1 },
  "cc-tiny.jsonl": { calls: 0 },
};

const GOLDEN = fileURLToPath(new URL("../golden/claude-code.json", import.meta.url));
const folder = `${SESSIONS}/claude-code`;

describe.skipIf(!existsSync(folder))(
  `real Claude Code sessions (${existsSync(folder) ? "present" : "absent: skipped"})`,
  () => {
    it.each(Object.entries(COUNTED))(
      "[S7] %s: counts, pairs and forks are those of the file",
      async (name, counted) => {
        const { entries, warnings } = await importSession(`${folder}/${name}`);
        const calls = callsOf(entries);
        const results = resultsOf(entries);
        const called = new Set(calls.map((block) => block.id));
        const answered = new Set(results.map((message) => message.toolCallId));
        expect({
          calls: calls.length,
          errors: results.filter((message) => message.isError).length,
          thinking: thinkingOf(entries),
          compactions: entries.filter((entry) => entry.type === "compaction").length,
          forks: forks(entries).length,
          open: calls.filter((block) => !answered.has(block.id)).length,
          orphans: results.filter((message) => !called.has(message.toolCallId)).length,
          badLines: warnings.filter((warning) => warning.code === "bad-line").length,
        }).toEqual({ errors: 0, thinking: 0, compactions: 0, forks: 0, open: 0, orphans: 0, badLines: 0, ...counted });
      },
    );

    it.each(realSessions("claude-code").map((path) => [basename(path), path] as const))(
      "[S8] %s: parents first, ids unique, ending on the active path",
      async (_, path) => {
        const { entries } = await importSession(path);
        const seen = new Set<string | null>([null]);
        for (const entry of entries) {
          expect(seen.has(entry.parentId)).toBe(true);
          expect(seen.has(entry.id)).toBe(false);
          expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
          seen.add(entry.id);
        }
        const onPath = new Set(pathOf(entries).map((entry) => entry.id));
        const newestWords = entries.findLast((entry) => ["user", "assistant"].includes(label(entry)));
        if (newestWords && forks(entries).length === 0) expect(onPath.has(newestWords.id)).toBe(true);
      },
    );

    it.each(realSessions("claude-code").map((path) => [basename(path), path] as const))(
      "[X2] %s: the path's context holds every call with its result",
      async (_, path) => {
        const { entries } = await importSession(path);
        const { messages } = projectContext(pathOf(entries));
        const results = messages.filter(({ message }) => message.role === "toolResult").length;
        const calls = messages.reduce(
          (sum, { message }) =>
            sum +
            (message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall").length : 0),
          0,
        );
        expect(results).toBe(calls);
      },
    );

    it("[I7] two imports of a session give the same bytes, and those of the golden digest", async () => {
      const digests: Record<string, Digest> = {};
      for (const path of realSessions("claude-code")) {
        const [one, two] = [await importSession(path), await importSession(path)];
        expect([...writeLines(two.header, two.entries)]).toEqual([...writeLines(one.header, one.entries)]);
        digests[basename(path)] = digestOf(one.entries);
      }
      if (process.env.ESPALIER_GOLDEN === "write") writeFileSync(GOLDEN, `${JSON.stringify(digests, null, 2)}\n`);
      expect(digests).toEqual(JSON.parse(readFileSync(GOLDEN, "utf8")));
    });
  },
);

function callsOf(entries: readonly Entry[]): ToolCallBlock[] {
  return blocksOf(entries).filter((block) => block.type === "toolCall");
}

function thinkingOf(entries: readonly Entry[]): number {
  return blocksOf(entries).filter((block) => block.type === "thinking").length;
}

function blocksOf(entries: readonly Entry[]) {
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? entry.message.content : [],
  );
}

function resultsOf(entries: readonly Entry[]): ToolResultMessage[] {
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : [],
  );
}
