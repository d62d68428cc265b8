import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "./snippets.ts";
import { filesBelow, ROOT } from "./sources.ts";

const PI = "@earendil-works/pi-coding-agent/dist/core/session-manager.js";

describe("the examples run by themselves and check themselves", () => {
  const examples = [...filesBelow(`${ROOT}examples`, ".ts")].map(([path, code]) => ({ name: path.slice(0, -3), code }));
  const compiled = compile(examples);
  afterAll(compiled.remove);

  it("compile against the package", () => expect(compiled.complaints).toEqual([]));
  it.each(examples)("$name", ({ name }) => {
    const { output, error } = compiled.run(name);
    expect(error).toBe("");
    expect(output).not.toBe("");
  });
});

describe("the example session", () => {
  const path = `${ROOT}examples/session/espalier.jsonl`;
  const text = readFileSync(path, "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const entries = lines.slice(1);
  const roles = entries.flatMap(({ message }) => (message ? [message] : []));
  const calls = roles.map(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === "toolCall") : [],
  );

  it("is long enough to be worth a compaction and small enough to ship", () => {
    expect(entries.length).toBeGreaterThanOrEqual(250);
    expect(text.length).toBeLessThan(700_000);
  });
  it("holds what sessions hold", () => {
    const types = new Set(entries.map(({ type }) => type));
    for (const type of [
      "message",
      "custom_message",
      "custom",
      "model_change",
      "thinking_level_change",
      "label",
      "session_info",
    ]) {
      expect(types).toContain(type);
    }
    expect(new Set(roles.map(({ role }) => role))).toEqual(
      new Set(["system", "user", "assistant", "toolResult", "bashExecution"]),
    );
    expect(calls.some((each) => each.length > 1)).toBe(true);
    expect(roles.some(({ isError }) => isError)).toBe(true);
    expect(new Set(roles.map(({ stopReason }) => stopReason))).toEqual(
      new Set([undefined, "toolUse", "stop", "aborted", "error"]),
    );
    expect(text).toContain('"mimeType":"image/png"');
    expect(new Set(entries.map(({ parentId }) => parentId)).size).toBeLessThan(entries.length);
  });
  it("names no machine", () => expect(text).not.toMatch(/\/(tmp|root|work|Users)\/|node_modules\/\.vite/));

  it("opens in pi's own session manager without loss", async () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-example-"));
    const copy = join(folder, "session.jsonl");
    copyFileSync(path, copy);
    const { SessionManager } = await import(pathToFileURL(`${ROOT}node_modules/${PI}`).href);
    const manager = SessionManager.open(copy);
    expect(manager.getEntries()).toEqual(entries);
    expect(manager.getLeafId()).toBe(entries.at(-1).id);
    expect(readFileSync(copy, "utf8")).toBe(text);
    rmSync(folder, { recursive: true });
  });
});
