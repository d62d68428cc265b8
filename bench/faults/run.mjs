import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fakeModelServer } from "../../dist/testing/index.js";
import { RULE } from "./conversation.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BUN = `${HERE}../node_modules/@oven/bun-linux-x64/bin/bun`;
const LIMIT_MS = 60_000;

const GOOD = `## Goal\nFix problems 0 to 39.\n\n## Constraints & Preferences\n- ${RULE}\n\n## Next Steps\n- problem 40`;
const SYSTEMS = [
  { name: "pi 0.73.1", file: "pi", runtime: process.execPath },
  { name: "oh-my-pi agent core 18.2.3", file: "oh-my-pi", runtime: BUN },
  { name: "LangChain 1.5.14", file: "langchain", runtime: process.execPath },
  { name: "Espalier", file: "espalier", runtime: process.execPath },
];
const FAULTS = [
  ["a good summary (no fault)", GOOD],
  ["HTTP 500", { status: 500 }],
  ["HTTP 401", { status: 401 }],
  ["HTTP 429 for ever", { status: 429 }],
  ["the request is too long for the model", { fault: "overflow" }],
  ["empty answer", ""],
  ["thinking only", { thinking: "hmm" }],
  ["cut off at its length", { text: "## Goal\nFix the", stop: "length" }],
  ["a tool call instead", { text: "", toolCalls: [{ name: "read" }] }],
  ["longer than the history", "all of it once more ".repeat(12_000)],
  ["connection breaks half-way", { fault: "reset" }],
  ["not JSON", { fault: "invalid-json" }],
  ["a web page", { fault: "wrong-type" }],
  ["an answer that never ends", { fault: "endless" }],
];

/** What the history is afterwards. The rule from the first turn is in it, or it is not; that is what counts. */
function verdict(result) {
  if (result === undefined) return `no answer after ${LIMIT_MS / 1000} s`;
  if (result.absent) return "not run here";
  if (result.threw !== undefined) return "kept, nothing done (error)";
  if (result.kept) return "kept, nothing done";
  const { summary = "", by } = result;
  if (summary.includes(RULE)) return by === "extractive" ? "summary without the model" : "summary";
  return `**lost**: ${describe(summary)}`;
}

function describe(summary) {
  const text = summary.replace(/<[^>]+>/g, "").trim();
  if (text.length > 20_000) return `replaced by ${Math.round(text.length / 1000)} kB of text`;
  return text === "" ? "replaced by nothing" : `replaced by “${text.replace(/\s+/g, " ").slice(0, 60)}…”`;
}

async function run(system, reply) {
  if (!existsSync(system.runtime)) return { absent: true };
  const server = await fakeModelServer({ script: [reply] });
  const child = spawn(system.runtime, [`${HERE}child.mjs`, system.file, server.baseUrl("openai-chat")], { cwd: HERE });
  let out = "";
  let err = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stderr.on("data", (part) => {
    err += part;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const [code, signal] = await new Promise((resolve) => child.on("close", (...ended) => resolve(ended)));
  clearTimeout(timer);
  const requests = server.requests.length;
  await server.close();
  if (signal) return { requests };
  const last = out.trim().split("\n").at(-1) ?? "";
  if (code !== 0 || last === "") return { result: { threw: err.slice(-300) }, requests };
  return { result: JSON.parse(last), requests };
}

mkdirSync(`${HERE}../out`, { recursive: true });
const only = process.argv.slice(2);
const systems = SYSTEMS.filter(({ file }) => only.length === 0 || only.includes(file));
const rows = [
  ["the model answers with", ...systems.map(({ name }) => name)],
  ["---", ...systems.map(() => "---")],
];
const details = [];
for (const [name, reply] of FAULTS) {
  const cells = await Promise.all(
    systems.map(async (system) => {
      const { absent, result, requests } = await run(system, reply);
      details.push({ system: system.name, fault: name, requests, ...(result ?? { absent }) });
      return absent ? verdict({ absent }) : verdict(result);
    }),
  );
  rows.push([name, ...cells]);
  console.log(`${name}: ${cells.join(" | ")}`);
}
writeFileSync(`${HERE}../out/faults.json`, `${JSON.stringify(details, null, 1)}\n`);
writeFileSync(`${HERE}../out/faults.md`, `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
