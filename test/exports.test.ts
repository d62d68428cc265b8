import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "./sources.ts";

const pkg = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

/** Names that can be imported from each entry, types not counted. A change here is a change for the package's users. */
const NAMES: Record<string, readonly string[]> = {
  ".": ["EspalierError", "contentClock", "openSession", "systemClock"],
  "./core": [
    "DEFAULT_SETTINGS",
    "SETTINGS",
    "Tree",
    "bpeCounter",
    "branchRequest",
    "branchSummaryEntry",
    "branchSummaryText",
    "buildSessionContext",
    "chars4",
    "checkPlanFresh",
    "classifyError",
    "collectEntriesForBranchSummary",
    "compactionEntry",
    "convertToLlm",
    "createLiveScan",
    "decide",
    "estimateContext",
    "estimateMessage",
    "explain",
    "extractSummary",
    "findCutPoint",
    "learnWindow",
    "limits",
    "measureContext",
    "mergeSummary",
    "newestOverflow",
    "prepareBranchEntries",
    "prepareCompaction",
    "projectContext",
    "pruneToolOutputs",
    "recallHint",
    "resolveSettings",
    "scriptCounter",
    "serializeConversation",
    "shortRequest",
    "spanOf",
    "stripEngineParts",
    "summaryRequests",
  ],
};

/** What a fresh process answers to a script that may import the package by name. */
function answerOf(script: string): unknown {
  const args = ["--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  if (stderr) throw new Error(stderr);
  return JSON.parse(stdout);
}

const nameOf = (entry: string) => `espalier${entry.slice(1)}`;

describe("the package's entries", () => {
  const entries = Object.entries(pkg.exports as Record<string, string | Record<string, string>>);

  it.each(entries)("%s points at files of the build", (_, target) => {
    const files = typeof target === "string" ? [target] : Object.values(target);
    expect(files.filter((file) => !existsSync(ROOT + file))).toEqual([]);
  });
  it.each(entries.filter(([, target]) => typeof target !== "string"))("%s can be imported", (entry) =>
    expect(answerOf(`import * as all from "${nameOf(entry)}"; console.log(Object.keys(all).length > 0);`)).toBe(true),
  );
  it.each(Object.entries(NAMES))("%s exports these names and no others", (entry, names) =>
    expect(answerOf(`import * as all from "${nameOf(entry)}"; console.log(JSON.stringify(Object.keys(all)));`)).toEqual(
      names,
    ),
  );
  it("has a program", () => expect(existsSync(ROOT + pkg.bin.espalier)).toBe(true));
});

describe("the front door is light", () => {
  it("loads no package, no store, format or command, before something is opened", () => {
    const hook = `
      import { writeSync } from "node:fs";
      export function load(url, context, next) { writeSync(1, url + "\\n"); return next(url, context); }`;
    const script = `
      import { register } from "node:module";
      register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hook)}));
      await import("espalier");`;
    const args = ["--input-type=module", "--eval", script];
    const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    const loaded = stdout.trim().split("\n");
    expect(loaded.some((url) => url.endsWith("/dist/index.js"))).toBe(true);
    expect(loaded.filter((url) => !/\/dist\/(index|errors|core\/.*|engine\/.*)\.js$/.test(url))).toEqual([]);
  });
});
