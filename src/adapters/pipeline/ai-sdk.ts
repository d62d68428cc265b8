import {
  type ArrayView,
  type Block,
  blocksOf,
  callBlock,
  imageBlock,
  insertAfter,
  type Loose,
  loose,
  type Part,
  shown,
  textBlock,
} from "./view.ts";

/** ModelMessages of the AI SDK: the results of one assistant message are parts of a `tool` message. */
export const aiSdkView: ArrayView = {
  parts(element) {
    const { role, content } = loose(element);
    const blocks = blocksOf(content);
    if (role === "system") return [{ kind: "system", text: blocks.map(({ text }) => String(text ?? "")).join("\n") }];
    if (role === "assistant") return blocks.map((block) => ({ kind: "assistant", block: assistantBlock(block) }));
    return blocks.map((block, index): Part => {
      if (role !== "tool" || block.type !== "tool-result") return { kind: "user", block: userBlock(block) };
      const { type } = loose(block.output);
      const isError = type === "error-text" || type === "error-json";
      const toolName = String(block.toolName ?? "tool");
      return {
        kind: "result",
        index,
        callId: String(block.toolCallId),
        toolName,
        blocks: outputBlocks(block),
        isError,
      };
    });
  },
  replace(element, texts) {
    const content = blocksOf(loose(element).content).map((block, at) => {
      const value = texts.get(at);
      if (value === undefined) return block;
      const isError = String(loose(block.output).type).startsWith("error");
      return { ...block, output: { type: isError ? "error-text" : "text", value } };
    });
    return { ...element, content };
  },
  answer(messages, end, answers) {
    const results = answers.map(({ callId, name, text }) => ({
      type: "tool-result",
      toolCallId: callId,
      toolName: name,
      output: { type: "text", value: text },
    }));
    const last = messages[end];
    if (loose(last).role !== "tool") return insertAfter(messages, end, [{ role: "tool", content: results }]);
    const merged = { ...last, content: [...blocksOf(loose(last).content), ...results] };
    return messages.map((each, at) => (at === end ? merged : each));
  },
  userMessage: (text) => ({ role: "user", content: [textBlock(text)] }),
};

function outputBlocks({ output }: Loose): Block[] {
  const { type, value } = loose(output);
  if (type === "content") return blocksOf(value).map(userBlock);
  return [typeof value === "string" ? textBlock(value) : shown(value ?? output)];
}

function userBlock(block: Loose): Block {
  switch (block.type) {
    case "text":
      return textBlock(block.text);
    case "image":
      return imageBlock(block.image, block.mediaType ?? "image/png");
    case "image-data":
    case "media":
      return imageBlock(block.data, block.mediaType);
    case "file":
      return String(block.mediaType).startsWith("image/") ? imageBlock(block.data, block.mediaType) : shown(block);
    default:
      return shown(block);
  }
}

function assistantBlock(block: Loose) {
  switch (block.type) {
    case "text":
      return textBlock(block.text);
    case "reasoning":
      return { type: "thinking" as const, thinking: String(block.text ?? ""), thinkingSignature: "signed" };
    case "tool-call":
      return callBlock(block.toolCallId, block.toolName, block.input);
    default:
      return shown(block);
  }
}
