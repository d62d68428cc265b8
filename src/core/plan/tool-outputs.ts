import { toolCallsOf } from "../context/blocks.ts";
import type { Projection } from "../context/projection.ts";
import type { ToolCallBlock, ToolResultMessage } from "../session/message.ts";

/** A live tool result and the call that it answers. */
export interface ToolOutput {
  readonly entryId: string;
  /** By the result, else by the call; empty where neither says. */
  readonly toolName: string;
  readonly message: ToolResultMessage;
  readonly call: ToolCallBlock | undefined;
  /** Results of one reply have the same number; later ones a higher one. */
  readonly batch: number;
  /** Of the newest batch of results: the model may not have seen it yet. */
  readonly newest: boolean;
}

/** The tool results that the model sees, oldest first, without those that were made up for a missing one. */
export function toolOutputs({ messages }: Projection): ToolOutput[] {
  const found: Omit<ToolOutput, "newest">[] = [];
  let calls: ToolCallBlock[] = [];
  let batch = 0;
  for (const { entryId, message, synthetic } of messages) {
    if (message.role !== "toolResult") {
      calls = toolCallsOf(message);
      batch++;
      continue;
    }
    const at = calls.findIndex(({ id }) => id === message.toolCallId);
    const [call] = at < 0 ? [] : calls.splice(at, 1);
    const named: unknown = message.toolName;
    const toolName = typeof named === "string" && named !== "" ? named : (call?.name ?? "");
    if (!synthetic) found.push({ entryId, toolName, message, call, batch });
  }
  const newest = found.at(-1)?.batch;
  return found.map((output) => ({ ...output, newest: output.batch === newest }));
}
