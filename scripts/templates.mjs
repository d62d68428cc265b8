// Turns prompts/*.md into TypeScript: `*-context.md` for core/context, `agent-*.md` for agent, the others for core/summary.
// `--check` writes nothing and fails when a generated file is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const check = process.argv.includes("--check");

const names = readdirSync(`${root}prompts`)
  .filter((name) => name.endsWith(".md"))
  .sort();
const isContext = (name) => name.endsWith("-context.md");
const isAgent = (name) => name.startsWith("agent-");

const outputs = [
  { path: "src/core/context/templates.ts", names: names.filter(isContext) },
  { path: "src/agent/templates.ts", names: names.filter(isAgent) },
  { path: "src/core/summary/templates.ts", names: names.filter((name) => !isContext(name) && !isAgent(name)) },
];

const constantOf = (name) => name.slice(0, -".md".length).toUpperCase().replaceAll("-", "_");

function moduleOf(files) {
  const lines = ["// Generated from prompts/*.md by scripts/templates.mjs; edit those."];
  for (const name of files) {
    const text = readFileSync(`${root}prompts/${name}`, "utf8").replaceAll("\r\n", "\n").trimEnd();
    lines.push("", `/** prompts/${name} */`, `export const ${constantOf(name)} = ${JSON.stringify(text)};`);
  }
  return `${lines.join("\n")}\n`;
}

let stale = 0;
for (const { path, names: files } of outputs) {
  if (files.length === 0) continue;
  const text = moduleOf(files);
  const current = existsSync(root + path) ? readFileSync(root + path, "utf8") : "";
  if (text === current) continue;
  stale++;
  if (check) console.error(`${path} is out of date: run "node scripts/templates.mjs".`);
  else writeFileSync(root + path, text);
}
if (check && stale > 0) process.exitCode = 1;
