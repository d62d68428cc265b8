import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Where the recorded session says that it was made. */
const HOME = "/home/dev/espalier";

/** Prices in US dollars for a million tokens: input, output, cache read, cache write. */
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/**
 * Records a session: texts are given, tool calls are really carried out in a scratch clone of this repository.
 *
 * Ids come from a seeded generator and times from a made-up clock, so that two recordings at the same commit are the same
 * bytes. Paths of this machine are replaced, and what depends on its speed is taken out of test output, for the same reason.
 */
export class Recorder {
  entries = [];
  leafId = null;
  model = { provider: "scripted", modelId: "author-1" };
  #now = Date.parse("2026-03-02T09:00:00.000Z");
  #seed = 20260302;
  #calls = 0;
  #thinking = null;

  constructor(root) {
    this.root = root.replace(/\/$/, "");
    this.scratch = mkdtempSync(join(tmpdir(), "espalier-example-"));
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, this.scratch]);
    writeFileSync(join(this.scratch, ".git/info/exclude"), "node_modules\n");
    symlinkSync(join(root, "node_modules"), join(this.scratch, "node_modules"));
  }

  header() {
    const timestamp = new Date(this.#now).toISOString();
    return { type: "session", version: 3, id: "5e55a11d-0000-4000-8000-e5fa11e20260", timestamp, cwd: HOME };
  }

  /** Appends an entry at the leaf and gives its id. */
  entry(fields) {
    this.#now += 1_000 + Math.floor(this.#random() * 40_000);
    const id = Math.floor(this.#random() * 2 ** 32).toString(16).padStart(8, "0");
    const { type, ...rest } = fields;
    this.entries.push({ type, id, parentId: this.leafId, timestamp: new Date(this.#now).toISOString(), ...rest });
    this.leafId = id;
    return id;
  }

  message(message) {
    return this.entry({ type: "message", message: { ...message, timestamp: this.#now } });
  }

  user(text) {
    return this.message({ role: "user", content: [{ type: "text", text }] });
  }

  /** Thinking that precedes the next assistant message. */
  think(text) {
    this.#thinking = text;
  }

  /** One assistant message that calls tools, and their results. */
  does(text, ...calls) {
    const blocks = calls.map(({ name, input }) => {
      this.#calls += 1;
      return { type: "toolCall", id: `call_${String(this.#calls).padStart(4, "0")}`, name, arguments: input };
    });
    this.#assistant(text, blocks, { stopReason: "toolUse" });
    calls.forEach((call, at) => {
      const { content, details, isError = false } = call.run(this.scratch);
      const toolCallId = blocks[at].id;
      const clean = content.map((block) => (block.type === "text" ? { ...block, text: this.#clean(block.text) } : block));
      this.message({ role: "toolResult", toolCallId, toolName: call.name, content: clean, ...(details ? { details } : {}), isError });
    });
  }

  /** An assistant message that ends the turn. */
  says(text) {
    return this.#assistant(text, [], { stopReason: "stop" });
  }

  aborts(text) {
    return this.#assistant(text, [], { stopReason: "aborted", errorMessage: "Request was aborted." });
  }

  fails(errorMessage) {
    return this.#assistant("", [], { stopReason: "error", errorMessage });
  }

  /** A command that the user ran beside the conversation. */
  userRuns(command, more = {}) {
    const { output, exitCode } = shell(this.scratch, command);
    return this.message({ role: "bashExecution", command, output: this.#clean(output), exitCode, cancelled: false, truncated: false, ...more });
  }

  changeModel(modelId) {
    this.model = { ...this.model, modelId };
    return this.entry({ type: "model_change", ...this.model });
  }

  /** Leaves the branch: the next entry stands under `id`. */
  backTo(id) {
    this.leafId = id;
  }

  finish(path) {
    rmSync(this.scratch, { recursive: true });
    const lines = [this.header0, ...this.entries].map((line) => JSON.stringify(line));
    writeFileSync(path, `${lines.join("\n")}\n`);
  }

  header0 = this.header();

  #assistant(text, calls, end) {
    const content = [];
    if (this.#thinking) content.push({ type: "thinking", thinking: this.#thinking });
    if (text) content.push({ type: "text", text });
    content.push(...calls);
    this.#thinking = null;
    const { provider, modelId: model } = this.model;
    return this.message({ role: "assistant", content, api: "scripted", provider, model, usage: this.#usage(content, end), ...end });
  }

  /** What a provider would report: a quarter of the characters, all but the newest from its cache. */
  #usage(content, { stopReason }) {
    const path = this.#path();
    const newest = path.findLastIndex(({ message }) => message?.role === "assistant" && message.stopReason !== "error");
    const cacheRead = tokensOf(path.slice(0, newest + 1));
    const cacheWrite = tokensOf(path.slice(newest + 1));
    const failed = stopReason === "error";
    const tokens = failed
      ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      : { input: 4, output: Math.ceil(JSON.stringify(content).length / 4), cacheRead, cacheWrite };
    const cost = Object.fromEntries(Object.entries(tokens).map(([kind, n]) => [kind, (n * PRICES[kind]) / 1e6]));
    const total = (values) => Object.values(values).reduce((sum, n) => sum + n, 0);
    return { ...tokens, totalTokens: total(tokens), cost: { ...cost, total: total(cost) } };
  }

  #path() {
    const byId = new Map(this.entries.map((entry) => [entry.id, entry]));
    const path = [];
    for (let entry = byId.get(this.leafId); entry; entry = byId.get(entry.parentId)) path.push(entry);
    return path.reverse();
  }

  #clean(text) {
    return text
      .replaceAll(this.scratch, HOME)
      .replaceAll(this.root, HOME)
      .replace(/^( *(?:Start at|Duration) ).*$/gm, "$1…")
      .replace(/^( *[✓×❯↓].*?) *\d+(?:\.\d+)?m?s$/gm, "$1")
      .replace(/^(Checked \d+ files? in ).*?(?=\.)/gm, "$1…")
      .replace(/^( ✓ test\/\S+ \(\d+ tests?\)\n)(?: {5}✓ .*\n)+/gm, "$1")
      .replace(/(?:^ ✓ test\/\S+ \(\d+ tests?\)\n)+/gm, (files) => `${files.trimEnd().split("\n").sort().join("\n")}\n`);
  }

  /** mulberry32 */
  #random() {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

const tokensOf = (entries) => Math.ceil(entries.reduce((sum, { message }) => sum + lengthOf(message), 0) / 4);
const lengthOf = (message) => (message ? JSON.stringify(message.content ?? message.output ?? "").length : 0);

const text = (value) => [{ type: "text", text: value }];

/** The compiler's flags for single files, as `$STRICT` in the commands of the story. */
const STRICT =
  "--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --allowImportingTsExtensions --module nodenext --target es2023 --lib es2023,esnext.intl --skipLibCheck --types node";

function shell(cwd, command) {
  const date = "2026-03-02T10:00:00Z";
  const who = { GIT_AUTHOR_NAME: "dev", GIT_AUTHOR_EMAIL: "dev@example.com", GIT_COMMITTER_NAME: "dev", GIT_COMMITTER_EMAIL: "dev@example.com" };
  const env = { ...process.env, ...who, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, STRICT, NO_COLOR: "1", CI: "1", LC_ALL: "C.UTF-8" };
  const { stdout, stderr, status } = spawnSync("bash", ["-c", command], { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  return { output: `${stdout}${stderr}`.trimEnd(), exitCode: status ?? 1 };
}

export const bash = (command) => ({
  name: "bash",
  input: { command },
  run(cwd) {
    const { output, exitCode } = shell(cwd, command);
    if (exitCode === 0) return { content: text(output || "(no output)") };
    return { content: text(`${output}\n\nCommand exited with code ${exitCode}`), isError: true };
  },
});

export const read = (path, offset, limit) => ({
  name: "read",
  input: { path, ...(offset ? { offset } : {}), ...(limit ? { limit } : {}) },
  run(cwd) {
    let bytes;
    try {
      bytes = readFileSync(join(cwd, path));
    } catch {
      return { content: text(`ENOENT: no such file or directory, access '${HOME}/${path}'`), isError: true };
    }
    if (path.endsWith(".png")) {
      const image = { type: "image", data: bytes.toString("base64"), mimeType: "image/png" };
      return { content: [...text(`Read image file [image/png]`), image] };
    }
    const lines = bytes.toString("utf8").split("\n");
    const from = (offset ?? 1) - 1;
    const shown = lines.slice(from, limit ? from + limit : undefined);
    const rest = lines.length - from - shown.length;
    const note = rest > 0 ? `\n\n[${rest} more lines in file. Use offset=${from + shown.length + 1} to continue.]` : "";
    return { content: text(shown.join("\n") + note) };
  },
});

export const write = (path, content) => ({
  name: "write",
  input: { path, content },
  run(cwd) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
    return { content: text(`Successfully wrote ${Buffer.byteLength(content)} bytes to ${path}`) };
  },
});

export const edit = (path, oldText, newText) => ({
  name: "edit",
  input: { path, edits: [{ oldText, newText }] },
  run(cwd) {
    const before = readFileSync(join(cwd, path), "utf8");
    const found = before.split(oldText).length - 1;
    if (found !== 1) {
      const why = found === 0 ? "Could not find the exact text" : `Found ${found} occurrences of the text`;
      return { content: text(`${why} in ${path}. The old text must match exactly and be unique.`), isError: true };
    }
    writeFileSync(join(cwd, path), before.replace(oldText, () => newText));
    const signed = (sign, lines) => lines.split("\n").map((line) => `${sign}${line}`);
    const diff = [...signed("-", oldText), ...signed("+", newText)].join("\n");
    return { content: text(`Successfully replaced 1 block(s) in ${path}.`), details: { diff } };
  },
});

export const grep = (pattern, path, glob) => ({
  name: "grep",
  input: { pattern, path, ...(glob ? { glob } : {}) },
  run(cwd) {
    const include = glob ? [`--include=${glob}`] : [];
    const { stdout } = spawnSync("grep", ["-rnE", ...include, "--", pattern, path], { cwd, encoding: "utf8" });
    const found = stdout.trimEnd().split("\n").sort().join("\n");
    return { content: text(found || "No matches found") };
  },
});
