import type { ContextMessage } from "../context/projection.ts";
import { neutralise } from "./neutralise.ts";
import type { SummaryRequest } from "./request.ts";
import {
  BRANCH_SUMMARY,
  COMPACTION_SHORT_SUMMARY,
  COMPACTION_SUMMARY,
  COMPACTION_TURN_PREFIX,
  COMPACTION_UPDATE_SUMMARY,
  SUMMARIZATION_SYSTEM,
  SUMMARY_RETRY,
} from "./templates.ts";
import { serializeConversation } from "./transcript.ts";

/** What a model is sent for one summary. */
export interface SummaryPrompt {
  readonly systemPrompt: string;
  readonly prompt: string;
}

/** Of what stays, so many newest messages tell the short summary where things stand. */
const NEWEST_KEPT = 6;
const WORDS_PER_TOKEN = 0.6;

/**
 * The request as text [M1]: conversation, previous summary, additional context, prompt, focus, in this order.
 *
 * `conversation` is the transcript or a chunk of it, by default that of all messages, with ids. Content can't close the
 * tags that it stands in [M3].
 */
export function summaryPrompt(request: SummaryRequest, conversation = conversationOf(request)): SummaryPrompt {
  const { previous, context = [], focus, retry } = request;
  const parts = [
    block("conversation", conversation),
    block("previous-summary", neutralise(previous?.summary ?? "")),
    block("additional-context", context.map((line) => `- ${neutralise(line)}`).join("\n")),
    request.prompt ?? basePrompt(request),
    focus?.trim() ? `The user asks you to pay particular attention to this:\n${focus.trim()}` : "",
    retry ? retryText(retry, request.maxTokens) : "",
  ];
  return { systemPrompt: SUMMARIZATION_SYSTEM, prompt: parts.filter((part) => part !== "").join("\n\n") };
}

/** The messages that a request shows its model: those to be replaced; for the short summary the newest of what stays. */
export function shownMessages(request: SummaryRequest): readonly ContextMessage[] {
  return request.kind === "short" ? (request.kept ?? []).slice(-NEWEST_KEPT) : request.messages;
}

const conversationOf = (request: SummaryRequest) => serializeConversation(shownMessages(request), { ids: true });

function basePrompt({ kind, previous }: SummaryRequest): string {
  switch (kind) {
    case "history":
      return previous ? COMPACTION_UPDATE_SUMMARY : COMPACTION_SUMMARY;
    case "turn-prefix":
      return COMPACTION_TURN_PREFIX;
    case "branch":
      return BRANCH_SUMMARY;
    case "short":
      return COMPACTION_SHORT_SUMMARY;
  }
}

function retryText(reason: string, maxTokens: number): string {
  const words = Math.max(30, Math.floor(maxTokens * WORDS_PER_TOKEN));
  return SUMMARY_RETRY.replace("{{reason}}", () => reason).replace("{{words}}", String(words));
}

const block = (tag: string, text: string) => (text.trim() === "" ? "" : `<${tag}>\n${text}\n</${tag}>`);
