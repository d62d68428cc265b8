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

/** Input items of the Responses API: calls and results are items of their own, joined by `call_id`. */
export const openAiResponsesView: ArrayView = {
  parts(element) {
    const item = loose(element);
    const { role, type } = item;
    if (role === "system" || role === "developer") {
      const texts = blocksOf(item.content).map(({ text }) => String(text ?? ""));
      return [{ kind: "system", text: texts.join("\n") }];
    }
    if (role === "user") return blocksOf(item.content).map((block) => ({ kind: "user", block: blockOf(block) }));
    if (role === "assistant") {
      return blocksOf(item.content).map((block): Part => {
        const said = blockOf(block);
        return { kind: "assistant", block: "text" in said ? said : shown(block) };
      });
    }
    switch (type) {
      case "function_call":
        return [{ kind: "assistant", block: callBlock(item.call_id, item.name, item.arguments) }];
      case "custom_tool_call":
        return [{ kind: "assistant", block: callBlock(item.call_id, item.name, { input: item.input }) }];
      case "function_call_output":
      case "custom_tool_call_output": {
        const blocks = blocksOf(item.output).map(blockOf);
        return [{ kind: "result", index: 0, callId: String(item.call_id), blocks, isError: false }];
      }
      case "reasoning":
        return [{ kind: "assistant", block: reasoning(item) }];
      default:
        return [{ kind: "assistant", block: shown(item) }];
    }
  },
  replace: (element, texts) => ({ ...element, output: texts.get(0) ?? "" }),
  answer(messages, end, answers) {
    const results = answers.map(({ callId, text }) => ({
      type: "function_call_output",
      call_id: callId,
      output: text,
    }));
    return insertAfter(messages, end, results);
  },
  userMessage: (text) => ({ role: "user", content: [{ type: "input_text", text }] }),
};

function blockOf(block: Loose): Block {
  switch (block.type) {
    case "text":
    case "input_text":
    case "output_text":
      return textBlock(block.text);
    case "refusal":
      return textBlock(block.refusal);
    case "input_image":
      return imageBlock(block.image_url ?? block.file_id, undefined);
    default:
      return shown(block);
  }
}

function reasoning({ summary, encrypted_content }: Loose) {
  const text = blocksOf(summary).map((part) => String(part.text ?? ""));
  return {
    type: "thinking" as const,
    thinking: text.join("\n"),
    ...(typeof encrypted_content === "string" && { thinkingSignature: encrypted_content }),
  };
}
