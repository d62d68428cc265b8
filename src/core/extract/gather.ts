import { saidByUser, stripInjected, textOf } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { Message, ToolCallBlock } from "../session/message.ts";
import { directivesIn } from "./directives.ts";
import { betterHalf } from "./facts.ts";
import { addCommandRun, addToolCall, addToolResult } from "./ledger.ts";
import { addProse, addRaw } from "./lines.ts";
import { addQuote, type Work, weigh } from "./work.ts";

/** Weight of a word by who said it. */
const SAID = { user: 2, assistant: 1, thinking: 0.3, other: 0.3 };

/** Above so many candidate lines the worse half is forgotten: memory stays bounded, time linear. */
const MOST_CANDIDATES = 20_000;
const MOST_NOTE_LINES = 60;

/** Reads messages into the work, oldest first, each once. Odd messages add nothing; never throws. */
export function gather(work: Work, messages: readonly ContextMessage[]): void {
  for (let i = 0; i < messages.length; i++) {
    const { entryId, message } = messages[i] as ContextMessage;
    work.at++;
    work.recency = 0.5 ** ((messages.length - 1 - i) / (0.5 * (work.messages + messages.length)));
    addMessage(work, entryId, message);
    if (work.candidates.length > MOST_CANDIDATES) work.candidates = betterHalf(work.candidates, work.lexicon);
  }
  work.messages += messages.length;
}

function addMessage(work: Work, id: string, message: Message): void {
  switch (message?.role) {
    case "user":
      addRequest(work, id, message);
      break;
    case "assistant":
      work.said = "";
      for (const block of Array.isArray(message.content) ? message.content : []) addBlock(work, id, block);
      break;
    case "toolResult":
      addToolResult(work, id, message);
      break;
    case "bashExecution":
      if (!message.excludeFromContext) addCommandRun(work, id, message.command, message.output, message.exitCode);
      break;
    case "pythonExecution":
      if (!message.excludeFromContext) addCommandRun(work, id, message.code, message.output, message.exitCode);
      break;
    case "custom":
    case "developer":
      addRaw(work, id, stripInjected(textOf(message.content)), SAID.other, "", MOST_NOTE_LINES);
      break;
    case "branchSummary":
    case "compactionSummary":
      if (typeof message.summary === "string") work.summaries.push({ id, text: message.summary });
      break;
    default:
      break;
  }
}

function addRequest(work: Work, id: string, message: Extract<Message, { role: "user" }>): void {
  const text = saidByUser(message);
  if (!text) return;
  weigh(work, text, 0, Math.min(text.length, 20_000), SAID.user, true);
  work.question = null;
  addQuote(work, { id, text });
  for (const { text: sentence, strong } of directivesIn(text)) {
    const key = sentence.toLowerCase();
    work.directives.delete(key);
    work.directives.set(key, { id, text: sentence, strong });
  }
}

function addBlock(work: Work, id: string, block: unknown): void {
  const part = block as { type?: unknown; text?: unknown; thinking?: unknown };
  if (part?.type === "text" && typeof part.text === "string") addProse(work, id, part.text, SAID.assistant);
  else if (part?.type === "thinking" && typeof part.thinking === "string") {
    weigh(work, part.thinking, 0, Math.min(part.thinking.length, 8000), SAID.thinking, false);
  } else if (part?.type === "toolCall") addToolCall(work, id, block as ToolCallBlock);
}
