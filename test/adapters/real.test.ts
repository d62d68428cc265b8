import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { openSession } from "../../src/index.ts";
import { aiSdkFaults } from "../checkers/ai-sdk.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { openAiResponsesFaults } from "../checkers/openai-responses.ts";
import { haveSessions, realSessions } from "../real-sessions.ts";

describe.skipIf(!haveSessions)("real sessions", () => {
  const files = [...realSessions("pi"), ...realSessions("claude-code")];
  it.each(files.map((file) => [basename(file), file]))("[X5] %s is acceptable to every provider", async (_, file) => {
    const session = await openSession(file, { readOnly: true });
    const { messages } = await session.context();
    expect(anthropicFaults(renderFor("anthropic", messages))).toEqual([]);
    expect(openAiChatFaults(renderFor("openai-chat", messages))).toEqual([]);
    expect(openAiResponsesFaults(renderFor("openai-responses", messages))).toEqual([]);
    expect(aiSdkFaults(renderFor("ai-sdk", messages))).toEqual([]);
    const { entries, counts } = await session.explain();
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(entries.length);
    await session.close();
  });
});
