import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT } from "./sources.ts";

const RULE = /^- ([A-Z]\d+) /gm;
const QUOTE = /\b(?:it|test|describe)(?:\.[\w.]+(?:\([^"'`\n]*\))?)?\(\s*["'`]\[([A-Z]\d+(?:(?:, |\] \[)[A-Z]\d+)*)\]/g;

const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? "");
const quotedIn = (text: string) => idsIn(text, QUOTE).flatMap((list) => list.split(/, |\] \[/));

interface Binding {
  readonly rules: readonly string[];
  readonly quoted: readonly string[];
}

/** What is wrong between rules and test names; empty when all is well. */
function faultsOf({ rules, quoted }: Binding): string[] {
  const known = new Set(rules);
  const tested = new Set(quoted);
  return [
    ...rules.filter((id, at) => rules.indexOf(id) !== at).map((id) => `${id} stands twice in SPEC.md`),
    ...[...tested].filter((id) => !known.has(id)).map((id) => `${id} is quoted by a test and is no rule`),
    ...rules.filter((id) => !tested.has(id)).map((id) => `${id} has no test`),
  ];
}

describe("SPEC.md and the tests are bound", () => {
  const tests = filesBelow(`${ROOT}test`, ".test.ts");
  tests.delete("spec.test.ts");
  const binding = {
    rules: idsIn(readFileSync(`${ROOT}SPEC.md`, "utf8"), RULE),
    quoted: [...tests.values()].flatMap(quotedIn),
  };

  it("finds every rule", () => expect(binding.rules).toHaveLength(101));
  it("has a test for each rule", () => expect(faultsOf(binding)).toEqual([]));
});

describe("the binding can fail", () => {
  const sound = { rules: ["C1", "C2"], quoted: ["C1", "C2"] };

  it("passes a sound one", () => expect(faultsOf(sound)).toEqual([]));
  it("sees a rule without a test", () => expect(faultsOf({ ...sound, quoted: ["C1"] })).toHaveLength(1));
  it("sees a test of no rule", () => expect(faultsOf({ ...sound, quoted: ["C1", "C2", "C9"] })).toHaveLength(1));
  it("sees a rule that stands twice", () => {
    expect(faultsOf({ ...sound, rules: ["C1", "C2", "C2"] })).toHaveLength(1);
  });
  it("reads quotes in the forms tests are written in", () => {
    const forms = [
      'it("[C1] a',
      "it(`[C1, X2] b",
      'describe("[S3] c',
      'it.skipIf(!haveSessions)("[I1] d',
      'it.each(rows)(\n  "[T1] e',
      'it("[S6] [S7] f',
    ];
    expect(forms.map(quotedIn)).toEqual([["C1"], ["C1", "X2"], ["S3"], ["I1"], ["T1"], ["S6", "S7"]]);
  });
});
