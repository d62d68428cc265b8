import { contentBlocks } from "../context/blocks.ts";
import type { ContextMessage, Projection } from "../context/projection.ts";
import type { ImageBlock, Message, TextBlock } from "../session/message.ts";
import { imageMarker } from "./placeholder.ts";

/** A message whose images go: the edit's target and its new content, how many go and the bytes that this saves. */
export interface ImagesLeftOut {
  readonly entryId: string;
  readonly content: readonly TextBlock[];
  readonly images: number;
  readonly bytes: number;
}

/** About how many bytes a context takes in a request: images as base64, a text a byte a character. */
export function requestBytes({ messages }: Pick<Projection, "messages">): number {
  let bytes = 0;
  for (const { message } of messages) bytes += messageBytes(message);
  return bytes;
}

/** Bytes of all images of a context that an edit can take out. */
export function imageBytes({ messages }: Pick<Projection, "messages">): number {
  let bytes = 0;
  for (const source of messages) bytes += imagesOf(source).reduce((sum, { data }) => sum + data.length, 0);
  return bytes;
}

/**
 * Which messages lose their images so that at least `excess` bytes go, oldest first; empty where there are none.
 *
 * A marker with type and size stands for each image. The originals stay in their entries.
 */
export function oldestImages({ messages }: Pick<Projection, "messages">, excess: number): ImagesLeftOut[] {
  const found: ImagesLeftOut[] = [];
  let left = excess;
  for (const source of messages) {
    if (left <= 0) break;
    const images = imagesOf(source);
    if (images.length === 0) continue;
    const content = contentBlocks((source.message as { content?: unknown }).content).map((block): TextBlock => {
      return block.type === "text" ? block : { type: "text", text: `${imageMarker(block)} (left out)` };
    });
    const bytes = images.reduce((sum, { data }) => sum + data.length, 0);
    found.push({ entryId: source.entryId, content, images: images.length, bytes });
    left -= bytes;
  }
  return found;
}

const HOLDERS: ReadonlySet<string> = new Set<Message["role"]>(["user", "developer", "custom", "toolResult"]);

function imagesOf({ message, synthetic }: ContextMessage): ImageBlock[] {
  if (synthetic || !HOLDERS.has(message.role)) return [];
  return contentBlocks((message as { content?: unknown }).content).filter((block) => block.type === "image");
}

function messageBytes(message: Message): number {
  if (message.role !== "assistant") {
    const blocks = contentBlocks((message as { content?: unknown }).content);
    return blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text : block.data).length, 0);
  }
  let bytes = 0;
  for (const block of Array.isArray(message.content) ? message.content : []) {
    const texts: unknown[] =
      block.type === "toolCall" ? Object.values(block.arguments ?? {}) : Object.values(block as object);
    for (const text of texts) if (typeof text === "string") bytes += text.length;
  }
  return bytes;
}
