// How much of what the rest of a session uses is still there after compaction:
// npm run --prefix bench quality -- FOLDER [--budgets=8000,16000,32000] [--json]
import { resolve } from "node:path";
import { CONTEXTS } from "./contexts.mjs";
import { found, holdings, wantedOf } from "./facts.mjs";
import { cutsOf, filesIn, messagesOf } from "./sessions.mjs";

const KINDS = ["path", "identifier", "error", "command"];
const SHARES = [0.4, 0.55, 0.7, 0.85];
/** Below so many names wanted a cut tells nothing. */
const FEWEST = 5;

const place = process.argv.slice(2).find((word) => !word.startsWith("--"));
const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
if (!place) {
  console.error("Say which folder or session file: npm run --prefix bench quality -- FOLDER");
  process.exit(2);
}
const budgets = (option("budgets") ?? "8000,16000,32000").split(",").map(Number);
const rows = new Map();
let sessions = 0;
// Under npm the working folder is that of the package; the path is meant from where it was typed.
for (const file of filesIn(resolve(process.env.INIT_CWD ?? ".", place))) await measure(file);
if (process.argv.includes("--json")) console.log(JSON.stringify({ sessions, rows: [...rows.values()].map(shares) }));
else print();

async function measure(file) {
  const entries = await messagesOf(file);
  if (!entries) return;
  let used = false;
  for (const { at, past: tokens } of cutsOf(entries, SHARES)) {
    if (tokens < Math.min(...budgets) * 1.5) continue;
    const past = entries.slice(0, at);
    const wanted = wantedOf(past, entries.slice(at));
    if (wanted.names.size < FEWEST) continue;
    used = true;
    for (const budget of budgets.filter((one) => tokens >= one * 1.5)) {
      for (const [name, make] of Object.entries(CONTEXTS)) add(budget, name, await make(past, budget), wanted);
    }
  }
  if (used) sessions++;
}

function add(budget, context, { lines, tokens }, wanted) {
  const key = `${budget} ${context}`;
  const row = rows.get(key) ?? { budget, context, cuts: 0, tokens: 0, sums: {} };
  rows.set(key, row);
  row.cuts++;
  row.tokens += tokens;
  for (const [kind, { of, found: there }] of Object.entries(found(wanted, holdings(lines)))) {
    row.sums[kind] ??= { of: 0, found: 0 };
    row.sums[kind].of += of;
    row.sums[kind].found += there;
  }
}

function shares({ budget, context, cuts, tokens, sums: { tied, ...kinds } }) {
  const ratio = (...parts) => {
    const of = parts.reduce((sum, part) => sum + (part?.of ?? 0), 0);
    return of > 0 ? parts.reduce((sum, part) => sum + (part?.found ?? 0), 0) / of : null;
  };
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, ratio(kinds[kind])]));
  return {
    budget,
    context,
    cuts,
    tokens: Math.round(tokens / cuts),
    facts: ratio(...Object.values(kinds)),
    tied: ratio(tied),
    ...byKind,
  };
}

function print() {
  if (rows.size === 0) {
    console.log(
      `Nothing to measure in ${place}: sessions of more than ${Math.min(...budgets) * 1.5} tokens are needed.`,
    );
    return;
  }
  const columns = ["facts", "tied", ...KINDS];
  console.log(
    `| budget | context | cuts | tokens | ${columns.join(" | ")} |\n|---|---|---|---|${"---|".repeat(columns.length)}`,
  );
  for (const row of [...rows.values()].map(shares).sort((a, b) => a.budget - b.budget)) {
    const cells = columns.map((column) => (row[column] === null ? "" : row[column].toFixed(2)));
    console.log(`| ${row.budget} | ${row.context} | ${row.cuts} | ${row.tokens} | ${cells.join(" | ")} |`);
  }
  console.log(
    `\nShares found, over ${sessions} sessions. facts: names and commands of all kinds; tied: pairs in one line.`,
  );
}
