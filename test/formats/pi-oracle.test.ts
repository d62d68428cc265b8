import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { openJsonlStore } from "../../src/stores/jsonl/index.ts";
import { SESSIONS } from "../real-sessions.ts";
import { havePi, piItself } from "./pi-itself.ts";
import { tally } from "./shape.ts";

/** What pi 0.73.1 made of the files, recorded once. */
interface Oracle {
  files: Record<string, { context: { thinkingLevel: string; model: unknown; roles: Record<string, number> } }>;
}

/**
 * Where our context differs from pi's, and why.
 *
 * `recovered`: entries at the end that stood on a line with two objects; pi loses both. `dropped`: failed and aborted
 * attempts, `added`: results for calls that have none; pi leaves both to the moment of sending [X5].
 */
interface Differences {
  readonly recovered: readonly string[];
  readonly dropped: Readonly<Record<string, number>>;
  readonly added: number;
}

const DIFFERENCES: Record<string, Differences> = {
  "v1-images-compaction-concat-line.jsonl": {
    recovered: ["message", "compaction"],
    dropped: { "aborted-attempt": 5 },
    added: 0,
  },
  "v1-large-session.jsonl": { recovered: [], dropped: { "aborted-attempt": 21, "failed-attempt": 1 }, added: 0 },
  "v1-two-compactions.jsonl": { recovered: [], dropped: { "aborted-attempt": 6, "failed-attempt": 1 }, added: 1 },
};

const oraclePath = `${SESSIONS}/pi/ORACLE-pi-0.73.1.json`;
const present = existsSync(oraclePath) && havePi;

async function pathOf(name: string): Promise<Entry[]> {
  const store = await openJsonlStore(`${SESSIONS}/pi/${name}`, { readOnly: true });
  const path = await store.readPath(store.position().leafId);
  await store.close();
  return path;
}

describe.skipIf(!present)("contexts of pi's own version 1 files against pi", () => {
  it.each(Object.entries(DIFFERENCES))("[S4] %s: the same messages after migration", async (name, differences) => {
    const oracle = (JSON.parse(readFileSync(oraclePath, "utf8")) as Oracle).files[`sessions/pi/${name}`]!.context;
    const pi = piItself.contextOf(readFileSync(`${SESSIONS}/pi/${name}`, "utf8"));
    // The recorded counts vouch that the pi installed here reads as the recorded one did.
    expect(tally(pi.map((message) => message.role))).toEqual(oracle.roles);

    const path = await pathOf(name);
    const readByPi = path.length - differences.recovered.length;
    expect(path.slice(readByPi).map((entry) => entry.type)).toEqual(differences.recovered);
    const ours = projectContext(path.slice(0, readByPi));
    const summary = pi[0]?.role === "compactionSummary" ? pi[0].summary : undefined;
    expect(ours.compaction?.summary).toBe(summary);
    const bodies = ours.live.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
    expect(bodies).toEqual(pi.slice(summary === undefined ? 0 : 1));
    expect(ours.thinkingLevel ?? "off").toBe(oracle.thinkingLevel);
    expect(ours.model).toEqual(oracle.model);

    expect(tally(ours.dropped.map((one) => one.why))).toEqual(differences.dropped);
    expect(ours.messages.filter((one) => one.synthetic)).toHaveLength(differences.added);
  });

  it("[S6] the compaction that stood behind another record on its line rules, and keeps nothing as its index says", async () => {
    const ours = projectContext(await pathOf("v1-images-compaction-concat-line.jsonl"));
    expect(ours.messages.map(({ message }) => message.role)).toEqual(["compactionSummary"]);
    expect(ours.warnings).toEqual([]);
  });
});
