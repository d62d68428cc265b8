import { contentBlocks } from "../context/blocks.ts";
import type { ContextMessage, Projection } from "../context/projection.ts";
import { agedResults, type MicroOptions, usedMark } from "./micro.ts";
import { type ToolOutput, toolOutputs } from "./tool-outputs.ts";

/**
 * The messages to send: tool results older than the newest rounds read `[Previous: used NAME]` [R6].
 *
 * Everything else is the same object, and the same array comes back where nothing is old enough. Nothing is stored: the
 * entries keep their results.
 */
export function microView(projection: Projection, options: MicroOptions): readonly ContextMessage[] {
  const outputs = toolOutputs(projection);
  const results = outputs.map(({ toolName, call, message, batch }) => ({
    name: toolName,
    ...(call && { call }),
    length: lengthOf(message),
    round: batch,
  }));
  const aged = new Map(
    agedResults(results, options).flatMap((place) => {
      const output = outputs[place];
      return output ? [[output.entryId, output.toolName || "a tool"] as const] : [];
    }),
  );
  if (aged.size === 0) return projection.messages;
  return projection.messages.map((source) => {
    const name = source.synthetic ? undefined : aged.get(source.entryId);
    if (name === undefined || source.message.role !== "toolResult") return source;
    const content = [{ type: "text" as const, text: usedMark(name) }];
    return { ...source, message: { ...source.message, content }, edited: true };
  });
}

/** In characters, images by their data. */
function lengthOf({ content }: ToolOutput["message"]): number {
  let length = 0;
  for (const block of contentBlocks(content)) length += block.type === "text" ? block.text.length : block.data.length;
  return length;
}
