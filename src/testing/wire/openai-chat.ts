import {
  argumentParts,
  argumentsOf,
  event,
  type FakeAnswer,
  type Json,
  listOf,
  message,
  objectOf,
  textIn,
  type Wire,
  type WireMessage,
  type WireToolCall,
} from "./format.ts";

export const openaiChat: Wire = {
  read(body) {
    const messages = listOf(body.messages);
    const isSystem = ({ role }: Json) => role === "system" || role === "developer";
    return {
      system: textIn(messages.filter(isSystem)),
      tools: listOf(body.tools).map((tool) => objectOf(tool.function)),
      maxTokens: Number(body.max_tokens ?? body.max_completion_tokens),
      messages: joined(messages.filter((message) => !isSystem(message)).map(messageOf)),
    };
  },
  whole(model, answer) {
    const tool_calls = answer.toolCalls.map((call) => callOf(call, JSON.stringify(call.arguments)));
    const message = { role: "assistant", content: answer.text, ...(tool_calls.length > 0 && { tool_calls }) };
    const choices = [{ index: 0, message, finish_reason: stopOf(answer) }];
    return { id: "c1", object: "chat.completion", created: 1, model, choices, usage: usageOf(answer) };
  },
  stream,
  error: openaiError,
  overflow: (tokens, window) => [
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
    "context_length_exceeded",
  ],
};

/** The body of an error of OpenAI's. */
export function openaiError(_: number, message: string, code?: string): Json {
  return { error: { message, type: "invalid_request_error", param: null, code: code ?? null } };
}

function messageOf(sent: Json): WireMessage {
  const { role, content } = sent;
  if (role === "tool") {
    return message("results", { results: [{ id: String(sent.tool_call_id), text: textIn(content) }], blocks: 1 });
  }
  const images = listOf(content).filter((block) => block.type === "image_url").length;
  const toolCalls = listOf(sent.tool_calls).map((call) => {
    const { name, arguments: args } = objectOf(call.function);
    return { id: String(call.id), name: String(name), arguments: argumentsOf(args) };
  });
  const text = textIn(content);
  const blocks = images + toolCalls.length + (text === "" ? 0 : 1);
  return message(role === "assistant" ? "assistant" : "user", { text, blocks, images, toolCalls });
}

/** Results that follow each other are those of one batch. */
export function joined(messages: readonly WireMessage[]): WireMessage[] {
  const all: WireMessage[] = [];
  for (const next of messages) {
    const last = all.at(-1);
    if (next.role === "results" && last?.role === "results") {
      all[all.length - 1] = { ...last, results: [...last.results, ...next.results] };
    } else all.push(next);
  }
  return all;
}

const callOf = ({ id, name }: WireToolCall, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

const stopOf = ({ stop, toolCalls }: FakeAnswer) =>
  stop === "length" ? "length" : toolCalls.length > 0 ? "tool_calls" : "stop";

const usageOf = ({ input, output }: FakeAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

function stream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
  const base = { id: "c1", object: "chat.completion.chunk", created: 1, model };
  const chunk = (delta: Json, finish_reason: string | null = null) =>
    event({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  const calls = answer.toolCalls.flatMap((call, index) => [
    chunk({ tool_calls: [{ index, ...callOf(call, "") }] }),
    ...argumentParts(call).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  return [
    chunk({ role: "assistant", content: "" }),
    ...(answer.thinking ? [chunk({ reasoning_content: answer.thinking })] : []),
    ...parts.map((content) => chunk({ content })),
    ...calls,
    chunk({}, stopOf(answer)),
    event({ ...base, choices: [], usage: usageOf(answer) }),
    "data: [DONE]\n\n",
  ];
}
