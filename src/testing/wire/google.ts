import {
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
} from "./format.ts";

export const google: Wire = {
  read(body) {
    const waiting: string[] = [];
    return {
      system: textIn(body.systemInstruction),
      tools: listOf(body.tools).flatMap((tool) => listOf(tool.functionDeclarations)),
      maxTokens: Number(objectOf(body.generationConfig).maxOutputTokens),
      messages: listOf(body.contents).flatMap((content, at) => messagesOf(content, at, waiting)),
    };
  },
  whole: (_, answer) => chunks(answer, [answer.text]).at(-1) ?? {},
  stream: (_, answer, parts) => chunks(answer, parts).map((chunk) => event(chunk)),
  error: (status, message, code) => ({ error: { code: status, message, status: code ?? "INVALID_ARGUMENT" } }),
  overflow: (tokens, window) => [
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
  ],
};

/** Calls may come without an id: their results are then told by name and order, `waiting` holds those still open. */
function messagesOf(content: Json, at: number, waiting: string[]): WireMessage[] {
  const parts = listOf(content.parts);
  const text = textIn(parts.filter((part) => part.thought !== true));
  const blocks = parts.length;
  const images = parts.filter((part) => part.inlineData).length;
  if (content.role === "model") {
    const toolCalls = parts.flatMap(({ functionCall }, n) => {
      if (!functionCall) return [];
      const { id, name, args } = objectOf(functionCall);
      return [{ id: String(id ?? `${name}:${at}:${n}`), name: String(name), arguments: argumentsOf(args) }];
    });
    waiting.length = 0;
    for (const call of toolCalls) waiting.push(call.id);
    return [message("assistant", { text, blocks, images, toolCalls })];
  }
  const results = parts.flatMap(({ functionResponse }) => {
    if (!functionResponse) return [];
    const { id, name, response } = objectOf(functionResponse);
    const called = waiting.findIndex((call) => call === id || (!id && call.startsWith(`${name}:`)));
    const [known] = called < 0 ? [] : waiting.splice(called, 1);
    return [{ id: String(id ?? known ?? name), text: textOfResponse(response) }];
  });
  if (results.length === 0) return [message("user", { text, blocks, images })];
  const answered = message("results", { results, blocks: results.length });
  return blocks > results.length ? [answered, message("user", { text, blocks, images })] : [answered];
}

function textOfResponse(response: unknown): string {
  const { output, error } = objectOf(response);
  const said = output ?? error;
  return typeof said === "string" ? said : JSON.stringify(response ?? "");
}

function chunks({ thinking, toolCalls, stop, input, output }: FakeAnswer, parts: readonly string[]): Json[] {
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
  const chunk = (part: Json[], more: Json = {}) => ({
    candidates: [{ content: { role: "model", parts: part }, index: 0, ...more }],
    usageMetadata,
    responseId: "r1",
  });
  const body = parts.map((text) => ({ text }) as Json);
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } }));
  const last = calls.length > 0 ? calls : body.splice(-1);
  return [
    ...(thinking ? [chunk([{ text: thinking, thought: true }])] : []),
    ...body.map((part) => chunk([part])),
    chunk(last, { finishReason: stop === "length" ? "MAX_TOKENS" : "STOP" }),
  ];
}
