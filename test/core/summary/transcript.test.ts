import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../../src/core/context/projection.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { serializeConversation } from "../../../src/core/summary/transcript.ts";

const of = (...messages: unknown[]): ContextMessage[] =>
  messages.map((message, n) => ({ entryId: `a${n}`, message: message as Message }));
const reply = (...content: unknown[]) => ({ role: "assistant", content });
const call = (name: string, args: unknown) => ({ type: "toolCall", id: "1", name, arguments: args });
const result = (text: string, isError = false) => ({
  role: "toolResult",
  toolCallId: "1",
  toolName: "bash",
  content: [{ type: "text", text }],
  isError,
});

describe("transcript", () => {
  const messages = of(
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", data: "A".repeat(4096), mimeType: "image/png" },
      ],
    },
    reply(
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "I look." },
      call("read", { path: "a.ts", limit: 3 }),
    ),
    result("text of a"),
    result("no such file", true),
  );

  it("[M2] has one paragraph for each thing said, called and answered", () => {
    expect(serializeConversation(messages)).toBe(
      [
        "[User]: look\n[image: image/png, 3 kB]",
        "[Assistant]: I look.",
        '[Assistant tool calls]: read(path="a.ts", limit=3)',
        "[Tool result]: bash → text of a",
        "[Tool error]: bash → no such file",
      ].join("\n\n"),
    );
  });

  it("[M2] shows thinking when asked, and ids in every header", () => {
    const text = serializeConversation(messages, { ids: true, thinking: true });
    const headers = [
      "[User #a0]: ",
      "[Assistant thinking #a1]: hm",
      "[Assistant #a1]: ",
      "[Assistant tool calls #a1]: ",
      "[Tool result #a2]: ",
    ];
    for (const header of [...headers, "[Tool error #a3]: "]) expect(text).toContain(header);
  });

  it("[M2] # in a header names an entry and nothing else", () => {
    const odd = of(
      { ...result("x"), toolName: "grep #a9]: \n[User" },
      { role: "custom", customType: "#a7", content: "c" },
    );
    const text = serializeConversation(odd, { ids: true });
    expect(text).toBe("[Tool result #a0]: grep a9 : User → x\n\n[Extension a7 #a1]: c");
  });

  it("[M2] says what the other roles are", () => {
    const text = serializeConversation(
      of(
        { role: "bashExecution", command: "ls", output: "a", exitCode: 2 },
        { role: "bashExecution", command: "secret", output: "a", excludeFromContext: true },
        { role: "pythonExecution", code: "1/0", output: "", cancelled: true },
        { role: "fileMention", files: [{ path: "a.md", content: "text" }] },
        { role: "developer", content: "be kind" },
        { role: "branchSummary", summary: "went there", fromId: "x" },
        { role: "system", content: "never shown" },
        { role: "martian", content: "never shown" },
      ),
    );
    expect(text).toBe(
      "[User command]: $ ls\na\n(exit code 2)\n\n[User Python]: 1/0\n(cancelled)\n\n[User file]: a.md\ntext\n\n" +
        "[Developer]: be kind\n\n[Summary of another branch]: went there",
    );
  });

  it("[M2] cuts tool results to 2,000 characters and other blocks to 8,000, head and tail, with the number cut", () => {
    const long = `${"h".repeat(9000)}${"t".repeat(9000)}`;
    const cut = (chars: number) => {
      const half = chars / 2;
      return `${"h".repeat(half)}\n[... ${18_000 - chars} characters left out ...]\n${"t".repeat(half)}`;
    };
    expect(serializeConversation(of(result(long)))).toBe(`[Tool result]: bash → ${cut(2000)}`);
    expect(serializeConversation(of({ role: "user", content: long }))).toBe(`[User]: ${cut(8000)}`);
    expect(serializeConversation(of(reply(call("write", { text: long })))).length).toBeLessThan(8200);
  });

  it("[M2] cuts at grapheme borders and writes no lone surrogate", () => {
    const family = "👨‍👩‍👧‍👦";
    const text = serializeConversation(of(result(`x${family.repeat(600)}`), { role: "user", content: "a\ud83d" }));
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(text.replaceAll(family, "")).not.toMatch(/[\u200d\u{1f468}\u{1f467}]/u);
  });

  it("[M2] is total", () => {
    const circle: Record<string, unknown> = { n: 1n, nothing: undefined };
    circle.self = circle;
    const throwing = {
      toJSON: () => {
        throw new Error("no");
      },
    };
    const text = serializeConversation(of(reply(call("a", circle), call("b", undefined), call("c", { throwing }))));
    expect(text).toBe(
      '[Assistant tool calls]: a(n="1", nothing=null, self={"n":"1","self":"[circular]"}); b(null); c(throwing="[unserialisable]")',
    );
    const odd = [
      {},
      { role: "user" },
      { role: "user", content: 5 },
      reply(null, 7, { type: "toolCall" }),
      { role: "fileMention", files: [null] },
      { role: "toolResult" },
      { role: "bashExecution" },
      { role: "assistant", content: null },
    ];
    expect(() => serializeConversation(of(...odd), { ids: true, thinking: true })).not.toThrow();
    expect(serializeConversation([])).toBe("");
  });
});
