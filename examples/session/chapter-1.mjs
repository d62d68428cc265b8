import { bash, edit, grep, read, write } from "./recorder.mjs";

const CLASS = `/** A span of time. */
export class Duration {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  static parse(text: string): Duration {
    const match = /^(\\d+)(ms|s|m|h)$/.exec(text);
    if (!match) throw new TypeError(\`"\${text}" is no duration\`);
    const unit = { ms: 1, s: 1000, m: 60000, h: 3600000 }[match[2] as "ms" | "s" | "m" | "h"];
    return new Duration(Number(match[1]) * unit);
  }
  toString(): string {
    return \`\${this.ms}ms\`;
  }
}
`;

const ISO = `import { describe, expect, it } from "vitest";
import { Duration } from "../../src/core/duration.ts";

describe("Duration", () => {
  it("reads ISO 8601", () => expect(Duration.parse("PT1H30M").ms).toBe(5_400_000));
  it("reads short forms", () => expect(Duration.parse("90s").ms).toBe(90_000));
});
`;

const FIRST = `/** Milliseconds of each unit, largest first. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const PART = /(\\d+(?:\\.\\d+)?)\\s*(d|h|m|s|ms)/g;

/** Milliseconds of a duration such as \`1h30m\`, \`2.5s\` or \`250ms\`. A bare number counts as seconds. */
export function parseDuration(text: string): number {
  if (/^\\d+(\\.\\d+)?$/.test(text)) return Number(text) * 1_000;
  let sum = 0;
  for (const [, digits, unit] of text.matchAll(PART)) sum += Number(digits) * UNITS[unit as keyof typeof UNITS];
  return sum;
}
`;

const FIRST_TEST = `import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/core/duration.ts";

describe("parseDuration", () => {
  it("[E1] reads one unit", () => {
    expect(parseDuration("90s")).toBe(90_000);
    expect(parseDuration("2h")).toBe(7_200_000);
    expect(parseDuration("3d")).toBe(259_200_000);
  });
  it("[E1] adds several units", () => expect(parseDuration("1h30m")).toBe(5_400_000));
  it("[E1] tells milliseconds from minutes", () => expect(parseDuration("250ms")).toBe(250));
  it("[E1] reads fractions", () => expect(parseDuration("2.5s")).toBe(2_500));
  it("[E1] refuses what is no duration", () => {
    for (const text of ["", "soon", "5 parsecs", "1h30", "-5s"]) expect(() => parseDuration(text)).toThrow();
  });
});
`;

/** The request, a look around, and a first attempt as a class that is left behind on its own branch. */
export function lookAround(s) {
  s.entry({ type: "model_change", ...s.model });
  s.entry({ type: "thinking_level_change", thinkingLevel: "medium" });
  s.entry({ type: "session_info", name: "Durations in settings" });
  s.message({
    role: "system",
    content:
      "You are a coding agent working in /home/dev/espalier. Use the tools read, bash, edit, write and grep. Read before you edit. Keep answers short and say what you ran. $STRICT holds the flags for type checking single files.",
    sections: { "project-rules": "<project-rules>\nElegance first. The core is pure: no node:, no clock, no randomness. Files under 400 lines.\n</project-rules>" },
  });
  s.user(
    "Settings like hooks.timeout are plain milliseconds today: 30000. I want people to be able to write \"30s\" or \"1h30m\" in their settings file. Please build a small `duration` module in src/core with tests. Three things before you start:\n\n1. Never add a dependency for this. Not `ms`, not anything.\n2. Do not touch the SETTINGS table until I say so.\n3. Always run the type checker before you tell me that something works.\n\nLook around first, then tell me your plan.",
  );
  s.think("I should look at the history, the layout and the settings module first. These are independent, so ask for them at once.");
  s.does("I'll look at the history, the layout and the settings module first.", bash("git log --oneline | head -15"), bash("git ls-files src | head -80"), read("package.json"));
  s.does("Now the settings module, since that is where durations will be used.", read("src/core/settings.ts"));
  s.does("And how errors are made, plus who may import whom.", read("src/errors.ts"), read("test/architecture.test.ts"));
  s.does("What does the contract say about times?", grep("millisecond|fsync|timeout", "SPEC.md"), grep("milliseconds|Ms\\b", "src", "*.ts"));
  s.does("The units line and the E rules matter most. Reading the top of SPEC.md.", read("SPEC.md", 1, 48));
  s.does("Existing code that deals with numbers and units, for the house style.", read("src/core/context/tokens.ts"), bash("ls test test/core 2>/dev/null"));
  s.says(
    "Plan:\n\n- `src/core/duration.ts`: reads `1h30m`, `2.5s`, `250ms` and gives milliseconds (SPEC says: times in milliseconds), and the way back for messages and help.\n- `test/core/duration.test.ts`, names quoting [E1].\n- Pure, no imports except `errors.ts`; a bad text is an `EspalierError` that names the value and what is allowed, like `SETTING_INVALID`.\n- `SETTINGS` stays as it is until you say so. No dependency.\n\nTwo questions: do you want ISO 8601 (`PT1H30M`) as well? And what does a bare number mean?",
  );
  const fork = s.user("ISO 8601 too, yes. A bare number is seconds, that is what people expect. Go.");
  s.think("A value type with parse and toString could hold both notations. Let me try a class.");
  s.does("I'll start with a small value class that can hold both notations.", write("src/core/duration.ts", CLASS), write("test/core/duration.test.ts", ISO));
  s.does("", bash("npx vitest run test/core/duration.test.ts"));
  s.think("ISO fails as expected: parse only knows the short form. Before adding ISO, check whether classes are used anywhere in core.");
  s.does("As expected ISO 8601 fails still. Before I add it: are there other classes in core?", grep("^export (abstract )?class", "src", "*.ts"), bash("grep -rhoE '^export (async )?function' src | wc -l"));
  s.does("Let me add the ISO notation to the class.", edit("src/core/duration.ts", "    const match = /^(\\d+)(ms|s|m|h)$/.exec(text);", "    const iso = /^PT(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?$/.exec(text);\n    if (iso) return new Duration(Number(iso[1] ?? 0) * 3600000 + Number(iso[2] ?? 0) * 60000 + Number(iso[3] ?? 0) * 1000);\n    const match = /^(\\d+)(ms|s|m|h)$/.exec(text);"));
  s.does("", bash("npx vitest run test/core/duration.test.ts"));
  const dead = s.says("Both notations pass now. `Duration.parse(\"PT1H30M\").ms` is 5,400,000. The class has no other methods yet; shall I add `add`, `compare` and `toJSON`?");
  s.entry({ type: "label", targetId: dead, label: "class attempt" });
  s.aborts("I'll add `add`, `compare` and");
  s.backTo(fork);
  s.userRuns("git checkout -q . && git clean -fdq src test && git status --short && echo clean");
  s.user(
    "I went back to before the class. This repository exports functions over plain data, so: two functions, `parseDuration(text)` and `formatDuration(ms)`, no class. And drop ISO 8601, I was wrong about it: nobody writes PT1H30M into a settings file. Bare numbers stay seconds for now.",
  );
  s.does("Two functions, short notation only. Checking that the tree is clean, then the first version.", bash("git status --short; ls src/core"), read("src/core/session/entry.ts"));
  s.does("", write("src/core/duration.ts", FIRST), write("test/core/duration.test.ts", FIRST_TEST));
  s.does("", bash("npx vitest run test/core/duration.test.ts"));
  s.think("250ms gave 15,000,000: the alternation (d|h|m|s|ms) matches m before ms. And nothing refuses garbage: matchAll skips what it does not know. Two bugs, both mine.");
  s.does(
    "Two bugs, both mine: the alternation tries `m` before `ms`, so 250ms becomes 250 minutes; and `matchAll` silently skips what it doesn't understand, so `5 parsecs` or `1h30` pass. First the order.",
    edit("src/core/duration.ts", "(d|h|m|s|ms)/g", "(ms|d|h|m|s)/g"),
  );
  s.does("", bash("npx vitest run test/core/duration.test.ts 2>&1 | grep -E '✓|×|Tests'"));
  s.does(
    "Now the second: the parts must stand one after another and cover the whole text, so a sticky pattern instead of a searching one.",
    edit("src/core/duration.ts", "const PART = /(\\d+(?:\\.\\d+)?)\\s*(ms|d|h|m|s)/g;", "const PART = /(\\d+(?:\\.\\d+)?)(ms|d|h|m|s)/y;"),
    edit("src/core/duration.ts", "  let sum = 0;\n  for (const [, digits, unit] of text.matchAll(PART)) sum += Number(digits) * UNITS[unit as keyof typeof UNITS];\n  return sum;", "  let sum = 0;\n  PART.lastIndex = 0;\n  for (let at = 0; at < text.length; at = PART.lastIndex) {\n    const part = PART.exec(text);\n    if (!part) throw new TypeError(`\"${text}\" is no duration.`);\n    sum += Number(part[1]) * UNITS[part[2] as keyof typeof UNITS];\n  }\n  return sum;"),
  );
  s.does("", bash("npx vitest run test/core/duration.test.ts 2>&1 | grep -E '✓|×|Tests|Error'"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.does("The empty text still passes, as 0. That has to be refused as well.", edit("src/core/duration.ts", "  let sum = 0;\n", "  if (text === \"\") throw new TypeError(\"The empty text is no duration.\");\n  let sum = 0;\n"));
  s.does("", bash("npx vitest run test/core/duration.test.ts"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.says("Done: 5 tests pass, no type errors in the module. `parseDuration` reads `d h m s ms`, several in a row, with fractions; everything else is refused. The two bugs were the order of `m|ms` and parts that were skipped silently.");
}
