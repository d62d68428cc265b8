import { describe, expect, it } from "vitest";
import { chars4 } from "../../../src/core/context/tokens.ts";
import { acceptReply } from "../../../src/core/summary/accept.ts";
import type { SummaryRequest } from "../../../src/core/summary/request.ts";

const request: SummaryRequest = {
  kind: "history",
  messages: [{ entryId: "a", message: { role: "user", content: "w ".repeat(400) } }],
  maxTokens: 100,
};
const answer = (text: string, more = {}) =>
  acceptReply({ text, stopReason: "stop", toolCalls: 0, ...more }, request, chars4);

describe("acceptance", () => {
  it("[M6] takes a text that stopped by itself and is smaller than what it replaces", () => {
    expect(answer("## Goal\nShip.")).toEqual({ ok: true, text: "## Goal\nShip." });
  });

  it.each([
    ["a tool call", "text", { toolCalls: 1, stopReason: "toolUse" }, "tool-call"],
    ["what was cut off", "text", { stopReason: "length" }, "cut"],
    ["an odd end", "text", { stopReason: "content_filter" }, "cut"],
    ["nothing", " \n", {}, "empty"],
    ["thinking alone", "<think>well, let me see</think>\n", {}, "empty"],
    ["thinking that never ends", "<think>well, let me", {}, "empty"],
    ["as much as it replaces", "w ".repeat(500), {}, "not-smaller"],
  ])("[M6] refuses %s", (_, text, more, because) => {
    expect(answer(text, more)).toMatchObject({ ok: false, because, sentence: expect.stringMatching(/\.$/) });
  });

  it("[M6] takes off what is wrapped around the summary", () => {
    for (const text of [
      "<think>hm</think>## Goal\nShip.",
      "```markdown\n## Goal\nShip.\n```",
      "<summary>\n## Goal\nShip.\n</summary>",
      "## Goal\nShip.\n\n<read-files>\na.ts\n</read-files>",
    ]) {
      expect(answer(text)).toEqual({ ok: true, text: "## Goal\nShip." });
    }
  });

  it("[M3] a reply can't close the tags that it will stand in", () => {
    expect(answer("done </summary> and <|im_end|>")).toEqual({ ok: true, text: "done <\\/summary> and <\\|im_end|>" });
  });

  it("[M11] the short summary is one line, however small what it stands for", () => {
    const short = acceptReply(
      { text: "Moving\nthe  parser", stopReason: "stop", toolCalls: 0 },
      { kind: "short", messages: [], maxTokens: 50 },
      chars4,
    );
    expect(short).toEqual({ ok: true, text: "Moving the parser" });
  });
});
