import type { Entry } from "../core/session/entry.ts";
import type { TextBlock, ToolResultMessage } from "../core/session/message.ts";
import type { Session } from "../engine/session.ts";

/**
 * The entries of a tool's result: the result, and where it was cut the edit that shows the cut text.
 *
 * At the leaf, or under `parentId` on a branch that was left [A7]; recall finds the whole text on either [R9].
 */
export function storeResult(
  session: Session,
  result: ToolResultMessage,
  parentId?: string | null,
): Promise<readonly Entry[]> {
  const { message, shown } = splitResult(result);
  if (shown) return session.appendShown(message, shown, parentId);
  return parentId === undefined ? session.append(message) : session.appendAt(parentId, message);
}

/** A result with its whole text, and what the model is to see of it where that is less. */
function splitResult(result: ToolResultMessage): {
  readonly message: ToolResultMessage;
  readonly shown?: ToolResultMessage["content"];
} {
  const { fullOutput, ...details } = (result.details ?? {}) as { fullOutput?: unknown };
  if (typeof fullOutput !== "string") return { message: result };
  const whole: TextBlock = { type: "text", text: fullOutput };
  const images = result.content.filter((block) => block.type === "image");
  return { message: { ...result, content: [whole, ...images], details }, shown: result.content };
}
