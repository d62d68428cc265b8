import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT } from "./sources.ts";

/** How many rules may be open. Lower it when rules are closed; it never rises. */
const OPEN_AT_MOST = 0;

const RULE = /^- ([A-Z]\d+) /gm;
const OPEN = /^\| ([A-Z]\d+) \| [2-6] \| \S/gm;
const IN_PART = /^\| ([A-Z]\d+) \| [2-6] \| in part: \S/gm;
const QUOTE = /\b(?:it|test|describe)(?:\.[\w.]+(?:\([^"'`\n]*\))?)?\(\s*["'`]\[([A-Z]\d+(?:(?:, |\] \[)[A-Z]\d+)*)\]/g;

const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? "");
const quotedIn = (text: string) => idsIn(text, QUOTE).flatMap((list) => list.split(/, |\] \[/));

interface Binding {
  readonly rules: readonly string[];
  readonly open: readonly string[];
  /** Those of the open ones that hold in part, and so have tests. */
  readonly inPart: readonly string[];
  readonly quoted: readonly string[];
}

/** What is wrong between rules, open rules and test names; empty when all is well. */
function faultsOf({ rules, open, inPart, quoted }: Binding): string[] {
  const known = new Set(rules);
  const tested = new Set(quoted);
  const opened = new Set(open);
  return [
    ...rules.filter((id, at) => rules.indexOf(id) !== at).map((id) => `${id} stands twice in SPEC.md`),
    ...open.filter((id) => !known.has(id)).map((id) => `${id} is listed as open and is no rule`),
    ...[...tested].filter((id) => !known.has(id)).map((id) => `${id} is quoted by a test and is no rule`),
    ...[...tested]
      .filter((id) => opened.has(id) && !inPart.includes(id))
      .map((id) => `${id} has a test: close it under "Open rules"`),
    ...inPart.filter((id) => !tested.has(id)).map((id) => `${id} is said to hold in part and has no test`),
    ...rules.filter((id) => !tested.has(id) && !opened.has(id)).map((id) => `${id} has no test and is not open`),
  ];
}

describe("SPEC.md and the tests are bound", () => {
  const [contract = "", table = ""] = readFileSync(`${ROOT}SPEC.md`, "utf8").split("## Open rules\n");
  const tests = filesBelow(`${ROOT}test`, ".test.ts");
  tests.delete("spec.test.ts");
  const binding = {
    rules: idsIn(contract, RULE),
    open: idsIn(table, OPEN),
    inPart: idsIn(table, IN_PART),
    quoted: [...tests.values()].flatMap(quotedIn),
  };

  it("finds every rule", () => expect(binding.rules).toHaveLength(101));
  it("has a test or an open row for each rule", () => expect(faultsOf(binding)).toEqual([]));
  it("opens no further rule", () => expect(binding.open.length).toBeLessThanOrEqual(OPEN_AT_MOST));
});

describe("the binding can fail", () => {
  const sound = { rules: ["C1", "C2"], open: ["C1"], inPart: [], quoted: ["C2"] };

  it("passes a sound one", () => expect(faultsOf(sound)).toEqual([]));
  it("sees a rule without a test", () => expect(faultsOf({ ...sound, quoted: [] })).toHaveLength(1));
  it("sees a test of no rule", () => expect(faultsOf({ ...sound, quoted: ["C2", "C9"] })).toHaveLength(1));
  it("sees an open rule that has its test", () => expect(faultsOf({ ...sound, quoted: ["C1", "C2"] })).toHaveLength(1));
  it("lets a rule that holds in part have tests, and asks for them", () => {
    expect(faultsOf({ ...sound, inPart: ["C1"], quoted: ["C1", "C2"] })).toEqual([]);
    expect(faultsOf({ ...sound, inPart: ["C1"] })).toHaveLength(1);
  });
  it("sees an open row of no rule, and a rule that stands twice", () => {
    expect(faultsOf({ ...sound, open: ["C1", "C7"] })).toHaveLength(1);
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
