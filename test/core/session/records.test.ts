import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLine } from "../../../src/core/session/records.ts";

const values = (text: string) => parseLine(text).records.map(({ value }) => value);

describe("parseLine", () => {
  it("[S6] splits glued records at any depth, and says where they stand", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 }), (objects) => {
        const texts = objects.map((value) => JSON.stringify(value));
        const text = texts.join("");
        const parsed = parseLine(text);
        expect(parsed.problem).toBeUndefined();
        expect(parsed.records.map(({ start, end }) => text.slice(start, end))).toEqual(texts);
        expect(parsed.records.map(({ value }) => JSON.stringify(value))).toEqual(texts);
      }),
    );
  });

  it("[S6] never throws, whatever the text is", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseLine(text)));
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ":",
      ",",
      "NaN",
      "1",
      '{"type":"a","id":"b","parentId":null',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void parseLine(pieces.join(""))));
  });

  it("[S6] says what is wrong with a line", () => {
    expect(parseLine("  \r")).toEqual({ records: [] });
    expect(parseLine("null").problem).toBe("is not an object");
    expect(parseLine("hello").problem).toBe("is not JSON");
    expect(parseLine('{"a":"b').problem).toBe("is cut off");
    expect(parseLine("{'a':1}").problem).toBe("is not valid JSON");
    expect(parseLine('{"a":1} tail')).toMatchObject({
      records: [{ value: { a: 1 } }],
      problem: "holds text that is no record",
    });
  });

  it("[S6] does not take a block or an argument of a broken record for a record", () => {
    const inner = '{"type":"message","id":"x","parentId":null}';
    expect(
      values(`{"type":"message","message":{"content":[{"type":"toolCall","id":"c","arguments":${inner}}],"te`),
    ).toEqual([]);
    expect(values(`{"type":"mess${inner}`)).toEqual([JSON.parse(inner)]);
  });

  it("[S6] stays linear on lines made of false starts, braces and backslashes", () => {
    for (const piece of ['{"type":"a","id":"b","parentId":null', "{", "}{", '"\\', "\\\\", '{"a":NaN']) {
      expect(parseLine(piece.repeat(50_000)).records.length).toBeGreaterThanOrEqual(0);
    }
  }, 30_000);
});
