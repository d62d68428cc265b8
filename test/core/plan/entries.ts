import type { TokenCounter } from "../../../src/core/context/tokens.ts";
import type { CompactionEntry, Entry } from "../../../src/core/session/entry.ts";
import type { AssistantMessage, Message, Usage } from "../../../src/core/session/message.ts";
import { resolveSettings, type Settings, type SettingsInput } from "../../../src/core/settings.ts";

/** One token a character, so that sizes can be read off a test. */
export const chars: TokenCounter = { name: "chars", count: (text) => text.length };

export type Draft = Entry extends infer E
  ? E extends Entry
    ? Omit<E, "id" | "parentId" | "timestamp">
    : never
  : never;

/** The drafts as one path; ids are `e0`, `e1`, … unless a draft brings its own. */
export function pathOf(...drafts: (Draft & { id?: string })[]): Entry[] {
  return extend([], ...drafts);
}

export function extend(path: readonly Entry[], ...drafts: (Draft & { id?: string })[]): Entry[] {
  const all = [...path];
  for (const draft of drafts) {
    const n = all.length;
    const parentId = all.at(-1)?.id ?? null;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    all.push({ ...draft, id: draft.id ?? `e${n}`, parentId, timestamp } as Entry);
  }
  return all;
}

export const message = (message: Message): Draft => ({ type: "message", message });
export const user = (content: string): Draft => message({ role: "user", content });
export const says = (text: string, more: Partial<AssistantMessage> = {}): Draft =>
  message({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop", ...more });
export const calls = (...ids: string[]): Draft => callsTool("bash", { command: "ls" }, ...ids);
export const callsTool = (name: string, args: Record<string, unknown>, ...ids: string[]): Draft =>
  message({
    role: "assistant",
    content: ids.map((id) => ({ type: "toolCall", id, name, arguments: args })),
    stopReason: "toolUse",
  });
export const result = (toolCallId: string, text = "ok", isError = false): Draft =>
  message({ role: "toolResult", toolCallId, toolName: "bash", content: [{ type: "text", text }], isError });
export const bash = (command: string, output = "out"): Draft =>
  message({ role: "bashExecution", command, output, exitCode: 0 });
export const custom = (content: string): Draft => ({ type: "custom_message", customType: "note", content });
export const label = (targetId: string): Draft => ({ type: "label", targetId, label: "x" });
export const state = (customType = "state", data?: unknown): Draft => ({ type: "custom", customType, data });
export const compaction = (
  firstKeptEntryId: string,
  summary = "## Goal\nold",
  more: Partial<CompactionEntry> = {},
): Draft => ({
  type: "compaction",
  summary,
  firstKeptEntryId,
  tokensBefore: 1,
  ...more,
});
export const usage = (totalTokens: number): Usage => ({
  input: totalTokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens,
});

export function settingsOf(values: SettingsInput = {}): Settings {
  return resolveSettings([{ source: "test", values }]).settings;
}
