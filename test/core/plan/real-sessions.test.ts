import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compactionEntry } from "../../../src/core/commit/compaction-entry.ts";
import { projectContext } from "../../../src/core/context/project.ts";
import { estimateContext, scriptCounter } from "../../../src/core/context/tokens.ts";
import { extractSummary } from "../../../src/core/extract/extract.ts";
import { prepareCompaction } from "../../../src/core/plan/compaction.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import { mergeSummary } from "../../../src/core/summary/merge.ts";
import { summaryRequests } from "../../../src/core/summary/requests.ts";
import { limits } from "../../../src/core/trigger/decide.ts";
import { measureContext } from "../../../src/core/trigger/measure.ts";
import { importSession } from "../../../src/formats/index.ts";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../../src/stores/memory.ts";
import { haveSessions, realSessions } from "../../real-sessions.ts";
import { settingsOf } from "./entries.ts";

const counter = scriptCounter;
const settings = settingsOf({ contextWindow: 60_000, compaction: { keepRecentTokens: 8000 } });
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-plan-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pathOfFile(file: string): Promise<Entry[]> {
  if (file.includes("claude-code")) {
    const { entries } = await importSession(file);
    const store = createMemoryStore({ entries });
    return store.readPath(store.position().leafId);
  }
  const copy = join(folder, basename(file));
  await copyFile(file, copy);
  const store = await openJsonlStore(copy, { readOnly: true });
  const path = await store.readPath(store.position().leafId);
  await store.close();
  return path;
}

/** One compaction by the embedded summariser, appended. */
function compacted(path: readonly Entry[]) {
  const measure = measureContext(projectContext(path), path, { counter });
  const plan = prepareCompaction(path, settings, measure, { counter });
  if (plan.kind !== "plan") return { plan, path, text: "" };
  const { history, turnPrefix } = summaryRequests(plan);
  const told = history ? extractSummary(history, { counter }) : undefined;
  const prefix = turnPrefix ? extractSummary(turnPrefix, { counter }).text : undefined;
  const text = mergeSummary(plan, { history: told?.text, turnPrefix: prefix }, counter);
  const stamp = { id: `cmp${path.length}`, timestamp: "2026-01-01T00:00:00.000Z" };
  const entry = compactionEntry({
    plan,
    summary: text,
    stamp,
    parentId: plan.leafId,
    method: "extractive",
    details: told?.details,
  });
  return { plan, text, path: [...path, entry] };
}

describe.skipIf(!haveSessions)("real sessions", () => {
  for (const file of [...realSessions("pi"), ...realSessions("claude-code")]) {
    it(`[T3] ${basename(file)} is planned, and lands well under the target when it is large`, async () => {
      const path = await pathOfFile(file).catch((error: unknown) => {
        expect(error).toMatchObject({ name: "EspalierError" });
        return [];
      });
      const before = estimateContext(projectContext(path).messages, counter);
      const { plan, path: after, text } = compacted(path);
      if (before < 48_000) return;
      if (plan.kind !== "plan") throw new Error(plan.because);
      const left = estimateContext(projectContext(after).messages, counter);
      expect(counter.count(text)).toBeLessThanOrEqual(plan.budget.text);
      expect(left).toBeLessThan(before * 0.45);
      expect(left).toBeLessThan(limits(settings).target);
      expect(compacted(after).plan).toEqual({ kind: "nothing", because: "already-compacted" });
    });
  }
});
