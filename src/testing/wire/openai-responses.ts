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
  type WireToolCall,
} from "./format.ts";
import { joined, openaiError } from "./openai-chat.ts";

export const openaiResponses: Wire = {
  read(body) {
    const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : listOf(body.input);
    const isSystem = ({ role }: Json) => role === "system" || role === "developer";
    return {
      system: textIn(body.instructions) || textIn(items.filter(isSystem)),
      tools: listOf(body.tools),
      maxTokens: Number(body.max_output_tokens),
      messages: repliesJoined(items.filter((item) => !isSystem(item)).flatMap(messageOf)),
    };
  },
  whole: (model, answer) =>
    finished(model, answer, [messageItem(answer.text), ...answer.toolCalls.map((call) => callItem(call))]),
  stream,
  error: openaiError,
  overflow: () => [
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "context_length_exceeded",
  ],
};

function messageOf(item: Json): WireMessage[] {
  switch (item.type) {
    case "reasoning":
      return [];
    case "function_call": {
      const { call_id, name, arguments: args } = item;
      const call = { id: String(call_id), name: String(name), arguments: argumentsOf(args) };
      return [message("assistant", { toolCalls: [call], blocks: 1 })];
    }
    case "function_call_output":
      return [message("results", { results: [{ id: String(item.call_id), text: textIn(item.output) }], blocks: 1 })];
    default: {
      const images = listOf(item.content).filter((part) => part.type === "input_image").length;
      const text = textIn(item.content);
      const blocks = images + (text === "" ? 0 : 1);
      return [message(item.role === "assistant" ? "assistant" : "user", { text, blocks, images })];
    }
  }
}

/** A reply is sent back as several items. */
function repliesJoined(messages: readonly WireMessage[]): WireMessage[] {
  const all: WireMessage[] = [];
  for (const next of joined(messages)) {
    const last = all.at(-1);
    if (next.role === "assistant" && last?.role === "assistant") {
      const text = [last.text, next.text].filter(Boolean).join("\n");
      all[all.length - 1] = { ...last, text, blocks: 1, toolCalls: [...last.toolCalls, ...next.toolCalls] };
    } else all.push(next);
  }
  return all;
}

const messageItem = (text: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

const callItem = ({ id, name, arguments: args }: WireToolCall) => ({
  id: `fc_${id}`,
  type: "function_call",
  call_id: id,
  name,
  arguments: JSON.stringify(args),
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

function stream(model: string, answer: FakeAnswer, parts: readonly string[]): string[] {
  let sequence_number = 0;
  const send = (type: string, data: Json) => event({ type, sequence_number: sequence_number++, ...data }, type);
  const base = { id: "resp_1", object: "response", created_at: 1, model, status: "in_progress", output: [] };
  const events = [send("response.created", { response: base })];
  let output_index = 0;
  const item = (whole: Json, begun: Json, within: (place: Json) => void) => {
    events.push(send("response.output_item.added", { output_index, item: { ...whole, ...begun } }));
    within({ item_id: whole.id, output_index });
    events.push(send("response.output_item.done", { output_index: output_index++, item: whole }));
  };
  if (answer.thinking) {
    const summary = [{ type: "summary_text", text: answer.thinking }];
    item({ id: "rs_1", type: "reasoning", summary }, { summary: [] }, (place) => {
      const at = { ...place, summary_index: 0 };
      events.push(send("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } }));
      events.push(send("response.reasoning_summary_text.delta", { ...at, delta: answer.thinking }));
    });
  }
  if (parts.length > 0) {
    item(messageItem(answer.text), { status: "in_progress", content: [] }, (place) => {
      const at = { ...place, content_index: 0 };
      events.push(
        send("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } }),
      );
      for (const delta of parts) events.push(send("response.output_text.delta", { ...at, delta, logprobs: [] }));
    });
  }
  for (const call of answer.toolCalls) {
    const whole = callItem(call);
    item(whole, { arguments: "" }, (place) => {
      for (const delta of argumentParts(call)) {
        events.push(send("response.function_call_arguments.delta", { ...place, delta }));
      }
      events.push(send("response.function_call_arguments.done", { ...place, arguments: whole.arguments }));
    });
  }
  const type = answer.stop === "length" ? "response.incomplete" : "response.completed";
  return [...events, send(type, { response: finished(model, answer, []) })];
}
