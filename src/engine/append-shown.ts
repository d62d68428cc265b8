import type { Entry } from "../core/session/entry.ts";
import type { ToolResultMessage } from "../core/session/message.ts";
import type { SessionState } from "./state.ts";

/** The entries of a tool's result and of the edit that shows `content` instead, stored as one batch. */
export function appendShown(
  state: SessionState,
  result: ToolResultMessage,
  content: ToolResultMessage["content"],
): Promise<readonly Entry[]> {
  return state.append(() => {
    const [stored] = state.make([result]) as [Entry];
    const replacement = { content: content as unknown as Record<string, unknown>[] };
    const [edit] = state.make([{ type: "context_edit", targetId: stored.id, replacement, reason: "long" }], stored.id);
    return [stored, edit as Entry];
  });
}
