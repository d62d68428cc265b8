import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../src/core/context/blocks.ts";
import type { SettingsInput } from "../../src/core/settings.ts";
import { openSession, type Session } from "../../src/index.ts";
import { writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { callsTool, type Draft, pathOf, result, says, user } from "../core/plan/entries.ts";
import { haveSessions, SESSIONS } from "../real-sessions.ts";

interface Turn {
  readonly role?: string;
  readonly content?: unknown;
}

/** A trajectory of SWE-agent or mini-SWE-agent as entries: an action is a call of `bash`, what comes back its result. */
function draftsOf(file: string): Draft[] {
  const all = JSON.parse(readFileSync(file, "utf8")) as { history?: Turn[]; messages?: Turn[] };
  const drafts: Draft[] = [];
  let open = "";
  for (const [nth, { role, content }] of (all.history ?? all.messages ?? []).entries()) {
    const text = typeof content === "string" ? content : "";
    if (role === "assistant") {
      open = `call-${nth}`;
      drafts.push(callsTool("bash", { command: text }, open));
    } else if (role !== "system") {
      drafts.push(open ? result(open, text) : user(text));
      open = "";
    }
  }
  // The newest results are never taken: a look around follows.
  return [...drafts, callsTool("bash", { command: "ls" }, "last"), result("last", "src tests"), says("done")];
}

async function opened(file: string, pruning: SettingsInput, more = {}): Promise<Session> {
  const session = await openSession(file, { settings: { pruning }, clock: fixedClock(), ...more });
  onTestFinished(() => session.close());
  return session;
}

const shown = async (session: Session) =>
  (await session.context()).messages.map(({ entryId, message }) => [
    entryId,
    textOf((message as { content?: unknown }).content),
  ]);

describe("trajectories of SWE-agent", () => {
  const cases: [string, SettingsInput][] = [
    ["mini-887kB-tool-output.traj.json", { protectTokens: 1 }],
    ["mini-232-messages.traj.json", { protectTokens: 5000, minSavings: 500 }],
    ["sweagent-function-calling.traj", { protectTokens: 2000, minSavings: 500 }],
  ];
  it.skipIf(!haveSessions).each(cases)(
    "[R2, R3, R9] prune append-only and once, originals back by recall and by navigating: %s",
    async (name, pruning) => {
      const source = `${SESSIONS}/swe-agent/${name}`;
      if (!existsSync(source)) return;
      const entries = pathOf(...draftsOf(source));
      const folder = mkdtempSync(join(tmpdir(), "espalier-swe-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, "session.jsonl");
      const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" } as const;
      await writeSessionFile(
        file,
        header,
        entries.map((entry) => JSON.stringify(entry)),
      );
      const bytes = readFileSync(file);
      const session = await opened(file, pruning);
      const before = await shown(session);
      const leaf = session.leafId as string;

      const outcome = await session.prune();
      if (outcome.status !== "pruned") throw new Error(outcome.status);
      expect(bytes.equals(readFileSync(file).subarray(0, bytes.length))).toBe(true);
      expect((await session.context()).tokens).toBe(outcome.tokensAfter);
      expect((await session.prune()).status).toBe("skipped");

      const originals = new Map(before as [string, string][]);
      const { entryId } = outcome.outputs.reduce((a, b) => (a.tokens > b.tokens ? a : b));
      const { hits } = await session.recall({ entryId, maxChars: 2_000_000 });
      expect(hits[0]?.text).toBe(originals.get(entryId));

      await session.navigate(leaf);
      expect(await shown(session)).toEqual(before);
    },
  );
});
