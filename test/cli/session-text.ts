export const HEADER = {
  type: "session",
  version: 3,
  id: "s-1",
  timestamp: "2026-01-02T03:04:05.000Z",
  cwd: "/project",
};

export const lines = (...records: (object | string)[]): string =>
  records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("");

export const idOf = (n: number): string => n.toString(16).padStart(8, "0");

/** One message entry in a chain: `n` is its place, from 1; its parent is the one before. */
export function messageAt(n: number, message: object, parentId: string | null = n > 1 ? idOf(n - 1) : null): object {
  const timestamp = new Date(Date.UTC(2026, 0, 2, 4) + n * 1000).toISOString();
  return { type: "message", id: idOf(n), parentId, timestamp, message };
}

const words = (n: number, length: number): string =>
  Array.from({ length }, (_, i) => `part ${n} item ${i} of src/module-${n % 7}.ts explained`).join(", ");

/** Entries of `turns` turns, four messages each: a request, a read call, its result, an answer. About 600 tokens a turn. */
export function turnRecords(turns: number): object[] {
  const records: object[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const n = records.length;
    const path = `src/module-${turn % 7}.ts`;
    const call = { type: "toolCall", id: `call-${turn}`, name: "read", arguments: { path } };
    records.push(
      messageAt(n + 1, { role: "user", content: `Please look at ${path} and fix problem number ${turn}.` }),
      messageAt(n + 2, {
        role: "assistant",
        content: [{ type: "text", text: "Reading it." }, call],
        stopReason: "toolUse",
      }),
      messageAt(n + 3, {
        role: "toolResult",
        toolCallId: `call-${turn}`,
        toolName: "read",
        content: [{ type: "text", text: words(turn, 40) }],
        isError: false,
      }),
      messageAt(n + 4, {
        role: "assistant",
        content: [{ type: "text", text: `Problem ${turn} is fixed in ${path}.` }],
        stopReason: "stop",
      }),
    );
  }
  return records;
}

/** A whole session file of `turns` turns. */
export const sessionText = (turns: number): string => lines(HEADER, ...turnRecords(turns));
