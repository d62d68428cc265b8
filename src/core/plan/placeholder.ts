import { contentBlocks, textOf } from "../context/blocks.ts";
import type { ImageBlock, TextBlock, ToolResultMessage } from "../session/message.ts";

const PLACEHOLDER = /^\[Output truncated - \d+ tokens\]/;

/** What stands where a tool output was: its size, its images by type, and how to get it back where that is known [R1, R3]. */
export function placeholder(message: ToolResultMessage, tokens: number, hint?: string): TextBlock[] {
  const images = contentBlocks(message.content).filter((block) => block.type === "image");
  const lines = [`[Output truncated - ${tokens} tokens]`, ...images.map(imageMarker)];
  if (hint) lines.push(hint);
  return [{ type: "text", text: lines.join("\n") }];
}

/** True for an output that a prune has replaced already. */
export function isPlaceholder(message: ToolResultMessage): boolean {
  return PLACEHOLDER.test(textOf(message.content));
}

/** The line that tells a model which has the `recall` tool how to read the original of an entry [R1]. */
export function recallHint(entryId: string): string {
  return `[recall ${JSON.stringify({ entryId })} shows it]`;
}

/** What stands where an image was. */
export function imageMarker({ data, mimeType }: ImageBlock): string {
  const type = mimeType.replace(/[^\w/.+-]/g, "").slice(0, 60);
  return `[image: ${type}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB]`;
}
