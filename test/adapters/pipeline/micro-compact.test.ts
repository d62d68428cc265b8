import { describe, expect, it } from "vitest";
import { microCompact } from "../../../src/adapters/index.ts";
import { ARRAYS, FORMATS, LONG, round } from "./arrays.ts";

describe.each(FORMATS)("micro-compaction of %s", (format) => {
  const { user, asks, results, texts, faults } = ARRAYS[format];

  it("[R6] the tutorial's ten rounds: what is older than three reads [Previous: used bash], read_file stays", () => {
    const messages: object[] = [user("Make the tests pass.")];
    for (let n = 1; n <= 10; n++) {
      messages.push(...round(format, n));
      const copy = structuredClone(messages);
      const sent = microCompact(messages, { format });
      const expected = Array.from({ length: n }, (_, at) => [
        at + 1 <= n - 3 ? "[Previous: used bash]" : `bash ${at + 1} ${LONG}`,
        `file ${at + 1} ${LONG}`,
      ]).flat();
      expect(texts(sent)).toEqual(expected);
      expect(faults(sent)).toEqual([]);
      expect(messages).toEqual(copy);
      const again = microCompact(sent, { format });
      expect(again.every((message, at) => message === sent[at])).toBe(true);
    }
  });

  it("[R6] leaves every other element the same object, and fields that it does not know in place", () => {
    const messages: object[] = [user("Go."), ...[1, 2, 3, 4].flatMap((n) => round(format, n))];
    const sent = microCompact(messages, { format });
    const changed = sent.filter((message, at) => message !== messages[at]);
    expect(changed).toHaveLength(1);
    expect(sent).not.toBe(messages);
  });

  it("[R6] short results stay; keepResults counts results; minFill waits for the window to fill", () => {
    const one = (n: number, text: string) => [
      ...asks(`Step ${n}.`, [{ id: `c${n}`, name: "bash", input: {} }]),
      ...results([{ id: `c${n}`, name: "bash", text }]),
    ];
    const messages = [user("Go."), ...one(1, "x".repeat(100)), ...one(2, LONG), ...one(3, LONG), ...one(4, LONG)];
    expect(texts(microCompact(messages, { format }))).toEqual(texts(messages));
    const mark = "[Previous: used bash]";
    expect(texts(microCompact(messages, { format, keepResults: 1 })).map((each) => each === mark)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(texts(microCompact(messages, { format, keepRounds: 0, minChars: 99 }))).toEqual([mark, mark, mark, mark]);
    const waiting = { format, keepRounds: 1, minFill: 0.5, contextWindow: 100_000 };
    expect(microCompact(messages, waiting)).toEqual(messages);
    expect(microCompact(messages, { ...waiting, contextWindow: 800 })).not.toEqual(messages);
    expect(() => microCompact(messages, { format, minFill: 0.5 })).toThrow(TypeError);
  });

  it("[R6] takes odd content as it is", () => {
    const odd = [null, {}, { role: "user" }, { role: "assistant", content: [{ type: "new" }, null] }, { type: "x" }];
    expect(microCompact(odd as object[], { format })).toEqual(odd);
  });
});

it("[R6] an unknown format is a TypeError", () => {
  expect(() => microCompact([], { format: "cohere" as "anthropic" })).toThrow(/cohere/);
});

it("[R6] what stands beside the content of a result stays", () => {
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "bash", input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: LONG, is_error: true, cache_control: { type: "ephemeral" } },
        { type: "text", text: "and hurry" },
      ],
    },
  ];
  const [, , last] = microCompact(messages, { format: "anthropic", keepRounds: 0 });
  expect(last).toEqual({
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "a",
        content: "[Previous: used bash]",
        is_error: true,
        cache_control: { type: "ephemeral" },
      },
      { type: "text", text: "and hurry" },
    ],
  });
});
