// Speed of Espalier beside pi and the limits of the machine: npm run bench [-- --huge] [--sizes=1,10,100]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appendRow, turnRow } from "./append.mjs";
import { listRow } from "./list.mjs";
import { makeMany, makeSession } from "./make-session.mjs";
import { median } from "./median.mjs";
import { treeRow } from "./tree.mjs";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
const PEERS = ["pi 0.73.1", "pi 1.6.0"];
const LARGEST_FOR_PEERS = 100;
const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const huge = process.argv.includes("--huge");
const sizes = (option("sizes") ?? (huge ? "1,10,100,1000" : "1,10,100")).split(",").map(Number);
const rounds = Number(option("rounds") ?? 5);

const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
const rows = [];
let missed = 0;
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${missed} of ${rows.length} targets missed. Node ${process.version}, ${cpus().length} processors.`);

async function run() {
  console.log("| what | figure | target | |\n|---|---|---|---|");
  const files = new Map();
  for (const mb of sizes) {
    const file = join(folder, `${mb}.jsonl`);
    makeSession(file, mb * 1e6);
    files.set(mb, file);
  }
  opening(files);
  const middle = files.get(100) ?? [...files.values()].at(-1);
  const { tree, parse, read } = await treeRow(middle);
  const limit = `${ms(tree)}; parsing each line ${ms(parse)}, only finding lines ${ms(read)}`;
  row("metadata of the whole tree, processor time", limit, parse / tree, "×", 4);
  const quick = await appendRow(folder, "never", 5000);
  row("append of 2 kB, p50", of(quick), quick.append / quick.raw, "× a raw write", undefined, 2);
  const durable = await appendRow(folder, "always", 300);
  row(
    "durable append of 2 kB, p50",
    of(durable),
    durable.append / durable.raw,
    "× write and fdatasync",
    undefined,
    1.15,
  );
  const many = join(folder, "many.jsonl");
  const entries = option("entries") ? Number(option("entries")) : huge ? 1_000_000 : 200_000;
  makeMany(many, entries);
  row(`bookkeeping a turn at ${entries} entries, p50`, "", await turnRow(many, 2000), "µs", undefined, 20);
  for (const [mb, file] of files) {
    const what = `listing, processor time a session of ${mb} MB`;
    row(what, "", listRow(folder, file, 200), "ms", undefined, 0.1);
  }
  for (const mb of sizes.filter((mb) => mb >= 100)) {
    for (const does of ["tree", "explain", "compact"])
      show(`${does} at ${mb} MB, process started for it`, files.get(mb), does);
  }
  for (const does of ["tree", "explain"]) show(`${does} of ${entries} entries, process started for it`, many, does);
}

/** Each system opens each file in processes of its own, in turn, so that all of them have the same machine. */
function opening(files) {
  const found = new Map();
  for (const [mb, file] of files) {
    const systems = ["espalier", ...(mb <= LARGEST_FOR_PEERS ? PEERS : [])];
    const runs = new Map(systems.map((system) => [system, []]));
    for (let round = 0; round < rounds; round++) {
      for (const system of systems) runs.get(system).push(opened(system, file));
    }
    for (const [system, all] of runs) {
      const ok = all.filter((one) => one !== null);
      if (ok.length === 0) continue;
      const middle = Object.fromEntries(["ms", "cpu", "peak"].map((key) => [key, median(ok.map((one) => one[key]))]));
      found.set(`${system} ${mb}`, middle);
      const figure = figures(middle);
      if (system === "espalier") row(`open and context at ${mb} MB`, figure, middle.peak, "MB peak", undefined, 100);
      else console.log(`| ${system}: open and context at ${mb} MB | ${figure} | | |`);
    }
  }
  const largest = sizes.at(-1);
  const ours = (mb) => found.get(`espalier ${mb}`);
  if (largest > 10 && ours(10)) {
    row(`open and context, ${largest} MB beside 10 MB`, "", ours(largest).cpu / ours(10).cpu, "×", undefined, 1.5);
  }
  for (const [peer, target] of [
    ["pi 0.73.1", 100],
    ["pi 1.6.0", 40],
  ]) {
    const theirs = found.get(`${peer} 100`);
    if (theirs) row(`open and context at 100 MB beside ${peer}`, "", theirs.cpu / ours(100).cpu, "× faster", target);
  }
}

/** Prints a row without a target: the median of what one thing takes in processes of its own. */
function show(what, file, does) {
  const all = Array.from({ length: 3 }, () => opened("espalier", file, does)).filter((one) => one !== null);
  const [cpu, wall, peak] = ["cpu", "ms", "peak"].map((key) => median(all.map((one) => one[key])));
  console.log(`| ${what} | ${figures({ cpu, ms: wall, peak })}; ${all[0].gave} | | |`);
}

function figures({ cpu, ms: wall, peak }) {
  return `${ms(cpu)} of processor, ${ms(wall)} in all, peak ${peak.toFixed(0)} MB`;
}

function opened(system, file, does) {
  const words = [CHILD, system, file, ...(does ? [does] : [])];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1));
  if (system === "espalier" || existsSync(new URL("../node_modules", import.meta.url))) console.error(stderr.trim());
  return null;
}

/** Prints a row whose value has to be `least` or more, or `most` or less. */
function row(what, figure, value, unit, least, most) {
  const met = least !== undefined ? value >= least : value <= most;
  if (!met) missed++;
  const target = least !== undefined ? `≥ ${least}` : `≤ ${most}`;
  rows.push(what);
  console.log(
    `| ${what} | ${figure}${figure ? "; " : ""}${number(value)} ${unit} | ${target} | ${met ? "ok" : "miss"} |`,
  );
}

function of({ append, encoded, raw }) {
  return `${number(append)} µs; raw write ${number(raw)} µs, encoding and writing ${number(encoded)} µs`;
}

function ms(value) {
  return `${number(value)} ms`;
}

function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
