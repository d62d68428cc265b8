import { contentBlocks, textOf } from "../context/blocks.ts";
import type { ContextMessage } from "../context/projection.ts";
import { elideMiddle } from "../context/text.ts";
import type { Message, TextBlock } from "../session/message.ts";

/** One message whose middle goes: the edit's target and new content, and the tokens that this saves by estimate. */
export interface Elision {
  readonly entryId: string;
  readonly content: readonly TextBlock[];
  readonly saved: number;
}

/** Below this a message is not what fills a window. */
const SMALLEST_TOKENS = 500;
const SMALLEST_CHARS = 1000;

/**
 * Which single messages lose their middle so that about `excess` tokens go [T8]; empty when none is large enough.
 *
 * The last resort when no cut brings a context under its target. Tool results go first, the newest user message last;
 * within a kind the largest. Head and tail stay, the number of characters left out is said; images leave a marker.
 * The originals stay in their entries, since this becomes `context_edit` entries.
 */
export function elideOversized(
  messages: readonly ContextMessage[],
  excess: number,
  sizeOf: (message: Message) => number,
): Elision[] {
  const newestUser = messages.findLast(({ message }) => message.role === "user")?.entryId;
  const rank = ({ entryId, message }: ContextMessage) =>
    message.role === "toolResult" ? 0 : entryId === newestUser ? 2 : 1;
  const candidates = messages
    .filter(({ message, synthetic }) => !synthetic && isEditable(message))
    .map((source) => ({ source, tokens: sizeOf(source.message) }))
    .filter(({ tokens }) => tokens >= SMALLEST_TOKENS)
    .sort((a, b) => rank(a.source) - rank(b.source) || b.tokens - a.tokens);
  const elisions: Elision[] = [];
  let left = excess;
  for (const { source, tokens } of candidates) {
    if (left <= 0) break;
    const elision = elide(source, tokens, Math.max(SMALLEST_TOKENS / 2, tokens - left), sizeOf);
    if (!elision) continue;
    elisions.push(elision);
    left -= elision.saved;
  }
  return elisions;
}

function isEditable(message: Message): message is Extract<Message, { role: "user" | "custom" | "toolResult" }> {
  return message.role === "user" || message.role === "custom" || message.role === "toolResult";
}

function elide(
  { entryId, message }: ContextMessage,
  tokens: number,
  target: number,
  sizeOf: (message: Message) => number,
): Elision | null {
  if (!isEditable(message)) return null;
  const text = textOf(message.content);
  const images = contentBlocks(message.content).filter(({ type }) => type === "image").length;
  const maxChars = Math.max(SMALLEST_CHARS, Math.floor((text.length * target) / tokens));
  const marker = images > 0 ? `\n[${images} ${images === 1 ? "image" : "images"} left out]` : "";
  const content: TextBlock[] = [{ type: "text", text: elideMiddle(text, maxChars).text + marker }];
  const saved = tokens - sizeOf({ ...message, content } as Message);
  return saved > 0 ? { entryId, content, saved } : null;
}
