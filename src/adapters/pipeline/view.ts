import { contentBlocks } from "../../core/context/blocks.ts";
import { cutHead } from "../../core/context/text.ts";
import type { ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock } from "../../core/session/message.ts";

/** The kinds of message arrays that are understood. */
export type ArrayFormat = "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk";

export type Block = TextBlock | ImageBlock;

/** A part of one element of an array, in our words. Elements of the assistant in a row are one message. */
export type Part =
  | { readonly kind: "system"; readonly text: string }
  | { readonly kind: "user"; readonly block: Block }
  | { readonly kind: "assistant"; readonly block: TextBlock | ThinkingBlock | ToolCallBlock }
  | {
      readonly kind: "result";
      /** Where in the element's content it stands; 0 where the element is the result. */
      readonly index: number;
      readonly callId: string;
      readonly toolName?: string;
      readonly blocks: readonly Block[];
      readonly isError: boolean;
    };

export interface Answer {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

/** What the pipeline has to know of one provider's messages. Elements that are not replaced are never copied. */
export interface ArrayView {
  /** Total: what is not known becomes a text that shows it, or nothing. */
  parts(element: unknown): Part[];
  /** The element with other texts in the results at these places. */
  replace(element: object, texts: ReadonlyMap<number, string>): object;
  /** The array with results more for calls of the round that ends with the element at `end`. */
  answer(messages: readonly object[], end: number, answers: readonly Answer[]): object[];
  userMessage(text: string): object;
}

export type Loose = Readonly<Record<string, unknown>>;

/** A value as an object of unknown fields; an empty one when it is none. */
export const loose = (value: unknown): Loose => (typeof value === "object" && value !== null ? (value as Loose) : {});

/** Content as a list of blocks; a string is one text block. */
export function blocksOf(content: unknown): Loose[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(loose) : [];
}

export const textBlock = (text: unknown): TextBlock => ({ type: "text", text: String(text ?? "") });

/**
 * An image given as base64, as a `data:` URL or as bytes; one that stands elsewhere is told of.
 *
 * Bytes count as an image and are not copied: `data` is empty then.
 */
export function imageBlock(data: unknown, mimeType: unknown): Block {
  if (typeof data !== "string") {
    if (typeof mimeType === "string" && bytesIn(data) !== undefined) return { type: "image", data: "", mimeType };
    return textBlock("[image: data]");
  }
  const [, type, body] = /^data:([^;,]+);base64,(.*)$/s.exec(data) ?? [];
  if (type !== undefined && body !== undefined) return { type: "image", data: body, mimeType: type };
  if (typeof mimeType === "string" && !/^https?:/.test(data)) return { type: "image", data, mimeType };
  return textBlock(`[image: ${cutHead(data, 200).text}]`);
}

const bytesIn = (value: unknown): number | undefined =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : undefined;

const LONGEST_STRING = 4000;

/** A block of a kind that is not known, as the summary's author sees it: JSON in which long strings and bytes are cut. */
export function shown(block: unknown): TextBlock {
  function short(this: unknown, key: string, value: unknown): unknown {
    // As it is given: in JSON a Buffer is a list of its bytes.
    const bytes = bytesIn(loose(this)[key]);
    if (bytes !== undefined) return `(${bytes} bytes)`;
    if (typeof value !== "string" || value.length <= LONGEST_STRING) return value;
    return `${cutHead(value, 200).text}… (${value.length} characters)`;
  }
  try {
    return textBlock(JSON.stringify(block, short));
  } catch {
    return textBlock("[unreadable]");
  }
}

/** A tool call; arguments come as an object or as JSON. */
export function callBlock(id: unknown, name: unknown, input: unknown): ToolCallBlock {
  return { type: "toolCall", id: String(id), name: String(name ?? "tool"), arguments: argumentsOf(input) };
}

function argumentsOf(input: unknown): Record<string, unknown> {
  let value = input;
  if (typeof input === "string") {
    try {
      value = JSON.parse(input);
    } catch {
      return { input };
    }
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { input: value };
}

/** Lets only the blocks through that our messages can hold. */
export const plainBlocks = (blocks: readonly Block[]): Block[] => contentBlocks([...blocks]);

/** `messages` with `added` after the element at `end`. */
export function insertAfter(messages: readonly object[], end: number, added: readonly object[]): object[] {
  return [...messages.slice(0, end + 1), ...added, ...messages.slice(end + 1)];
}
