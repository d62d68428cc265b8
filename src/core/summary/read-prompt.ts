import type { TokenCounter } from "../context/tokens.ts";
import type { SummaryPrompt } from "./prompt.ts";
import { readTranscript } from "./read-transcript.ts";
import type { SummaryKind, SummaryRequest } from "./request.ts";
import { BRANCH_SUMMARY, COMPACTION_SHORT_SUMMARY, COMPACTION_TURN_PREFIX, SUMMARIZATION_SYSTEM } from "./templates.ts";

const KINDS: readonly (readonly [template: string, kind: SummaryKind])[] = [
  [COMPACTION_TURN_PREFIX, "turn-prefix"],
  [BRANCH_SUMMARY, "branch"],
  [COMPACTION_SHORT_SUMMARY, "short"],
];
/** A summary of half of what it replaces is of use; a third of it is what ours come to. */
const SHARE = 1 / 3;
const SMALLEST = 256;

/**
 * The request that a prompt was made of: the way back from `summaryPrompt`, for the other end of a wire [M8].
 *
 * Conversation, previous summary and additional context are parted again; all else is the request's prompt, with the
 * system prompt before it where that is not ours. A prompt without `<conversation>` is a conversation by itself.
 * `maxTokens` is a third of the conversation and at most `most`.
 */
export function readPrompt(
  { systemPrompt, prompt }: SummaryPrompt,
  most: number,
  counter: TokenCounter,
): SummaryRequest {
  const conversation = cutOut(prompt, "conversation");
  const previous = cutOut(conversation.rest, "previous-summary");
  const additional = cutOut(previous.rest, "additional-context");
  const instructions = conversation.inside === undefined ? "" : additional.rest.trim();
  const system = systemPrompt.trim() === SUMMARIZATION_SYSTEM.trim() ? "" : systemPrompt.trim();
  const kind = KINDS.find(([template]) => prompt.includes(template))?.[1] ?? "history";
  const text = conversation.inside ?? prompt;
  const messages = readTranscript(text);
  const lines = additional.inside?.split(/^- /m).map((line) => line.trim());
  const own = [system, instructions].filter((part) => part !== "").join("\n\n");
  return {
    kind,
    messages: kind === "short" ? [] : messages,
    ...(kind === "short" && { kept: messages }),
    maxTokens: Math.max(SMALLEST, Math.min(most, Math.floor(counter.count(text) * SHARE))),
    ...(previous.inside !== undefined && { previous: { summary: previous.inside } }),
    ...(lines && { context: lines.filter((line) => line !== "") }),
    ...(own !== "" && { prompt: own }),
  };
}

/** The first block of that tag, and the text without it. In content the tag has a backslash in it. */
function cutOut(text: string, tag: string): { inside?: string; rest: string } {
  const opening = `<${tag}>\n`;
  const from = text.startsWith(opening) ? 0 : text.indexOf(`\n${opening}`) + 1;
  if (from === 0 && !text.startsWith(opening)) return { rest: text };
  const closing = `\n</${tag}>`;
  const to = text.indexOf(closing, from + opening.length - 1);
  if (to < 0) return { rest: text };
  const rest = text.slice(0, from) + text.slice(to + closing.length).replace(/^\n+/, "");
  return { inside: text.slice(from + opening.length, to), rest };
}
