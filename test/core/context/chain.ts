import type { Entry } from "../../../src/core/session/entry.ts";

type Fields = Record<string, unknown>;

/** A path of entries `e0`, `e1`, …, each the child of the one before; fields given win. */
export const chain = (...entries: Fields[]): Entry[] => chainOf(entries);

/** The same for a list too long for arguments. */
export function chainOf(entries: readonly Fields[]): Entry[] {
  return entries.map((fields, at) => ({
    id: `e${at}`,
    parentId: at === 0 ? null : String(entries[at - 1]?.id ?? `e${at - 1}`),
    timestamp: "2025-11-29T12:00:00.000Z",
    ...fields,
  })) as unknown as Entry[];
}

export const message = (fields: Fields): Fields => ({ type: "message", message: fields });
export const user = (content: unknown): Fields => message({ role: "user", content });
export const system = (content: string, fields: Fields = {}): Fields => message({ role: "system", content, ...fields });

/** An assistant that says `text` and calls one tool for each id. */
export function assistant(text: string, ids: string[] = [], fields: Fields = {}): Fields {
  const calls = ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: { path: `${id}.ts` } }));
  const said = text === "" ? [] : [{ type: "text", text }];
  return message({ role: "assistant", content: [...said, ...calls], stopReason: "stop", ...fields });
}

export function result(toolCallId: string, text = `result of ${toolCallId}`, fields: Fields = {}): Fields {
  const content = text === "" ? [] : [{ type: "text", text }];
  return message({ role: "toolResult", toolCallId, toolName: "read", content, isError: false, ...fields });
}

export function compaction(firstKeptEntryId: string, fields: Fields = {}): Fields {
  return { type: "compaction", summary: "What was before.", firstKeptEntryId, tokensBefore: 100, ...fields };
}

export const edit = (targetId: string, replacement: unknown): Fields => ({
  type: "context_edit",
  targetId,
  replacement,
});

export const marker = (name: "undo" | "redo", compactionId: string): Fields => ({
  type: "custom",
  customType: `espalier.${name}`,
  data: { compactionId },
});
