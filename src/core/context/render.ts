import type {
  AssistantMessage,
  BashExecutionMessage,
  FileMentionMessage,
  ImageBlock,
  LlmMessage,
  Message,
  PythonExecutionMessage,
  SystemMessage,
  TextBlock,
  ToolResultMessage,
  UserMessage,
} from "../session/message.ts";
import { assistantBlocks, contentBlocks } from "./blocks.ts";
import type { ContextMessage } from "./projection.ts";
import { systemText } from "./system.ts";
import {
  BASH_EXECUTION_CONTEXT,
  BRANCH_SUMMARY_CONTEXT,
  COMPACTION_SUMMARY_CONTEXT,
  FILE_MENTION_CONTEXT,
  PYTHON_EXECUTION_CONTEXT,
} from "./templates.ts";
import { wellFormed } from "./text.ts";
import { wellFormedValue } from "./well-formed.ts";

/**
 * The messages as providers know them: system, user, assistant and toolResult [X4].
 *
 * Special roles become user messages through the context templates; what an extension says goes in as it wrote it.
 * Executions with `excludeFromContext`, unknown roles and unknown blocks are left out. All text is well-formed [X6].
 * Calls and results are not paired here: give it what `projectContext` returns.
 */
export function convertToLlm(messages: readonly (ContextMessage | Message)[]): LlmMessage[] {
  const rendered: LlmMessage[] = [];
  for (const item of messages) {
    const message = renderMessage("role" in item ? item : item.message);
    if (message) rendered.push(message);
  }
  return rendered;
}

/** One message as `convertToLlm` renders it; null when it is left out. */
export function renderMessage(message: Message): LlmMessage | null {
  switch (message.role) {
    case "system":
      return renderSystem(message);
    case "assistant":
      return renderAssistant(message);
    case "toolResult":
      return renderResult(message);
    case "user":
    case "developer":
    case "custom":
      return asUser(cleaned(contentBlocks(message.content)), message);
    case "compactionSummary":
      return templated(COMPACTION_SUMMARY_CONTEXT, { summary: message.summary }, message);
    case "branchSummary":
      return templated(BRANCH_SUMMARY_CONTEXT, { summary: message.summary }, message);
    case "bashExecution":
      if (message.excludeFromContext === true) return null;
      return templated(BASH_EXECUTION_CONTEXT, { command: message.command, ...outcomeOf(message) }, message);
    case "pythonExecution":
      if (message.excludeFromContext === true) return null;
      return templated(PYTHON_EXECUTION_CONTEXT, { code: message.code, ...outcomeOf(message) }, message);
    case "fileMention":
      return asUser(cleaned(mentionBlocks(message)), message);
    default:
      return null;
  }
}

/** `template` with each `{{name}}` replaced by its value; a name without a value by nothing. */
export function fill(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : "";
  });
}

function templated(template: string, values: Readonly<Record<string, unknown>>, from: Message): UserMessage {
  return asUser([{ type: "text", text: wellFormed(fill(template, values)) }], from);
}

function asUser(content: (TextBlock | ImageBlock)[], { timestamp }: Message): UserMessage {
  return { role: "user", content, ...(timestamp !== undefined && { timestamp }) };
}

function renderSystem(message: SystemMessage): SystemMessage {
  const { sections: _, ...rest } = message;
  return { ...rest, content: wellFormed(systemText(message)) };
}

function renderAssistant(message: AssistantMessage): AssistantMessage {
  const content = assistantBlocks(message.content).map((block) => {
    switch (block.type) {
      case "text":
        return { ...block, text: wellFormed(block.text) };
      case "thinking":
        return { ...block, thinking: wellFormed(block.thinking) };
      default:
        return { ...block, name: wellFormed(block.name), arguments: argumentsOf(block.arguments) };
    }
  });
  return { ...message, content };
}

function renderResult(message: ToolResultMessage): ToolResultMessage {
  return { ...message, content: cleaned(contentBlocks(message.content)), isError: message.isError === true };
}

function argumentsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  const clean = wellFormedValue(value);
  const isObject = typeof clean === "object" && clean !== null && !Array.isArray(clean);
  return isObject ? (clean as Record<string, unknown>) : { input: clean };
}

function cleaned(blocks: (TextBlock | ImageBlock)[]): (TextBlock | ImageBlock)[] {
  return blocks.map((block) => (block.type === "text" ? { ...block, text: wellFormed(block.text) } : block));
}

function outcomeOf(message: BashExecutionMessage | PythonExecutionMessage): { output: string; state: string } {
  const { exitCode, cancelled, truncated } = message;
  const parts: string[] = [];
  if (cancelled === true) parts.push("It was cancelled.");
  else if (typeof exitCode === "number") parts.push(`It ended with exit code ${exitCode}.`);
  if (truncated === true) {
    const path = message.role === "bashExecution" ? message.fullOutputPath : undefined;
    parts.push(typeof path === "string" ? `The output is cut; all of it is in ${path}.` : "The output is cut.");
  }
  const output = typeof message.output === "string" && message.output !== "" ? message.output : "(no output)";
  return { output, state: parts.length > 0 ? parts.join(" ") : "How it ended is not known." };
}

function mentionBlocks(message: FileMentionMessage): (TextBlock | ImageBlock)[] {
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const file of Array.isArray(message.files) ? message.files : []) {
    const content = typeof file?.content === "string" ? file.content : "(not shown)";
    blocks.push({ type: "text", text: fill(FILE_MENTION_CONTEXT, { path: file?.path, content }) });
    for (const image of contentBlocks([file?.image])) blocks.push(image);
  }
  return blocks;
}
