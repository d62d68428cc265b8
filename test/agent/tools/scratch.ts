import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { afterAll } from "vitest";
import { createTools, type ToolOptions } from "../../../src/agent/tools/index.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, links resolved, with the files given by path. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "espalier-tools-")));
  made.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

export const NO_SESSION: ToolOptions["session"] = { recall: async () => ({ hits: [], found: 0, searched: 0 }) };

export type Call = (
  params: unknown,
  signal?: AbortSignal,
  onUpdate?: (partial: AgentToolResult) => void,
) => Promise<AgentToolResult<Record<string, unknown>>>;

/** The tools of a folder, by name; everything is allowed unless said otherwise. */
export function tools(cwd: string, options: Partial<ToolOptions> = { allowAll: true }): Record<string, Call> {
  const all: AgentTool[] = createTools({ cwd, session: NO_SESSION, ...options });
  return Object.fromEntries(
    all.map((tool): [string, Call] => [
      tool.name,
      (params, signal, onUpdate) => tool.execute("call-1", params, signal, onUpdate),
    ]),
  );
}

/** The texts of a result. */
export function text({ content }: AgentToolResult<unknown>): string {
  return content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
}
