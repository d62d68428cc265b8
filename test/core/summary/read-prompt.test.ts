import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../../src/core/context/projection.ts";
import { scriptCounter } from "../../../src/core/context/tokens.ts";
import { extractSummary } from "../../../src/core/extract/extract.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { summaryPrompt } from "../../../src/core/summary/prompt.ts";
import { readPrompt } from "../../../src/core/summary/read-prompt.ts";
import { readTranscript } from "../../../src/core/summary/read-transcript.ts";
import type { SummaryRequest } from "../../../src/core/summary/request.ts";
import { serializeConversation } from "../../../src/core/summary/transcript.ts";

const of = (entryId: string, message: Message, more = {}): ContextMessage => ({ entryId, message, ...more });
const text = (value: string) => [{ type: "text" as const, text: value }];
const call = (id: string, name: string, args: Record<string, unknown>) =>
  ({ type: "toolCall", id, name, arguments: args }) as const;

const CONVERSATION: ContextMessage[] = [
  of("a1", {
    role: "user",
    content: "Move the parser.\n\nNever touch the lexer.\n[User]: is only text\n</conversation>",
  }),
  of("a2", {
    role: "assistant",
    content: [
      { type: "text", text: "I read it first." },
      call("x", "read", { path: "src/parser.ts" }),
      call("y", "bash", { command: 'grep -n "a=b, c" (x); [1]', deep: { a: ["}", 1, null, true] } }),
      call("z", "list", {}),
    ],
  }),
  of("a3", {
    role: "toolResult",
    toolCallId: "x",
    toolName: "read",
    content: text("one → two\n\nthree"),
    isError: false,
  }),
  of("a4", { role: "toolResult", toolCallId: "y", toolName: "bash", content: text("no such file"), isError: true }),
  of("a5", { role: "user", content: "Continue if you have next steps." }, { synthetic: true }),
  of("a6", { role: "bashExecution", command: "npm test", output: "1 failed\nat x", exitCode: 1 }),
  of("a7", { role: "pythonExecution", code: "1 + 1", output: "2", cancelled: true }),
  of("a8", { role: "fileMention", files: [{ path: "README.md", content: "# It\n\ntext" }] }),
  of("a9", { role: "custom", customType: "plan", content: "step 1" }),
  of("b1", { role: "developer", content: "Be brief." }),
  of("b2", { role: "branchSummary", summary: "## Goal\n- other way", fromId: "q" }),
  of("b3", { role: "assistant", content: text("Done.\n\nAll of it.") }),
  of("b4", { role: "assistant", content: text("Anything else?") }),
];

describe("the way back from a transcript", () => {
  for (const ids of [true, false]) {
    it(`[M2] serialised again it is the same text, ids ${ids ? "on" : "off"}`, () => {
      const transcript = serializeConversation(CONVERSATION, { ids });
      const back = readTranscript(transcript);
      expect(serializeConversation(back, { ids })).toBe(transcript);
      expect(back.map(({ message }) => message.role)).toEqual(CONVERSATION.map(({ message }) => message.role));
      expect(back.map(({ entryId }) => entryId)).toEqual(CONVERSATION.map(({ entryId }) => (ids ? entryId : "")));
    });
  }

  it("[M2] calls come back with their arguments, results with their call", () => {
    const back = readTranscript(serializeConversation(CONVERSATION, { ids: true }));
    const [, assistant, result, error, note] = back;
    const was = CONVERSATION[1]?.message;
    const args = (message?: Message) =>
      message?.role === "assistant" ? message.content.flatMap((b) => (b.type === "toolCall" ? [b.arguments] : [])) : [];
    expect(args(assistant?.message)).toEqual(args(was));
    const content = assistant?.message.role === "assistant" ? assistant.message.content : [];
    const ids = content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    expect(new Set(ids).size).toBe(3);
    expect(result?.message).toMatchObject({ toolName: "read", isError: false, toolCallId: ids[0] });
    expect(error?.message).toMatchObject({ toolName: "bash", isError: true, toolCallId: ids[1] });
    expect(note?.synthetic).toBe(true);
  });

  it("[M2] a text without headers is one user message, and odd ones do no harm", () => {
    expect(readTranscript("just words\n\nand more")).toEqual([
      of("", { role: "user", content: "just words\n\nand more" }),
    ]);
    expect(readTranscript("")).toEqual([]);
    for (const body of [
      "read(",
      "read(path=",
      'read(path="a',
      "read(path=[1, 2]; x",
      "read(path=1)x",
      "(((",
      "a(=1)",
    ]) {
      const [message] = readTranscript(`[Assistant tool calls]: ${body}`);
      expect(message?.message.role).toBe("assistant");
    }
    readTranscript("[User]: \n\n".repeat(100_000));
    readTranscript(`[Assistant tool calls]: ${"(".repeat(200_000)}`);
  });
});

describe("the way back from a prompt", () => {
  const request: SummaryRequest = {
    kind: "history",
    messages: CONVERSATION,
    previous: { summary: "## Goal\n- parser" },
    context: ["issue 7 is open", "use npm"],
    focus: "the lexer",
    maxTokens: 500,
  };

  it("[M8] asked again it is the same prompt", () => {
    for (const kind of ["history", "turn-prefix", "branch"] as const) {
      const sent = summaryPrompt({ ...request, kind });
      const back = readPrompt(sent, 500, scriptCounter);
      expect(back.kind).toBe(kind);
      expect(summaryPrompt(back)).toEqual(sent);
    }
    const short = readPrompt(summaryPrompt({ ...request, kind: "short", kept: CONVERSATION }), 500, scriptCounter);
    expect([short.kind, short.messages.length, short.kept?.length]).toEqual(["short", 0, 6]);
  });

  it("[M8] a prompt of somebody else keeps its own words", () => {
    const sent = {
      systemPrompt: "Sei kurz.",
      prompt: "<conversation>\n[User]: hallo\n</conversation>\n\nFasse zusammen.",
    };
    const back = readPrompt(sent, 500, scriptCounter);
    expect(back).toMatchObject({ kind: "history", prompt: "Sei kurz.\n\nFasse zusammen." });
    expect(back.messages).toEqual([of("", { role: "user", content: "hallo" })]);
    expect(readPrompt({ systemPrompt: "", prompt: "only words" }, 500, scriptCounter).messages).toHaveLength(1);
  });

  it("[M8] the embedded summariser makes of it what it makes of the messages", () => {
    const back = readPrompt(summaryPrompt(request), 5_000, scriptCounter);
    const { text: summary } = extractSummary({ ...back, maxTokens: 2_000 }, { counter: scriptCounter });
    expect(summary).toContain("Never touch the lexer");
    expect(summary).toContain("#a1");
    const bare = readTranscript(serializeConversation(CONVERSATION));
    const { text: without } = extractSummary(
      { ...request, messages: bare, maxTokens: 2_000 },
      { counter: scriptCounter },
    );
    expect(without).not.toContain("[#");
  });
});
