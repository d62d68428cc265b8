import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT } from "./sources.ts";

/** Who may import whom, by room: a folder of src, a folder or file of src/core, or a file at the top of src. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  "core/session": ["errors"],
  "core/settings": ["errors"],
  "core/context": ["core/session", "errors"],
  "core/trigger": ["core/session", "core/context", "core/settings", "errors"],
  "core/plan": ["core/session", "core/context", "core/settings", "core/trigger", "errors"],
  "core/summary": ["core/session", "core/context", "core/plan", "errors"],
  "core/extract": ["core/session", "core/context", "core/plan", "core/summary", "errors"],
  "core/verify": ["core/session", "core/context", "core/plan", "errors"],
  "core/recall": ["core/session", "core/context", "errors"],
  "core/commit": ["core/session", "core/plan", "core/summary", "errors"],
  "core/index": ["core", "errors"],
  ports: ["core", "errors"],
  engine: ["core", "ports", "errors"],
  stores: ["core", "ports", "errors"],
  summarizers: ["core", "ports", "errors"],
  models: ["core/session", "core/settings", "core/trigger", "ports", "errors"],
  agent: ["engine", "core", "ports", "errors"],
  formats: ["core/session", "core/context", "errors"],
  adapters: ["core/session", "core/context", "adapters/pipeline", "errors"],
  "adapters/pipeline": ["core", "ports", "engine", "summarizers", "errors"],
  testing: ["core", "ports"],
  index: ["core", "ports", "engine", "stores", "summarizers", "formats", "errors"],
  cli: [""],
};

const NO_NODE = /^(core|ports|engine|viewer\/app)\/|^errors\.ts$/;
const GENERATED = /\/templates\.ts$/;
const VAGUE = /(^|[/.-])(utils?|helpers?|manager|common)([/.-]|$)/;
const IMPORT = /(?:^|[\s;}])(?:import|export)\s+(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"/g;

type Modules = ReadonlyMap<string, string>;

const within = (room: string, folder: string) => folder === "" || room === folder || room.startsWith(`${folder}/`);

function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const inner = first === "core" || path.startsWith("adapters/pipeline/");
  return (inner ? `${first}/${second}` : first).replace(/\.ts$/, "");
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? "");
}

function targetsOf(modules: Modules, path: string): string[] {
  const relative = importsOf(modules.get(path) ?? "").filter((name) => name.startsWith("."));
  return relative.map((name) => posix.join(posix.dirname(path), name));
}

function forbiddenImports(modules: Modules): string[] {
  const faults: string[] = [];
  for (const path of modules.keys()) {
    const room = roomOf(path);
    const allowed = MAY_IMPORT[room] ?? [];
    for (const target of targetsOf(modules, path)) {
      const ok = roomOf(target) === room || allowed.some((folder) => within(roomOf(target), folder));
      if (!ok) faults.push(`${path} imports ${target}`);
    }
  }
  return faults;
}

function nodeImports(modules: Modules): string[] {
  const pure = [...modules].filter(([path]) => NO_NODE.test(path));
  return pure.flatMap(([path, text]) =>
    importsOf(text)
      .filter((name) => name.startsWith("node:"))
      .map((name) => `${path} imports ${name}`),
  );
}

/** Modules in a cycle, or between two: what imports nothing that is left, or is imported by nothing left, is taken away. */
function inCycles(modules: Modules): string[] {
  const left = new Map([...modules.keys()].map((path) => [path, targetsOf(modules, path)]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [path, targets] of left) {
      if (!imported.has(path) || !targets.some((target) => left.has(target))) left.delete(path);
    }
  }
  return [...left.keys()];
}

const tooLong = (modules: Modules) =>
  [...modules].filter(([path, text]) => !GENERATED.test(path) && text.split("\n").length > 401).map(([path]) => path);

const vaguelyNamed = (modules: Modules) => [...modules.keys()].filter((path) => VAGUE.test(path));

const unknownRooms = (modules: Modules) =>
  [...modules.keys()].filter((path) => !Object.hasOwn(MAY_IMPORT, roomOf(path)));

describe("the house is built as the design says", () => {
  const src = filesBelow(`${ROOT}src`, ".ts");

  it("imports only what each room may import", () => expect(forbiddenImports(src)).toEqual([]));
  it("keeps node: out of core, ports, engine and errors", () => expect(nodeImports(src)).toEqual([]));
  it("has no cycles, types included", () => expect(inCycles(src)).toEqual([]));
  it("has no file over 400 lines", () => expect(tooLong(src)).toEqual([]));
  it("has no vaguely named file", () => expect(vaguelyNamed(src)).toEqual([]));
  it("has no room without a rule", () => expect(unknownRooms(src)).toEqual([]));
});

describe("each of these checks can fail", () => {
  const modules = (...files: [string, string][]): Modules => new Map(files);

  it("sees core import the engine, whatever the form of the import", () => {
    for (const form of [
      'import type { A } from "X";',
      'export * from "X";',
      'import "X";',
      'const a = await import("X");',
    ]) {
      const seeded = modules(["core/plan/a.ts", form.replace("X", "../../engine/b.ts")], ["engine/b.ts", ""]);
      expect(forbiddenImports(seeded)).toEqual(["core/plan/a.ts imports engine/b.ts"]);
    }
  });
  it("sees an import that spans lines, and one room of core import another", () =>
    expect(forbiddenImports(modules(["core/session/a.ts", 'import {\n  b,\n} from "../context/b.ts";']))).toHaveLength(
      1,
    ));
  it("sees anybody import cli", () =>
    expect(forbiddenImports(modules(["index.ts", 'export { a } from "./cli/a.ts";']))).toHaveLength(1));
  it("sees node: in core and leaves it to stores", () => {
    const seeded = modules(["core/a.ts", 'import "node:fs";'], ["stores/a.ts", 'import fs from "node:fs";']);
    expect(nodeImports(seeded)).toEqual(["core/a.ts imports node:fs"]);
  });
  it("sees a cycle of types, not what hangs on it, and passes a diamond", () => {
    const cycle = modules(
      ["core/a.ts", 'import type { B } from "./b.ts";'],
      ["core/b.ts", 'export { a } from "./a.ts";'],
      ["core/c.ts", 'import "./b.ts";'],
    );
    expect(inCycles(cycle)).toEqual(["core/a.ts", "core/b.ts"]);
    const diamond = modules(
      ["a.ts", 'import "./b.ts"; import "./c.ts";'],
      ["b.ts", 'import "./d.ts";'],
      ["c.ts", 'import "./d.ts";'],
    );
    expect(inCycles(diamond)).toEqual([]);
  });
  it("sees a long file, a vague name and a new room", () => {
    expect(tooLong(modules(["core/a.ts", "\n".repeat(401)], ["core/b.ts", "\n".repeat(400)]))).toEqual(["core/a.ts"]);
    expect(
      vaguelyNamed(modules(["core/text-utils.ts", ""], ["engine/manager.ts", ""], ["core/commit/a.ts", ""])),
    ).toHaveLength(2);
    expect(unknownRooms(modules(["attic/a.ts", ""]))).toEqual(["attic/a.ts"]);
  });
});
