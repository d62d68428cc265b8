import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Entry, LEAF_MARKER, type SessionHeader } from "../../../src/core/session/entry.ts";
import type { SessionStore } from "../../../src/ports/store.ts";

export const HEADER: SessionHeader = {
  type: "session",
  version: 3,
  id: "s1",
  timestamp: "2026-01-01T00:00:00Z",
  cwd: "/",
};
const TIME = "2026-01-01T00:00:00.000Z";

/** A folder that goes away with the test file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "espalier-"));
  // Long runs leave thousands of files.
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);
  return folder;
}

export function message(id: string, parentId: string | null, content = `text of ${id}`): Entry {
  return { type: "message", id, parentId, timestamp: TIME, message: { role: "user", content } };
}

export function marker(id: string, parentId: string | null): Entry {
  return { type: "custom", id, parentId, timestamp: TIME, customType: LEAF_MARKER };
}

export function chain(length: number): Entry[] {
  return Array.from({ length }, (_, i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`));
}

/** Writes a file of these lines, each as JSON unless it is text already; `end` follows the last one. */
export function fileOf(path: string, lines: readonly unknown[], end = "\n"): string {
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n") + end);
  return path;
}

export const bytesOf = (path: string) => readFileSync(path).toString("latin1");
export const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
export const codes = (store: SessionStore) => store.warnings.map(({ code }) => code);

export async function pathIds(store: SessionStore): Promise<string[]> {
  return ids(await store.readPath(store.position().leafId));
}

export async function streamIds(
  store: SessionStore,
  range?: { fromLine?: number; toLine?: number },
): Promise<string[]> {
  const found: string[] = [];
  for await (const { entry } of store.entries(range)) found.push(entry.id);
  return found;
}
