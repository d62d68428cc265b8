import { describe, expect, it } from "vitest";
import { jsonDocument } from "../../../src/cli/render/json.ts";
import { firstLine, plain } from "../../../src/cli/render/plain.ts";

describe("plain text", () => {
  it("takes out what a terminal obeys: colours, titles, links, cursor moves, C1 controls", () => {
    expect(plain("a\x1b[31mred\x1b[0m b")).toBe("ared b");
    expect(plain("\x1b]0;owned\x07title \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\")).toBe("title link");
    expect(plain("\x1b[2J\x1b[H\x9b31mx\x1bPdata\x1b\\y\x1bc")).toBe("xy");
    expect(plain("bell\x07 back\x08 nul\x00 del\x7f")).toBe("bell back nul del");
  });

  it("takes out direction controls that would reorder what is read", () => {
    expect(plain("a\u202eb\u2066c\u200f")).toBe("abc");
  });

  it("keeps line ends as \\n, tabs as spaces, and every script", () => {
    expect(plain("a\r\nb\rc\u2028d\te 日本語 👩‍👩‍👧 हिन्दी")).toBe("a\nb\nc\nd  e 日本語 👩‍👩‍👧 हिन्दी");
  });

  it("[X6] replaces lone surrogates", () => {
    expect(plain("x\ud800y")).toBe("x\ufffdy");
  });

  it("gives the first line that says something", () => {
    expect(firstLine("\n  \n\x1b[1m  two   words \nthree")).toBe("two words");
    expect(firstLine("\x1b[1m")).toBe("");
  });

  it("an unfinished escape takes nothing of the text after the line with it", () => {
    expect(plain("a\x1b")).toBe("a");
    expect(plain("a\x1b[")).toBe("a");
  });
});

describe("JSON document", () => {
  it("is the object it was given, controls escaped", () => {
    const document = { status: "x", list: [{ a: 1 }, "\u009b31m\u202e\u2028", undefined], none: undefined, empty: [] };
    const text = [...jsonDocument(document)].join("");
    expect(JSON.parse(text)).toEqual({ status: "x", list: [{ a: 1 }, "\u009b31m\u202e\u2028", null], empty: [] });
    expect(text).not.toMatch(/[\x7f-\x9f\u2028\u202e]/);
  });
});
