import { contentBlocks, isBlankText } from "../core/context/blocks.ts";
import type { AssistantMessage, ImageBlock, TextBlock, ThinkingBlock } from "../core/session/message.ts";

/** What a result without any content says: providers refuse empty blocks. */
export const NO_OUTPUT = "(no output)";

const IMAGE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;

/**
 * The blocks of user or tool content that every provider takes: texts that are not blank, images of the four known
 * types in sound base64. Another image becomes a text that says what was there.
 */
export function sendableBlocks(content: unknown): (TextBlock | ImageBlock)[] {
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const block of contentBlocks(content)) {
    if (block.type === "text") {
      if (!isBlankText(block.text)) blocks.push(block);
    } else {
      blocks.push(isSendable(block) ? block : { type: "text", text: `[image left out: ${block.mimeType}]` });
    }
  }
  return blocks;
}

/** The texts of `blocks` joined by newlines; for none what `absent` says. */
export function joinedText(blocks: readonly (TextBlock | ImageBlock)[], absent: string): string {
  const texts = blocks.filter((block) => block.type === "text").map((block) => block.text);
  return texts.length > 0 ? texts.join("\n") : absent;
}

/** The images of `blocks`. */
export function imagesOf(blocks: readonly (TextBlock | ImageBlock)[]): ImageBlock[] {
  return blocks.filter((block) => block.type === "image");
}

/** An image as a `data:` URL. */
export const dataUrl = ({ data, mimeType }: ImageBlock) => `data:${mimeType};base64,${data}`;

/** The text blocks of an assistant that are not blank; the last one without trailing white space. */
export function assistantContent(message: AssistantMessage): AssistantMessage["content"] {
  const blocks = message.content.filter((block) => block.type !== "text" || !isBlankText(block.text));
  const last = blocks.findLastIndex((block) => block.type === "text");
  return blocks.map((block, at) =>
    at === last && block.type === "text" ? { ...block, text: block.text.trimEnd() } : block,
  );
}

/** A signature that lets `block` be sent again; null when there is none. */
export function signatureOf({ thinkingSignature }: ThinkingBlock): string | null {
  return typeof thinkingSignature === "string" && thinkingSignature.trim() !== "" ? thinkingSignature : null;
}

function isSendable({ data, mimeType }: ImageBlock): boolean {
  return IMAGE_TYPES.has(mimeType) && data !== "" && !NOT_BASE64.test(data);
}
