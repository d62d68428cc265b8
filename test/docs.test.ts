import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-table.ts";
import { compile } from "./snippets.ts";
import { filesBelow, ROOT } from "./sources.ts";

const pages = new Map([...filesBelow(`${ROOT}docs`, ".md")].map(([name, text]) => [`docs/${name}`, text]));
for (const name of ["README.md", "AGENTS.md"]) pages.set(name, readFileSync(`${ROOT}${name}`, "utf8"));

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: Record<string, string> };

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
    const [program, first = "", second = "", third = ""] = part.split(/\s+/);
    if (program === "npm" && first === "run" && !scripts[second]) return `no script ${second}`;
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
  it("shows every command in the command line's page", () => {
    const page = pages.get("docs/15-command-line.md") ?? "";
    expect(COMMANDS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
});

describe("the check of command lines can fail", () => {
  it.each(["npm run nothing", "espalier compress a.jsonl", "espalier compact a.jsonl --fast", "npx nothing"])(
    "%s",
    (line) => expect(faultOf(line)).toBeDefined(),
  );
});
