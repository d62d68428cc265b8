import { describe, expect, it } from "vitest";
import { createTerminalText } from "../../src/agent/tools/shell/terminal-text.ts";
import { toolCallsOf } from "../../src/core/context/blocks.ts";
import { chars4 } from "../../src/core/context/tokens.ts";
import { idOf } from "../../src/core/recall/query.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { capSummary } from "../../src/core/summary/cap.ts";
import { neutralise } from "../../src/core/summary/neutralise.ts";
import { readTranscript } from "../../src/core/summary/read-transcript.ts";
import { checkCitations } from "../../src/core/verify/citations.ts";
import { lastUndone } from "../../src/core/verify/undone.ts";

/** In quadratic time each of these would take minutes. */
const LONG = 1_000_000;

describe("a text made to be slow", () => {
  it("[M3] white space behind an angle bracket", () => {
    const text = `<${" ".repeat(LONG)}x`;
    expect(neutralise(text)).toBe(text);
    expect(neutralise("< / summary>")).toBe("<\\ / summary>");
  });

  it("[M10] white space inside a heading", () => {
    const capped = capSummary(`## a${" ".repeat(LONG)}b\n- one\n**Done:**\n- ${"word ".repeat(200)}`, 100, chars4);
    expect(chars4.count(capped)).toBeLessThanOrEqual(100);
    expect(capped).not.toBe("");
  });

  it("[M2] line breaks inside a paragraph of a transcript, and more calls than a call has arguments", () => {
    const [message] = readTranscript(`[User]: a${"\n".repeat(LONG)}b`);
    expect(message?.message).toMatchObject({ role: "user", content: `a${"\n".repeat(LONG)}b` });
    const calls = Array.from({ length: 200_000 }, () => "f()").join("; ");
    const [reply] = readTranscript(`[Assistant]: now\n\n[Assistant tool calls]: ${calls}`);
    expect(reply).toHaveProperty("message.content.length", 200_001);
  });

  it("[V4] brackets that open and one that closes", () => {
    const { kept, removed } = checkCitations(`${"[#".repeat(LONG)}a]`, new Set());
    expect({ kept, removed }).toEqual({ kept: 0, removed: 1 });
  });

  it("[R9] signs behind an id", () => {
    expect(idOf(`[#a1b2c3d4${"]".repeat(LONG)}x`)).toContain("a1b2c3d4");
    expect(idOf(`[#a1b2c3d4${"]".repeat(LONG)}`)).toBe("a1b2c3d4");
  });

  it("[A1] carriage returns in the output of a command", () => {
    const terminal = createTerminalText();
    expect(terminal.push(`old${"\r".repeat(LONG)}new\n`) + terminal.end()).toBe("new\n");
  });

  it("[V3] undo markers of compactions that are elsewhere", () => {
    const path = Array.from({ length: 100_000 }, (_, n): Entry => {
      const data = { compactionId: `gone${n}` };
      return { type: "custom", id: `${n}`, parentId: null, timestamp: "", customType: "espalier.undo", data };
    });
    expect(lastUndone(path, null)).toBeNull();
  });
});

it("[M2] an argument named __proto__ is an argument, in a transcript and back", () => {
  const [source] = readTranscript('[Assistant tool calls]: f(__proto__={"a":1}, b=2)');
  const [call] = source ? toolCallsOf(source.message) : [];
  expect(Object.entries(call?.arguments ?? {})).toEqual([
    ["__proto__", { a: 1 }],
    ["b", 2],
  ]);
});
