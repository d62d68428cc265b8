/** The four ways of asking a model over HTTP. */
export type WireFormat = "anthropic" | "openai-chat" | "openai-responses" | "google";

/** What a fake model says. */
export interface FakeAnswer {
  readonly text: string;
  readonly thinking?: string;
  /** The name of a tool to call. */
  readonly toolCall?: string;
  readonly stop: "stop" | "length";
  readonly input: number;
  readonly output: number;
}

/** A request as it was meant, whatever the format. */
export interface AskedFor {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly streams: boolean;
}

type Json = Record<string, unknown>;

/** The format that a path belongs to, or undefined. */
export function formatOfPath(path: string): WireFormat | undefined {
  if (/\/chat\/completions(\?|$)/.test(path)) return "openai-chat";
  if (/\/responses(\?|$)/.test(path)) return "openai-responses";
  if (/\/messages(\?|$)/.test(path)) return "anthropic";
  return /:(stream)?generateContent/i.test(path) ? "google" : undefined;
}

/** What was asked for, read from a request's path and body. */
export function askedFor(format: WireFormat, path: string, body: Json): AskedFor {
  const streams = body.stream === true || /:streamGenerateContent/i.test(path);
  const model = String(body.model ?? /models\/([^:]+):/.exec(path)?.[1] ?? "");
  const common = { model, streams };
  switch (format) {
    case "anthropic":
      return {
        ...common,
        system: textIn(body.system),
        prompt: textIn(body.messages),
        maxTokens: Number(body.max_tokens),
      };
    case "openai-chat": {
      const [system, rest] = byRole(body.messages);
      const maxTokens = Number(body.max_tokens ?? body.max_completion_tokens);
      return { ...common, system, prompt: rest, maxTokens };
    }
    case "openai-responses": {
      const [system, rest] = byRole(body.input);
      const instructions = textIn(body.instructions);
      return { ...common, system: instructions || system, prompt: rest, maxTokens: Number(body.max_output_tokens) };
    }
    case "google": {
      const config = body.generationConfig as Json | undefined;
      const system = textIn(body.systemInstruction);
      return { ...common, system, prompt: textIn(body.contents), maxTokens: Number(config?.maxOutputTokens) };
    }
  }
}

function byRole(messages: unknown): [system: string, rest: string] {
  if (typeof messages === "string") return ["", messages];
  const list = Array.isArray(messages) ? (messages as Json[]) : [];
  const isSystem = ({ role }: Json) => role === "system" || role === "developer";
  return [textIn(list.filter(isSystem)), textIn(list.filter((message) => !isSystem(message)))];
}

/** All text of a content, however it is nested. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join("\n");
  if (typeof value !== "object" || value === null) return "";
  const { text, content, parts } = value as Json;
  return textIn(text ?? content ?? parts);
}

/** The body of an error response, as each provider writes it. */
export function errorBody(format: WireFormat, status: number, message: string, code?: string): Json {
  switch (format) {
    case "anthropic":
      return { type: "error", error: { type: code ?? "invalid_request_error", message } };
    case "google":
      return { error: { code: status, message, status: code ?? "INVALID_ARGUMENT" } };
    default:
      return { error: { message, type: "invalid_request_error", param: null, code: code ?? null } };
  }
}

/** What each provider says to a request beyond the model's window. */
export const OVERFLOWS: Readonly<Record<WireFormat, readonly [message: string, code?: string]>> = {
  anthropic: ["prompt is too long: 213462 tokens > 200000 maximum"],
  "openai-chat": [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "context_length_exceeded",
  ],
  "openai-responses": [
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "context_length_exceeded",
  ],
  google: ["The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
};

/** An answer as the server-sent events of a stream; `piece` is the size of the parts that its text comes in. */
export function streamOf(format: WireFormat, model: string, answer: FakeAnswer, piece = 40): string[] {
  const parts = answer.text.match(new RegExp(`[\\s\\S]{1,${piece}}`, "gu")) ?? [];
  switch (format) {
    case "anthropic":
      return anthropicStream(model, answer, parts);
    case "openai-chat":
      return chatStream(model, answer, parts);
    case "openai-responses":
      return responsesStream(model, answer, parts);
    case "google":
      return googleChunks(answer, parts).map((chunk) => event(chunk));
  }
}

/** An answer as one JSON document. */
export function wholeOf(format: WireFormat, model: string, answer: FakeAnswer): Json {
  const { text, toolCall, stop, input, output } = answer;
  switch (format) {
    case "anthropic": {
      const content = [
        { type: "text", text },
        ...(toolCall ? [{ type: "tool_use", id: "t1", name: toolCall, input: {} }] : []),
      ];
      const stop_reason = toolCall ? "tool_use" : stop === "length" ? "max_tokens" : "end_turn";
      return {
        id: "m1",
        type: "message",
        role: "assistant",
        model,
        content,
        stop_reason,
        usage: { input_tokens: input, output_tokens: output },
      };
    }
    case "openai-chat": {
      const tool_calls = toolCall && [{ id: "t1", type: "function", function: { name: toolCall, arguments: "{}" } }];
      const message = { role: "assistant", content: text, ...(tool_calls && { tool_calls }) };
      const choices = [{ index: 0, message, finish_reason: toolCall ? "tool_calls" : stop }];
      return { id: "c1", object: "chat.completion", created: 1, model, choices, usage: chatUsage(answer) };
    }
    case "openai-responses":
      return finished(model, answer, [messageItem(text)]);
    case "google": {
      const [chunk] = googleChunks(answer, [text]).slice(-1);
      return chunk ?? {};
    }
  }
}

const event = (data: unknown, name?: string) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

function anthropicStream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
  const send = (type: string, data: Json) => event({ type, ...data }, type);
  const usage = { input_tokens: answer.input, output_tokens: 1 };
  const events = [
    send("message_start", {
      message: { id: "m1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage },
    }),
  ];
  let index = 0;
  const block = (content_block: Json, deltas: readonly Json[]) => {
    events.push(send("content_block_start", { index, content_block }));
    for (const delta of deltas) events.push(send("content_block_delta", { index, delta }));
    events.push(send("content_block_stop", { index: index++ }));
  };
  if (answer.thinking) {
    block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: answer.thinking },
      { type: "signature_delta", signature: "S" },
    ]);
  }
  if (parts.length > 0)
    block(
      { type: "text", text: "" },
      parts.map((text) => ({ type: "text_delta", text })),
    );
  if (answer.toolCall) {
    const call = { type: "tool_use", id: "t1", name: answer.toolCall, input: {} };
    block(call, [{ type: "input_json_delta", partial_json: "{}" }]);
  }
  const stop_reason = answer.toolCall ? "tool_use" : answer.stop === "length" ? "max_tokens" : "end_turn";
  events.push(
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: answer.output } }),
  );
  return [...events, send("message_stop", {})];
}

const chatUsage = ({ input, output }: FakeAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

function chatStream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
  const chunk = (delta: Json, finish_reason: string | null = null) =>
    event({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
  const call = { index: 0, id: "t1", type: "function", function: { name: answer.toolCall, arguments: "{}" } };
  return [
    chunk({ role: "assistant", content: "" }),
    ...(answer.thinking ? [chunk({ reasoning_content: answer.thinking })] : []),
    ...parts.map((content) => chunk({ content })),
    ...(answer.toolCall ? [chunk({ tool_calls: [call] })] : []),
    chunk({}, answer.toolCall ? "tool_calls" : answer.stop),
    event({ id: "c1", object: "chat.completion.chunk", created: 1, model, choices: [], usage: chatUsage(answer) }),
    "data: [DONE]\n\n",
  ];
}

const messageItem = (text: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

function finished(model: string, { stop, input, output }: FakeAnswer, items: readonly Json[]): Json {
  const cut = stop === "length";
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model,
    status: cut ? "incomplete" : "completed",
    ...(cut && { incomplete_details: { reason: "max_output_tokens" } }),
    output: items,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function responsesStream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
  let sequence_number = 0;
  const send = (type: string, data: Json) => event({ type, sequence_number: sequence_number++, ...data }, type);
  const base = { id: "resp_1", object: "response", created_at: 1, model, status: "in_progress", output: [] };
  const events = [send("response.created", { response: base })];
  let output_index = 0;
  if (answer.thinking) {
    const item = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: answer.thinking }] };
    events.push(send("response.output_item.added", { output_index, item: { ...item, summary: [] } }));
    events.push(send("response.output_item.done", { output_index: output_index++, item }));
  }
  if (parts.length > 0) {
    const place = { item_id: "msg_1", output_index, content_index: 0 };
    const item = { ...messageItem(""), status: "in_progress", content: [] };
    events.push(send("response.output_item.added", { output_index, item }));
    events.push(
      send("response.content_part.added", { ...place, part: { type: "output_text", text: "", annotations: [] } }),
    );
    for (const delta of parts) events.push(send("response.output_text.delta", { ...place, delta, logprobs: [] }));
    events.push(send("response.output_item.done", { output_index: output_index++, item: messageItem(answer.text) }));
  }
  if (answer.toolCall) {
    const item = { id: "fc_1", type: "function_call", call_id: "t1", name: answer.toolCall, arguments: "{}" };
    events.push(send("response.output_item.added", { output_index, item: { ...item, arguments: "" } }));
    events.push(send("response.function_call_arguments.done", { item_id: "fc_1", output_index, arguments: "{}" }));
    events.push(send("response.output_item.done", { output_index, item }));
  }
  const type = answer.stop === "length" ? "response.incomplete" : "response.completed";
  return [...events, send(type, { response: finished(model, answer, []) })];
}

function googleChunks({ thinking, toolCall, stop, input, output }: FakeAnswer, parts: readonly string[]): Json[] {
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
  const chunk = (part: Json[], more: Json = {}) => ({
    candidates: [{ content: { role: "model", parts: part }, index: 0, ...more }],
    usageMetadata,
    responseId: "r1",
  });
  const body = parts.map((text) => ({ text }) as Json);
  const last = toolCall ? [{ functionCall: { name: toolCall, args: {} } }] : body.splice(-1);
  return [
    ...(thinking ? [chunk([{ text: thinking, thought: true }])] : []),
    ...body.map((part) => chunk([part])),
    chunk(last, { finishReason: stop === "length" ? "MAX_TOKENS" : "STOP" }),
  ];
}
