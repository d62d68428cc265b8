import type { Source } from "../../src/formats/index.ts";

/** Lines as Claude Code writes them, with short uuids (`a` becomes `aaaaaaaa-…`). */
export type Fields = Record<string, unknown>;

let clock = 0;

export const uuid = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000`;

export function chained(id: string, parent: string | null, fields: Fields): Fields {
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    userType: "external",
    cwd: "/home/ada/project",
    sessionId: "5e551000-0000-4000-8000-000000000001",
    version: "2.1.17",
    uuid: uuid(id),
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, clock++ % 60)).toISOString(),
    ...fields,
  };
}

export function user(id: string, parent: string | null, content: unknown, fields: Fields = {}): Fields {
  return chained(id, parent, { type: "user", message: { role: "user", content }, ...fields });
}

export function assistant(
  id: string,
  parent: string | null,
  msg: string,
  content: unknown[],
  fields: Fields = {},
): Fields {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 11 };
  const message = {
    id: msg,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-5",
    content,
    stop_reason: null,
    usage,
  };
  return chained(id, parent, { type: "assistant", message, ...fields });
}

export const text = (words: string) => ({ type: "text", text: words });
export const call = (id: string, name = "Bash", input: Fields = { command: "ls" }) => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const answer = (id: string, content: unknown, isError?: boolean) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...(isError === undefined ? {} : { is_error: isError }),
});

/** A source of these lines; strings stand as they are. */
export function source(...lines: (Fields | string)[]): Source {
  return {
    name: "made.jsonl",
    lines: (async function* () {
      for (const [at, line] of lines.entries()) {
        yield { line: at + 1, text: typeof line === "string" ? line : JSON.stringify(line) };
      }
    })(),
  };
}
