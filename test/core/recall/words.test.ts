import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../src/core/recall/match.ts";
import { parseQuery } from "../../../src/core/recall/query.ts";
import { snippet } from "../../../src/core/recall/snippet.ts";
import { searchWords, unspacedWords } from "../../../src/core/recall/words.ts";

const wordsOf = (text: string) => [...new Set(searchWords(text))].sort();

/** The texts by rank. */
function ranked(query: string, texts: readonly string[]): string[] {
  const matcher = createMatcher(parseQuery(query));
  const found = texts.map((text) => ({ text, match: matcher.match(text) }));
  const scored = found.flatMap(({ text, match }) => (match ? [{ text, score: matcher.score(match) }] : []));
  return scored.sort((a, b) => b.score - a.score).map(({ text }) => text);
}

describe("words to search by", () => {
  it.each([
    [
      "src/core/parseArgs.ts",
      ["args", "core", "parse", "parseargs", "parseargs.ts", "src", "src/core/parseargs.ts", "ts"],
    ],
    ["MAX_RETRY_COUNT", ["count", "max", "max_retry_count", "retry"]],
    [
      "HTTPServer v1.2.3",
      ["1", "2", "3", "http", "httpserver", "server", "v1", "v1.2.3"].filter((word) => word !== "1"),
    ],
    ["C:\\Users\\x", ["c", "c:\\users\\x", "users", "x"]],
    ["Ende. (Über)", ["ende", "über"]],
  ])("[R9] splits names: %s", (text, words) => expect(wordsOf(text)).toEqual(words));

  it("[R9] finds a name by any of its forms and parts", () => {
    const text = "the fault is in src/core/parseArgs.ts, function read_all_lines";
    for (const query of [
      "parseargs",
      "args",
      "parse_args",
      "parseArgs.ts",
      "src/core/parseArgs.ts",
      "readAllLines",
      "lines",
    ]) {
      expect(ranked(query, [text, "nothing here"])).toEqual([text]);
    }
  });
  it("[R9] finds words that begin with the one asked for, whole ones first", () => {
    expect(ranked("prune", ["it was pruned", "a prune ran", "a pr"])).toEqual(["a prune ran", "it was pruned"]);
  });
  it("[R9] finds CJK by the segments of its lines, and words of other scripts among them", () => {
    expect([...unspacedWords("上下文压缩 ok")]).toContain("压缩");
    const text = "我们修改了src/parse.ts文件的压缩逻辑";
    for (const query of ["压缩", "文件 parse", "修改"]) expect(ranked(query, [text, "别的"])).toEqual([text]);
    expect(ranked("設定ファイル", ["ここで設定ファイルを読む", "何もない"])).toHaveLength(1);
    expect(ranked("한국어", ["한국어를 지원", "영어"])).toEqual(["한국어를 지원"]);
  });
  it("[R9] takes quoted words as one phrase, white space aside", () => {
    const [a, b] = ["the exit\n  code is 3", "the code of the exit"];
    expect(ranked('"exit code"', [a, b])).toEqual([a]);
    expect(ranked("exit code", [a, b])).toHaveLength(2);
    expect(ranked('"=> {"', ["x => { }", "=>"])).toEqual(["x => { }"]);
  });
  it("[R9] weighs rare words more, and short texts more than long ones", () => {
    const common = Array.from({ length: 20 }, (_, i) => `build ${i} passed`);
    expect(ranked("build ENOSPC", [...common, "ENOSPC"])[0]).toBe("ENOSPC");
    const long = `needle ${"hay ".repeat(500)}`;
    expect(ranked("needle", [long, "needle"])).toEqual(["needle", long]);
  });
  it("[R9] is linear in long runs without a space", () => {
    const run = `${"漢字".repeat(200_000)} needle ${"a".repeat(400_000)}`;
    expect(ranked("needle 漢字", [run])).toHaveLength(1);
    expect([...searchWords("a/".repeat(300_000))].length).toBeLessThan(10);
  });
  it("[R9] takes any query", () => {
    for (const query of ["", '"', '""', "(((", "\\", "[#a1b2]", "*".repeat(9_000), "\ud800"]) {
      expect(ranked(query, ["text"])).toEqual([]);
      expect(snippet("x".repeat(900), parseQuery(query), 100).cut).toBeGreaterThan(0);
    }
    expect(parseQuery("[#a1b2c3d4], ok").ids).toEqual(["a1b2c3d4", "ok"]);
  });
});

describe("snippets", () => {
  const text = `${"start ".repeat(300)}the needle and the thread${" end".repeat(300)} needle`;

  it("[R9] show where most of what was asked for stands, and say how much is left out", () => {
    const { text: shown, cut } = snippet(text, parseQuery("needle thread"), 120);
    expect(shown).toContain("the needle and the thread");
    expect(shown.length).toBeLessThanOrEqual(124);
    expect(shown.startsWith("… ") && shown.endsWith(" …")).toBe(true);
    expect(cut + shown.length - 4).toBe(text.length);
  });
  it("[R9] cut at grapheme borders", () => {
    const family = "👩‍👩‍👧‍👦";
    const { text: shown } = snippet(`${family.repeat(100)}needle${family.repeat(100)}`, parseQuery("needle"), 100);
    expect(shown.replaceAll(family, "").replace(/[… ]/g, "")).toBe("needle");
  });
  it("[R9] give a text whole that fits", () =>
    expect(snippet("short", parseQuery("x"), 100)).toEqual({ text: "short", cut: 0 }));
});
