import type { Entry } from "../core/session/entry.ts";
import type { ToolResultMessage } from "../core/session/message.ts";
import { contentEdit } from "./content-edit.ts";
import { storeAt } from "./leaf-move.ts";
import type { SessionState } from "./state.ts";

/** The entries of a tool's result and of the edit that shows `content` instead, stored as one batch; at the tip unless told where [A7]. */
export function appendShown(
  state: SessionState,
  result: ToolResultMessage,
  content: ToolResultMessage["content"],
  parentId?: string | null,
): Promise<readonly Entry[]> {
  const build = (under: string | null) => {
    const [stored] = state.make([result], under) as [Entry];
    return [stored, ...state.make([contentEdit(stored.id, content, "long")], stored.id)];
  };
  return parentId === undefined ? state.append(() => build(state.tipId)) : storeAt(state, parentId, build);
}
