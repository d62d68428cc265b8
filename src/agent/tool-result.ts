import type { TextBlock, ToolResultMessage } from "../core/session/message.ts";

/** A result with its whole text, and what the model is to see of it where that is less. */
export function splitResult(result: ToolResultMessage): {
  readonly message: ToolResultMessage;
  readonly shown?: ToolResultMessage["content"];
} {
  const { fullOutput, ...details } = (result.details ?? {}) as { fullOutput?: unknown };
  if (typeof fullOutput !== "string") return { message: result };
  const whole: TextBlock = { type: "text", text: fullOutput };
  const images = result.content.filter((block) => block.type === "image");
  return { message: { ...result, content: [whole, ...images], details }, shown: result.content };
}
