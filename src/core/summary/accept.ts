import { cutHead, wellFormed } from "../context/text.ts";
import { estimateMessage, type TokenCounter } from "../context/tokens.ts";
import { stripEngineParts } from "./merge.ts";
import { neutralise } from "./neutralise.ts";
import type { SummaryRequest } from "./request.ts";

/** What a model or endpoint answered, as far as acceptance asks. `stopReason` is `stop` when it ended by itself. */
export interface Answered {
  readonly text: string;
  readonly stopReason: string;
  readonly toolCalls: number;
}

/** A usable text, or in one sentence why the reply is none. */
export type Acceptance =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly because: "tool-call" | "cut" | "empty" | "not-smaller"; readonly sentence: string };

/**
 * The text of a reply if it can stand for what it replaces [M6].
 *
 * It must have stopped by itself, hold text, call no tool and be smaller than the messages and summary replaced.
 * Thinking in tags, a code fence or `<summary>` around all of it are taken off; lone surrogates and the tags of requests
 * are made harmless. A short summary becomes one line. `replaced` is `replacedTokens`, for who has it already.
 */
export function acceptReply(
  reply: Answered,
  request: SummaryRequest,
  counter: TokenCounter,
  replaced = replacedTokens(request, counter),
): Acceptance {
  if (reply.toolCalls > 0) return refused("tool-call", "it called a tool instead of writing the summary.");
  if (reply.stopReason === "length") return refused("cut", "it was cut off because it was too long.");
  if (reply.stopReason !== "stop") return refused("cut", `it ended early (${reply.stopReason}).`);
  const text = request.kind === "short" ? oneLine(cleaned(reply.text)) : cleaned(reply.text);
  if (text === "") return refused("empty", "it held no text.");
  if (request.kind !== "short" && counter.count(text) >= mostOf(request, replaced)) {
    return refused("not-smaller", "it was as long as what it should replace.");
  }
  return { ok: true, text };
}

/** A branch summary replaces nothing where it stands: one of a short branch may be as long as was asked for. */
const mostOf = ({ kind, maxTokens }: SummaryRequest, replaced: number) =>
  kind === "branch" ? Math.max(replaced, maxTokens + 1) : replaced;

const THINKING = /^\s*<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/i;
const FENCE = /^```[\w-]*\n([\s\S]*)\n```$/;
const WRAPPER = /^<summary>([\s\S]*)<\/summary>$/i;

function cleaned(reply: string): string {
  let text = wellFormed(reply).replace(THINKING, "").trim();
  text = (FENCE.exec(text)?.[1] ?? text).trim();
  text = (WRAPPER.exec(text)?.[1] ?? text).trim();
  return neutralise(stripEngineParts(text));
}

const LONGEST_LINE = 400;
const oneLine = (text: string) => cutHead(text.replace(/\s+/g, " ").trim(), LONGEST_LINE).text;

/** The tokens that a summary stands for, of messages and previous summary; `enough` ends the counting early. */
export function replacedTokens(
  request: SummaryRequest,
  counter: TokenCounter,
  enough = Number.POSITIVE_INFINITY,
): number {
  let total = counter.count(request.previous?.summary ?? "");
  for (const { message } of request.messages) {
    if (total >= enough) break;
    total += estimateMessage(message, counter);
  }
  return total;
}

const refused = (because: Exclude<Acceptance, { ok: true }>["because"], sentence: string): Acceptance => ({
  ok: false,
  because,
  sentence,
});
