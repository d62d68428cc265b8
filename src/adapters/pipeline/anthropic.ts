import type { ThinkingBlock } from "../../core/session/message.ts";
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

/** Messages of the Messages API: results are blocks of the user message after their calls. */
export const anthropicView: ArrayView = {
  parts(element) {
    const { role, content } = loose(element);
    const blocks = blocksOf(content);
    if (role === "assistant") return blocks.map((block) => ({ kind: "assistant", block: assistantBlock(block) }));
    if (role === "system") return [{ kind: "system", text: blocks.map(({ text }) => String(text ?? "")).join("\n") }];
    return blocks.map((block, index): Part => {
      if (block.type !== "tool_result") return { kind: "user", block: userBlock(block) };
      const { tool_use_id, content: result, is_error } = block;
      const callId = String(tool_use_id);
      return { kind: "result", index, callId, blocks: blocksOf(result).map(userBlock), isError: is_error === true };
    });
  },
  replace(element, texts) {
    const { content } = loose(element);
    const blocks = blocksOf(content).map((block, at) => {
      const text = texts.get(at);
      return text === undefined ? block : { ...block, content: likewise(block.content, text) };
    });
    return { ...element, content: blocks };
  },
  answer(messages, end, answers) {
    const results = answers.map(({ callId, text }) => ({
      type: "tool_result",
      tool_use_id: callId,
      content: [textBlock(text)],
    }));
    const at = loose(messages[end]).role === "assistant" ? end + 1 : end;
    const next = messages[at];
    if (loose(next).role !== "user") return insertAfter(messages, end, [{ role: "user", content: results }]);
    const blocks = blocksOf(loose(next).content);
    const last = blocks.findLastIndex(({ type }) => type === "tool_result");
    const merged = { ...next, content: insertAfter(blocks, last, results) };
    return messages.map((each, index) => (index === at ? merged : each));
  },
  userMessage: (text) => ({ role: "user", content: [textBlock(text)] }),
};

const likewise = (content: unknown, text: string) => (typeof content === "string" ? text : [textBlock(text)]);

function userBlock(block: Loose): Block {
  if (block.type === "text") return textBlock(block.text);
  if (block.type !== "image") return shown(block);
  const { data, media_type, url } = loose(block.source);
  return imageBlock(data ?? url, media_type);
}

function assistantBlock(block: Loose) {
  switch (block.type) {
    case "text":
      return textBlock(block.text);
    case "thinking":
      return thinking(block.thinking, block.signature);
    case "redacted_thinking":
      return { ...thinking("", block.data), redacted: true };
    case "tool_use":
      return callBlock(block.id, block.name, block.input);
    default:
      return shown(block);
  }
}

const thinking = (text: unknown, signature: unknown): ThinkingBlock => ({
  type: "thinking",
  thinking: String(text ?? ""),
  ...(typeof signature === "string" && { thinkingSignature: signature }),
});
