/**
 * Drives an agent session through turns, aborts, navigations, model switches, failures and kills, and checks after each
 * step that what the rules promise holds: `node run.mjs --turns 2000 --seed 1 --kills 0.03`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fakeModelServer } from "../../../dist/testing/index.js";
import { startAgent } from "./child.mjs";
import { createLedger } from "./ledger.mjs";
import { providerScript, REAL, WINDOWS } from "./provider.mjs";
import { upTo, words } from "./random.mjs";
import { stepOf } from "./steps.mjs";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "0.03" },
    api: { type: "string", default: "anthropic" },
  },
});
const [turns, seed, kills] = [Number(values.turns), values.seed, Number(values.kills)];
/** What begins a turn, or goes on with one. */
const INPUT = new Set(["prompt", "steer", "followUp", "continue"]);
const MOST_FAULTS = 20;
const DEEP_EVERY = 10;
const VERIFY_EVERY = 200;

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), "soak-"));
const file = join(folder, "session.jsonl");
const faults = [];
const figures = { turns: 0, steps: 0, kills: 0, resumed: 0 };
const ends = {};
const totals = {};
const reasons = {};
let memory = 0;
let seenOfServer = 0;
let prompts = 0;
let step = { op: "start" };
let model = "small";

const complain = (...found) => {
  for (const fault of found) {
    faults.push(`step ${figures.steps} (${step.op}): ${fault}`);
    console.error(`FAULT ${faults.at(-1)}`);
  }
};
/** The prompt of a step that asks nothing else. */
const asked = () => (step.meanwhile?.length === 0 && step.op === "prompt" ? tagOf(step.text) : undefined);
const server = await fakeModelServer({
  script: providerScript(seed, asked, complain),
  window: WINDOWS,
  overflowAt: REAL,
  keep: 1,
});
const ledger = createLedger(file);
const cwd = join(folder, "work");
await prepare();
let agent = await opened(true);

let told = 0;
for (; figures.turns < turns && faults.length < MOST_FAULTS; figures.steps++) {
  step = stepOf(seed, figures.steps, prompt, kills);
  if (step.op === "reopen") {
    await closed();
    agent = await opened(false);
  } else {
    const answer = await agent.ask("step", step);
    if (answer.killed) await afterKill();
    else if (answer.error) {
      complain(answer.error);
      if (answer.hangs) agent.stop();
      break;
    } else judge(answer.result);
  }
  await check();
  if (figures.turns >= told + 100) {
    told = figures.turns;
    console.error(`${told} turns, ${faults.length} faults, ${Math.round((Date.now() - began) / 1000)} s`);
  }
}
step = { op: "end" };
if (faults.length < MOST_FAULTS) await closed();
else agent.stop();
complain(...ledger.read(), ...ledger.verify());
await server.close();
report();
if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
process.exitCode = faults.length > 0 ? 1 : 0;

async function prepare() {
  const { mkdirSync } = await import("node:fs");
  mkdirSync(cwd);
  for (const name of ["a", "b", "c"]) {
    writeFileSync(join(cwd, `${name}.txt`), Array.from({ length: 80 }, (_, n) => `line ${n} of ${name}`).join("\n"));
  }
  writeFileSync(
    join(cwd, "long.txt"),
    Array.from({ length: 6_000 }, (_, n) => `line ${n} of a long file 日本語`).join("\n"),
  );
}

function prompt(random) {
  prompts++;
  return `[P${prompts}] ${words(random, upTo(random, random() < 0.05 ? 8_000 : 300))}`;
}

async function opened(isNew) {
  const started = startAgent();
  const asksModel = figures.steps % 2 === 0;
  const args = { file, cwd, model, isNew, asksModel, baseUrl: server.baseUrl(values.api), api: values.api };
  const { error } = await started.ask("open", args);
  if (error) throw new Error(`Step ${figures.steps}: it can't be opened.\n${error}`);
  return started;
}

async function closed() {
  const { error, result } = await agent.ask("dispose", {});
  if (error) complain(error);
  else {
    complain(...result.faults);
    addUp(result.counts);
  }
  agent.stop();
}

/** A new process takes over, and goes on where the old one died. */
async function afterKill() {
  figures.kills++;
  if (step.op === "prompt") figures.turns++;
  agent = await opened(false);
  await check();
  const answer = await agent.ask("step", { op: "continue" });
  if (answer.error) return complain(answer.error);
  if (answer.result.outcomes[0].status !== "nothing") figures.resumed++;
  judge(answer.result);
}

function judge({ outcomes, faults: found }) {
  complain(...found);
  for (const { what, text, status, answer, code, message, stack } of outcomes) {
    const end = `${what} ${status}${code ? ` ${code}` : ""}`;
    count(ends, end);
    if (INPUT.has(what) && status !== "nothing") figures.turns++;
    if (code) count(reasons, `${code}: ${message.replace(/\d+/g, "N").slice(0, 160)}`);
    if (process.env.SOAK_TELL) console.error(figures.steps, step.op, end, message ?? "");
    if (stack) complain(`${what} threw ${stack}`);
    if (status === undefined) complain(`${what} ended without saying how`);
    if ((status === "failed" || status === "rejected") && !message) complain(`${what} failed without a reason`);
    if (what === "setModel" && status === "done") model = outcomes.findLast((each) => each.model)?.model ?? model;
    const tag = tagOf(text);
    if (tag && status === "answered") step.answered = [...(step.answered ?? []), tag];
    const alone = outcomes.length === 1 && what === "prompt" && status === "answered";
    const isFull = answer?.startsWith("Done: [P") && !answer.includes("[P?]");
    if (alone && isFull && !answer.includes(tag)) complain(`${tag} was answered by ${answer.slice(0, 40)}`);
  }
}

async function check() {
  const answer = await agent.ask("check", { deep: figures.steps % DEEP_EVERY === 0 });
  if (answer.error) return complain(answer.error);
  const { faults: found, memory: used } = answer.result;
  complain(...found, ...ledger.read());
  memory = Math.max(memory, used);
  for (const tag of step.answered ?? []) {
    if (ledger.prompts.get(tag) !== 1)
      complain(`${tag} was answered but stands in the file ${ledger.prompts.get(tag) ?? 0} times`);
  }
  if (figures.steps % VERIFY_EVERY === 0) complain(...ledger.verify());
  complain(...server.faults.slice(seenOfServer));
  seenOfServer = server.faults.length;
}

function tagOf(text = "") {
  return /^\[P\d+\]/.exec(text)?.[0];
}

function addUp(counts) {
  for (const [name, times] of Object.entries(counts)) count(totals, name, times);
}

function count(counts, name, times = 1) {
  counts[name] = (counts[name] ?? 0) + times;
}

function report() {
  const row = (name, value) => console.log(`${name.padEnd(44)} ${value}`);
  row("seed", seed);
  for (const [name, value] of Object.entries(figures)) row(name, value);
  row("requests", server.count);
  row("entries", ledger.entries);
  row("file", `${(ledger.size / 1e6).toFixed(1)} MB`);
  row("most memory of the agent", `${Math.round(memory / 1024)} MB`);
  row("time", `${Math.round((Date.now() - began) / 1000)} s`);
  for (const [name, value] of Object.entries(totals).sort())
    if (!name.includes("message_")) row(`event ${name}`, value);
  for (const [name, value] of Object.entries(ends).sort()) row(`end   ${name}`, value);
  for (const [reason, times] of Object.entries(reasons).sort()) console.log(`${String(times).padStart(5)} ${reason}`);
  if (faults.length > 0) {
    console.log(`Again with: --seed ${seed} --turns ${turns} --kills ${kills} --api ${values.api}`);
    console.log(`The session is kept: ${file}`);
  }
  console.log(`soak: ${figures.turns} turns, ${faults.length} faults`);
}
