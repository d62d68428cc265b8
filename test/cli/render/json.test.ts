import { describe, expect, it } from "vitest";
import { jsonDocument, jsonLine } from "../../../src/cli/render/json.ts";

const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

describe("JSON for a terminal", () => {
  it("[S6] a value that nests deeper than can be written is told to a depth, the rest whole", () => {
    const document = JSON.parse([...jsonDocument({ messages: [nested(100_000), { a: 1 }] })].join(""));
    expect(document.messages[1]).toEqual({ a: 1 });
    expect(JSON.stringify(document.messages[0])).toContain("[nested too deep]");
  });

  it("holds no character that a terminal obeys, in a document and on a line", () => {
    const evil = { text: "\u001b[31m \u009b2J \u202e" };
    for (const text of [[...jsonDocument(evil)].join(""), jsonLine(evil)]) {
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      expect(JSON.parse(text)).toEqual(evil);
    }
  });
});
