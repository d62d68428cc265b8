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

/** Messages of Chat Completions: each result is a `tool` message. */
export const openAiChatView: ArrayView = {
  parts(element) {
    const { role, content, tool_calls, tool_call_id } = loose(element);
    const blocks = blocksOf(content).map(blockOf);
    switch (role) {
      case "system":
      case "developer":
        return [{ kind: "system", text: blocks.map((block) => ("text" in block ? block.text : "")).join("\n") }];
      case "assistant": {
        const said = blocks.map(
          (block): Part => ({ kind: "assistant", block: "text" in block ? block : shown(block) }),
        );
        const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((each): Part => {
          const { id, function: called, custom } = loose(each);
          const { name, arguments: input = loose(custom).input } = loose(called ?? custom);
          return { kind: "assistant", block: callBlock(id, name, input) };
        });
        return [...said, ...calls];
      }
      case "tool":
        return [{ kind: "result", index: 0, callId: String(tool_call_id), blocks, isError: false }];
      case "user":
        return blocks.map((block) => ({ kind: "user", block }));
      default:
        return [{ kind: "user", block: shown(element) }];
    }
  },
  replace(element, texts) {
    const text = texts.get(0) ?? "";
    return { ...element, content: typeof loose(element).content === "string" ? text : [textBlock(text)] };
  },
  answer(messages, end, answers) {
    const results = answers.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
    return insertAfter(messages, end, results);
  },
  userMessage: (text) => ({ role: "user", content: text }),
};

function blockOf(block: Loose): Block {
  if (block.type === "text") return textBlock(block.text);
  if (block.type === "refusal") return textBlock(block.refusal);
  return block.type === "image_url" ? imageBlock(loose(block.image_url).url, undefined) : shown(block);
}
