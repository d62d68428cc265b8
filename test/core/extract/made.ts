import type { ContextMessage } from "../../../src/core/context/projection.ts";
import { scriptCounter } from "../../../src/core/context/tokens.ts";
import { extractSummary } from "../../../src/core/extract/extract.ts";
import type { SummaryRequest } from "../../../src/core/summary/request.ts";

export const counter = scriptCounter;

export const user = (entryId: string, content: string): ContextMessage => ({
  entryId,
  message: { role: "user", content },
});

export const says = (entryId: string, text: string): ContextMessage => ({
  entryId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});

/** A call and its result, as two messages. */
export function tool(
  entryId: string,
  name: string,
  args: Record<string, unknown>,
  output: string,
  isError = false,
): ContextMessage[] {
  const id = `call-${entryId}`;
  return [
    { entryId, message: { role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }] } },
    {
      entryId: `${entryId}r`,
      message: {
        role: "toolResult",
        toolCallId: id,
        toolName: name,
        content: [{ type: "text", text: output }],
        isError,
      },
    },
  ];
}

export function summarise(messages: readonly ContextMessage[], more: Partial<SummaryRequest> = {}) {
  return extractSummary({ kind: "history", messages, maxTokens: 4000, ...more }, { counter });
}

/** The lines under a heading, up to the next one. */
export function under(text: string, heading: string): string {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.replace(/^#+ /, "") === heading);
  const rest = from < 0 ? [] : lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#+ /.test(line));
  return rest.slice(0, to < 0 ? undefined : to).join("\n");
}

export const idsIn = (text: string): string[] => [...text.matchAll(/\[#([^\]\s]+)\]/g)].map(([, id]) => id as string);

/** A session of some length: requests, edits, reads, runs that fail and pass, prose. */
export function work(turns: number, from = 0): ContextMessage[] {
  const messages: ContextMessage[] = [user(`u${from}`, `Build module number ${from}. Never touch the vendor folder.`)];
  for (let i = from; i < from + turns; i++) {
    messages.push(
      ...tool(
        `r${i}`,
        "read",
        { path: `src/part${i}.ts` },
        `export function loadPart${i}(id: string) {\n  return id;\n}`,
      ),
      says(`s${i}`, `Let me see. The problem is that loadPart${i} ignores cacheKey${i} in src/part${i}.ts.`),
      ...tool(
        `e${i}`,
        "edit",
        { path: `src/part${i}.ts`, oldText: "return id;", newText: `return cacheKey${i}(id);` },
        "ok",
      ),
      ...tool(`f${i}`, "bash", { command: `npx vitest run part${i}` }, `FAIL part${i}.test.ts\n1 failed`, true),
      ...tool(`g${i}`, "bash", { command: `npx vitest run part${i}` }, `Tests  ${i + 3} passed`),
      user(`q${i}`, `Now extend part ${i} by an option maxSize${i} and tell me when it works.`),
    );
  }
  return messages;
}
