import type { ArrayFormat } from "../../../src/adapters/index.ts";
import { aiSdkFaults } from "../../checkers/ai-sdk.ts";
import { anthropicFaults } from "../../checkers/anthropic.ts";
import { openAiChatFaults } from "../../checkers/openai-chat.ts";
import { openAiResponsesFaults } from "../../checkers/openai-responses.ts";

export const FORMATS: readonly ArrayFormat[] = ["anthropic", "openai-chat", "openai-responses", "ai-sdk"];

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}
export interface Result {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** One provider's own elements, written by hand as its SDK gives them. */
interface Array4 {
  user(text: string): object;
  asks(text: string, calls: readonly Call[]): object[];
  results(results: readonly Result[]): object[];
  /** The texts of all results, in order. */
  texts(messages: readonly object[]): string[];
  faults(messages: readonly object[]): string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the arrays are a provider's
type Odd = any;
const text = (value: string) => ({ type: "text", text: value });

export const ARRAYS: Readonly<Record<ArrayFormat, Array4>> = {
  anthropic: {
    user: (value) => ({ role: "user", content: [text(value)] }),
    asks: (said, calls) => [
      { role: "assistant", content: [text(said), ...calls.map((call) => ({ type: "tool_use", ...call }))] },
    ],
    results: (results) => [
      {
        role: "user",
        content: results.map((each) => ({
          type: "tool_result",
          tool_use_id: each.id,
          content: [text(each.text)],
        })),
      },
    ],
    texts: (messages) =>
      messages.flatMap(({ content }: Odd) =>
        content.flatMap((block: Odd) => (block.type === "tool_result" ? [block.content[0].text] : [])),
      ),
    faults: (messages) => anthropicFaults({ messages }),
  },
  "openai-chat": {
    user: (content) => ({ role: "user", content }),
    asks: (content, calls) => [
      {
        role: "assistant",
        content,
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
    ],
    results: (results) => results.map((each) => ({ role: "tool", tool_call_id: each.id, content: each.text })),
    texts: (messages) => messages.flatMap(({ role, content }: Odd) => (role === "tool" ? [content] : [])),
    faults: (messages) => openAiChatFaults({ messages }),
  },
  "openai-responses": {
    user: (value) => ({ role: "user", content: [{ type: "input_text", text: value }] }),
    asks: (said, calls) => [
      { type: "reasoning", summary: [], encrypted_content: "gAAA" },
      { role: "assistant", content: said },
      ...calls.map(({ id, name, input }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      })),
    ],
    results: (results) =>
      results.map((each) => ({ type: "function_call_output", call_id: each.id, output: each.text })),
    texts: (messages) => messages.flatMap(({ type, output }: Odd) => (type === "function_call_output" ? [output] : [])),
    faults: (messages) => openAiResponsesFaults({ messages }),
  },
  "ai-sdk": {
    user: (value) => ({ role: "user", content: [text(value)] }),
    asks: (said, calls) => [
      {
        role: "assistant",
        content: [
          text(said),
          ...calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input })),
        ],
      },
    ],
    results: (results) => [
      {
        role: "tool",
        content: results.map((each) => ({
          type: "tool-result",
          toolCallId: each.id,
          toolName: each.name,
          output: { type: "text", value: each.text },
        })),
      },
    ],
    texts: (messages) =>
      messages.flatMap(({ role, content }: Odd) =>
        role === "tool" ? content.map((part: Odd) => part.output.value) : [],
      ),
    faults: (messages) => aiSdkFaults({ messages }),
  },
};

export const LONG = "many lines of output\n".repeat(40);

/** One round: a bash call and a read_file call, and their results. */
export function round(format: ArrayFormat, n: number, output = LONG): object[] {
  const { asks, results } = ARRAYS[format];
  const calls = [
    { id: `bash_${n}`, name: "bash", input: { command: `npm test -- part-${n}` } },
    { id: `read_${n}`, name: "read_file", input: { path: `src/part-${n}.ts` } },
  ];
  return [
    ...asks(`Step ${n}.`, calls),
    ...results([
      { id: `bash_${n}`, name: "bash", text: `bash ${n} ${output}` },
      { id: `read_${n}`, name: "read_file", text: `file ${n} ${output}` },
    ]),
  ];
}
