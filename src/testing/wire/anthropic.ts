import {
  argumentParts,
  argumentsOf,
  event,
  type FakeAnswer,
  type Json,
  listOf,
  message,
  textIn,
  type Wire,
  type WireMessage,
} from "./format.ts";

export const anthropic: Wire = {
  read: (body) => ({
    system: textIn(body.system),
    tools: listOf(body.tools),
    maxTokens: Number(body.max_tokens),
    messages: listOf(body.messages).flatMap(messagesOf),
  }),
  whole: (model, answer) => ({
    id: "m1",
    type: "message",
    role: "assistant",
    model,
    content: [
      { type: "text", text: answer.text },
      ...answer.toolCalls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
    ],
    stop_reason: stopOf(answer),
    usage: { input_tokens: answer.input, output_tokens: answer.output },
  }),
  stream,
  error: (_, message, code) => ({ type: "error", error: { type: code ?? "invalid_request_error", message } }),
  overflow: (tokens, window) => [`prompt is too long: ${tokens} tokens > ${window} maximum`],
};

/** Results come in messages of the user, before what he says himself. */
function messagesOf({ role, content }: Json): WireMessage[] {
  if (typeof content === "string") {
    return [message(role === "assistant" ? "assistant" : "user", { text: content, blocks: content === "" ? 0 : 1 })];
  }
  const blocks = listOf(content);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const said = { text: textIn(ofType("text")), blocks: blocks.length, images: ofType("image").length };
  if (role === "assistant") {
    const toolCalls = ofType("tool_use").map((block) => ({
      id: String(block.id),
      name: String(block.name),
      arguments: argumentsOf(block.input),
    }));
    return [message("assistant", { ...said, toolCalls })];
  }
  const results = ofType("tool_result").map((block) => ({ id: String(block.tool_use_id), text: textIn(block) }));
  if (results.length === 0) return [message("user", said)];
  const answered = message("results", { results, blocks: results.length });
  return blocks.length > results.length ? [answered, message("user", said)] : [answered];
}

const stopOf = ({ stop, toolCalls }: FakeAnswer) =>
  stop === "length" ? "max_tokens" : toolCalls.length > 0 ? "tool_use" : "end_turn";

function stream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
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
  if (parts.length > 0) {
    const deltas = parts.map((text) => ({ type: "text_delta", text }));
    block({ type: "text", text: "" }, deltas);
  }
  for (const call of answer.toolCalls) {
    const deltas = argumentParts(call).map((partial_json) => ({ type: "input_json_delta", partial_json }));
    block({ type: "tool_use", id: call.id, name: call.name, input: {} }, deltas);
  }
  const delta = { stop_reason: stopOf(answer), stop_sequence: null };
  events.push(send("message_delta", { delta, usage: { output_tokens: answer.output } }));
  return [...events, send("message_stop", {})];
}
