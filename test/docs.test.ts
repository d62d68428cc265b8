import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-table.ts";
import type { Row } from "../src/core/settings/table.ts";
import { allowedValues, SETTINGS, type SettingKey } from "../src/core/settings.ts";
import { compile } from "./snippets.ts";
import { filesBelow, ROOT } from "./sources.ts";

const pages = new Map([...filesBelow(`${ROOT}docs`, ".md")].map(([name, text]) => [`docs/${name}`, text]));
for (const name of ["README.md", "AGENTS.md"]) pages.set(name, readFileSync(`${ROOT}${name}`, "utf8"));

/** The npm scripts of the package, or of the one in `folder`. */
const scriptsIn = (folder = "."): Record<string, string> =>
  JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, "utf8")).scripts;

interface Fence {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const fences: Fence[] = [...pages].flatMap(([page, text]) =>
  [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    code: match[2] ?? "",
  })),
);

/** Everything after a `$ ` or on a line of its own in shell fences, without comments. */
const commandLines = fences
  .filter(({ language }) => language === "sh")
  .flatMap(({ page, code }) => code.split("\n").map((line) => ({ page, line: line.replace(/\s+#.*$/, "").trim() })))
  .filter(({ line }) => line !== "" && !line.startsWith("#"));

/** What is wrong with one command line; undefined when it names things that exist. */
function faultOf(line: string): string | undefined {
  for (const part of line.split("&&").map((each) => each.trim())) {
    const folder = /\s--prefix (\S+)/.exec(part)?.[1];
    const [program, first = "", second = "", third = ""] = part.replace(` --prefix ${folder}`, "").split(/\s+/);
    if (program === "npm" && first === "run" && !scriptsIn(folder)[second]) return `no script ${second}`;
    if (program === "npm" && !["ci", "run", "i", "install", "start", "test"].includes(first)) return `npm ${first}`;
    const command = program === "espalier" ? first : part.startsWith("node dist/cli/main.js") ? second : undefined;
    const row = COMMANDS.find(({ name }) => name === command);
    if (command !== undefined && !command.startsWith("-") && !row) return `no command ${command}`;
    const known = ["--json", "--verbose", "--help", "--version", ...(row?.options ?? []).map(({ flags }) => flags)];
    const flags = part.match(/\s--[a-z-]+/g) ?? [];
    const odd = row && flags.find((flag) => !known.some((each) => each.split(" ")[0] === flag.trim()));
    if (odd) return `${command} has no ${odd.trim()}`;
    if (program === "npx" && !existsSync(`${ROOT}node_modules/.bin/${first}`)) return `no program ${first}`;
    if (program === "npx" && first === "vitest" && third !== "" && !existsSync(ROOT + third)) return `no file ${third}`;
  }
  return undefined;
}

describe("what the pages show is true", () => {
  const runnable = fences.filter(({ language }) => language === "ts");
  const named = runnable.map((fence) => ({ ...fence, name: `${fence.page.replace(/\W/g, "-")}-${fence.line}` }));
  const compiled = compile(named);
  afterAll(compiled.remove);

  it("has snippets and command lines to check", () => {
    expect(runnable.length).toBeGreaterThan(2);
    expect(commandLines.length).toBeGreaterThan(10);
  });
  it("compiles every ts snippet against the package", () => expect(compiled.complaints).toEqual([]));
  it.each(named)("runs $page:$line", ({ name }) => expect(compiled.run(name).error).toBe(""));
  it.each(commandLines)("names what exists: $line", ({ line }) => expect(faultOf(line)).toBeUndefined());

  it("links only to files that exist", () => {
    const links = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, to = ""]) => posix.join(posix.dirname(page), to)),
    );
    expect(links.filter((link) => !existsSync(ROOT + link))).toEqual([]);
  });
  it.each(["README.md", "docs/15-command-line.md"])("shows every command in %s", (name) => {
    const page = pages.get(name) ?? "";
    expect(COMMANDS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
  it("numbers the pages in one order, and the README lists them in it", () => {
    const numbered = [...pages.keys()].filter((name) => /^docs\/\d/.test(name)).sort();
    expect(numbered.map((name) => Number(name.slice(5, 7)))).toEqual(numbered.map((_, at) => at + 1));
    const linked = [...(pages.get("README.md") ?? "").matchAll(/^\d+\. \[.*\]\((docs\/\d[^)]*)\)/gm)];
    expect(linked.map(([, name]) => name)).toEqual(numbered);
  });
});

describe("the pages list all there is", () => {
  const rowsOf = (page: string, pattern: RegExp) => (pages.get(page) ?? "").match(pattern) ?? [];
  const source = (name: string) => readFileSync(`${ROOT}src/${name}`, "utf8");
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

  it("[E1] every setting, as its row says", () => {
    const rows = Object.entries<Row>(SETTINGS).map(([key, row]) => {
      const value = row.default === undefined ? "–" : `\`${JSON.stringify(row.default)}\``;
      const guarded = row.guarded ? " †" : "";
      return `| \`${key}\`${guarded} | ${value} | ${allowedValues(key as SettingKey)} | ${row.sentence} |`;
    });
    expect(rowsOf("docs/09-settings.md", /^\| `.*$/gm)).toEqual(rows);
  });
  it("every code of an error", () => {
    const codes = [...source("errors.ts").matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => `| \`${code}\` |`);
    expect(sorted(rowsOf("docs/17-troubleshooting.md", /^\| `[A-Z_]+` \|/gm))).toEqual(sorted(codes));
  });
  it("every hook and every event", () => {
    const page = pages.get("docs/08-hooks-and-events.md") ?? "";
    const hooks = [...source("ports/hooks.ts").matchAll(/^ {2}"?(session[\w.]+)"?: \{$/gm)].map(
      ([, name = ""]) => name,
    );
    const events = [...source("ports/events.ts").matchAll(/readonly type: "(\w+)"/g)].map(([, name = ""]) => name);
    expect([hooks.length, events.length]).toEqual([6, 10]);
    expect([...hooks, ...events].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("the check of command lines can fail", () => {
  it.each([
    "npm run nothing",
    "npm run --prefix bench nothing",
    "espalier compress a.jsonl",
    "espalier compact a.jsonl --fast",
    "npx nothing",
  ])("%s", (line) => expect(faultOf(line)).toBeDefined());
});
