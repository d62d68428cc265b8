import type { NewEntry } from "./state.ts";

/** The edit that gives an entry other content; `reason` says what made it [S3]. */
export function contentEdit(targetId: string, content: readonly object[], reason: string): NewEntry {
  const blocks = [...content] as Record<string, unknown>[];
  return { type: "context_edit", targetId, replacement: { content: blocks }, reason };
}
