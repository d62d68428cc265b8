import type { Entry } from "../core/session/entry.ts";
import type { ToolResultMessage } from "../core/session/message.ts";
import { contentEdit } from "./content-edit.ts";
import type { SessionState } from "./state.ts";

/** The entries of a tool's result and of the edit that shows `content` instead, stored as one batch. */
export function appendShown(
  state: SessionState,
  result: ToolResultMessage,
  content: ToolResultMessage["content"],
): Promise<readonly Entry[]> {
  return state.append(() => {
    const [stored] = state.make([result]) as [Entry];
    return [stored, ...state.make([contentEdit(stored.id, content, "long")], stored.id)];
  });
}
