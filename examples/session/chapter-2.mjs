import { bash, edit, grep, read, write } from "./recorder.mjs";

const PROPERTY = `import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/core/duration.ts";

const unit = fc.constantFrom(["ms", 1], ["s", 1_000], ["m", 60_000], ["h", 3_600_000]) as fc.Arbitrary<[string, number]>;

describe("durations, whatever the numbers", () => {
  it("[E1] gives whole milliseconds for up to three decimals of a second", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(999), (whole, thousandths) => {
        const text = \`\${whole}.\${String(thousandths).padStart(3, "0")}s\`;
        expect(parseDuration(text)).toBe(whole * 1_000 + thousandths);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
  it("[E1] adds parts exactly", () => {
    fc.assert(
      fc.property(fc.nat(500), unit, fc.nat(500), unit, (a, [nameA, msA], b, [nameB, msB]) => {
        expect(parseDuration(\`\${a}\${nameA}\${b}\${nameB}\`)).toBe(a * msA + b * msB);
      }),
      { seed: 7 },
    );
  });
});
`;

const EXACT = `import { EspalierError } from "../errors.ts";

/** Milliseconds of each unit, largest first. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const PART = /^(\\d+)(?:\\.(\\d+))?(ms|d|h|m|s)/;

const ALLOWED = "a number with a unit (d, h, m, s, ms), or several such as 1h30m";

/**
 * Milliseconds of a duration such as \`1h30m\`, \`2.5s\` or \`250ms\` [E1].
 *
 * A bare number counts as milliseconds. Fractions are computed on their digits, and what is finer than a millisecond is
 * refused: a setting that can't be held exactly is better told than rounded.
 * Throws \`DURATION_INVALID\` with \`data.value\` and \`data.allowed\`.
 */
export function parseDuration(text: string): number {
  if (/^\\d+$/.test(text)) return Number(text);
  let rest = text;
  let sum = 0;
  do {
    const part = PART.exec(rest);
    const ms = part && msOf(part[1] ?? "", part[2] ?? "", UNITS[part[3] as keyof typeof UNITS]);
    if (!part || ms === null) throw invalid(text);
    sum += ms;
    rest = rest.slice(part[0].length);
  } while (rest !== "");
  return sum;
}

/** Null when the fraction is finer than a millisecond. */
function msOf(whole: string, fraction: string, unit: number): number | null {
  const scale = 10 ** fraction.length;
  const scaled = Number(whole + fraction) * unit;
  return scaled % scale === 0 ? scaled / scale : null;
}

function invalid(value: string): EspalierError {
  const message = \`"\${value}" is no duration; write \${ALLOWED}.\`;
  return new EspalierError("DURATION_INVALID" as never, message, { value, allowed: ALLOWED });
}
`;

/** Units and fractions: a change of mind, a property that finds a rounding fault, and its repair. */
export function findTheFault(s) {
  s.user("Thinking again about bare numbers: I said seconds, but SPEC.md says times in milliseconds, and today's 30000 would turn into eight hours. So a bare number is MILLISECONDS. Existing files must keep their meaning.");
  s.does("Right: `30000` has to stay thirty seconds. Test first.", edit("test/core/duration.test.ts", "  it(\"[E1] reads fractions\"", "  it(\"[E1] takes a bare number for milliseconds, as files have it today\", () => expect(parseDuration(\"30000\")).toBe(30_000));\n  it(\"[E1] reads fractions\""));
  s.does("", bash("npx vitest run test/core/duration.test.ts"));
  s.does("It fails for the right reason: expected 30000, received 30000000. Now the code.", edit("src/core/duration.ts", "if (/^\\d+(\\.\\d+)?$/.test(text)) return Number(text) * 1_000;", "if (/^\\d+$/.test(text)) return Number(text);"), edit("src/core/duration.ts", "A bare number counts as seconds.", "A bare number counts as milliseconds."));
  s.does("", bash("npx vitest run test/core/duration.test.ts 2>&1 | grep -E '✓|×|Tests|Error'"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.says("A bare number is milliseconds now; `30000` keeps its meaning. A bare fraction such as `2.5` is refused, since half a millisecond means nothing. 6 tests pass, types are clean.");
  s.user("Good. Now I don't trust the fractions. Write a property test with fast-check (we have it already, so that is no new dependency): three decimals of a second must give whole milliseconds, always.");
  s.does("Where do property tests live, and how are they written here?", grep("fc\\.assert", "test", "*.ts"), bash("ls test/properties 2>/dev/null || echo 'no test/properties yet'"), bash("node -p \"require('./package.json').devDependencies['fast-check']\""));
  s.does("", write("test/properties/duration.test.ts", PROPERTY));
  s.does("", bash("npx vitest run test/properties/duration.test.ts 2>&1 | head -60"));
  s.think("Counterexample from floating point: n * 1000 on a binary fraction. Confirm by hand, and see how common it is.");
  s.does("You were right not to trust them. Let me see how common that is.", bash("node -e 'let bad = 0, first; for (let i = 0; i < 10000; i++) { const v = Number((i / 1000).toFixed(3)) * 1000; if (v !== i) { bad++; first ??= [(i / 1000).toFixed(3), v]; } } console.log(bad, \"of 10000 are wrong; the first:\", first)'"));
  s.does("Which ways out are there? Rounding hides it for milliseconds, but not for what is finer; let me compare.", bash("node -e 'for (const [text, unit] of [[\"1.005\", 1000], [\"0.0005\", 1000], [\"0.1\", 3600000], [\"4.35\", 60000]]) console.log(text, unit, Number(text) * unit, Math.round(Number(text) * unit))'"));
  s.says("It is floating point: `1.005 * 1000` is 1004.9999999999999. Two ways:\n\n1. `Math.round`: one call, but `0.0005s` becomes 1 ms without a word.\n2. Compute on the digits: `1.005s` is 1005 × 1000 / 1000, exact, and what is finer than a millisecond can be refused.\n\nI'd take 2: a setting that can't be held exactly is better told than rounded.");
  s.user("2. And while you are there: errors must be EspalierError with a code, value and what is allowed, as in settings.ts. I don't want TypeErrors for user input.");
  s.does("Reading how codes are declared, and the check in settings again.", grep("ErrorCode|EspalierError\\(", "src", "*.ts"), read("src/errors.ts"));
  s.does("", write("src/core/duration.ts", EXACT));
  s.does("", bash("npx vitest run test/core/duration.test.ts test/properties/duration.test.ts"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.does("All green. I used a cast for the code, `\"DURATION_INVALID\" as never`, which is ugly; the list of codes is in errors.ts. Where do I add it?", grep("SETTING_INVALID", "src", "*.ts"), grep("SETTING_INVALID", "test", "*.ts"));
  s.says("Everything passes with arithmetic on digits: 6 unit tests and 2 properties (2,000 runs). One thing is left: the code `DURATION_INVALID` is cast, because codes are a closed list in src/errors.ts and you have not said that I may touch that file. May I?");
  s.user("No new code please. Use SETTING_INVALID: for the user it is the same fault. No casts in core, ever.");
  s.does("", edit("src/core/duration.ts", "new EspalierError(\"DURATION_INVALID\" as never, message, { value, allowed: ALLOWED })", "new EspalierError(\"SETTING_INVALID\", message, { value, allowed: ALLOWED })"), edit("src/core/duration.ts", "Throws `DURATION_INVALID` with", "Throws `SETTING_INVALID` with"));
  s.does("", bash("grep -nE ' as [a-z]' src/core/duration.ts"), bash("npx vitest run test/core/duration.test.ts test/properties/duration.test.ts 2>&1 | grep -E '✓|×|Tests'"));
  s.think("One cast is left: part[3] as keyof typeof UNITS. A Map or a lookup with hasOwn would need a check; a Map<string, number> with get and undefined check has no cast.");
  s.does("One cast is left, `part[3] as keyof typeof UNITS`. A Map has none.", edit("src/core/duration.ts", "const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;", "const UNITS = new Map([\n  [\"d\", 86_400_000],\n  [\"h\", 3_600_000],\n  [\"m\", 60_000],\n  [\"s\", 1_000],\n  [\"ms\", 1],\n]);"), edit("src/core/duration.ts", "UNITS[part[3] as keyof typeof UNITS]", "UNITS.get(part[3] ?? \"\") ?? 0"));
  s.does("", bash("npx vitest run test/core/duration.test.ts test/properties/duration.test.ts"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"), bash("npx biome check --colors=off src/core/duration.ts test/core/duration.test.ts test/properties/duration.test.ts"));
  s.does("Only the formatter has wishes. Applying them.", bash("npx biome check --write --colors=off src/core/duration.ts test/core/duration.test.ts test/properties/duration.test.ts"), bash("git status --short"));
  const exact = s.says("`SETTING_INVALID`, no casts, formatted; 8 tests pass and the type checker is clean.");
  s.entry({ type: "label", targetId: exact, label: "exact arithmetic" });
  s.entry({ type: "custom", customType: "todo", data: { open: ["formatDuration", "unicode input", "cost on long input", "settings kind"], done: ["parseDuration"] } });
}

/** Reports from elsewhere: text in other scripts, an overloaded provider, another model. */
export function otherScripts(s) {
  s.user("A colleague in Osaka tried the branch and wrote this:\n\n> 設定ファイルに「３０ｓ」と書いたらエラーになりました。全角数字は使えませんか？あと「250µs」も試しましたが駄目でした。\n\nWhat do we do with full-width digits and with µs?");
  s.fails("529 overloaded_error: Overloaded");
  s.fails("529 overloaded_error: Overloaded");
  s.changeModel("author-2");
  s.entry({ type: "thinking_level_change", thinkingLevel: "high" });
  s.user("The provider is down, I changed the model. Please answer the question about ３０ｓ and µs.");
  s.think("Full-width digits: NFKC maps ３０ｓ to 30s. µ: two code points, U+00B5 micro sign and U+03BC Greek mu; NFKC maps U+00B5 to U+03BC. Microseconds are finer than a millisecond, so only multiples of 1000 would be accepted. Check facts.");
  s.does("Checking what Unicode says about these before I suggest anything.", bash("node -e 'for (const t of [\"３０ｓ\", \"250µs\", \"250μs\", \"１ｈ３０ｍ\", \"٣٠s\", \"30\\u00a0s\"]) console.log(JSON.stringify(t), [...t].map((c) => \"U+\" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, \"0\")).join(\" \"), \"NFKC:\", JSON.stringify(t.normalize(\"NFKC\")))'"), bash("node -e 'console.log(/^\\d+$/.test(\"３０\"), /^\\d+$/u.test(\"３０\"), /^\\p{Nd}+$/u.test(\"３０\"), Number(\"３０\"))'"));
  s.says("- 「３０ｓ」: NFKC maps the full-width forms to `30s`, so one `normalize(\"NFKC\")` at the start makes it work. It is pure and in the language, no dependency.\n- `µs`: there are two of them, U+00B5 and U+03BC, and microseconds are finer than anything we hold. I would refuse them, with the message saying which units there are.\n- Arabic digits (٣٠) stay refused: NFKC leaves them, and I would not guess.");
  s.user("Agreed on all three: normalise with NFKC, refuse µs, no guessing. Add tests with exactly the colleague's inputs.");
  s.does("", edit("test/core/duration.test.ts", "  it(\"[E1] refuses what is no duration\"", "  it(\"[E1] reads full-width forms\", () => {\n    expect(parseDuration(\"３０ｓ\")).toBe(30_000);\n    expect(parseDuration(\"１ｈ３０ｍ\")).toBe(5_400_000);\n  });\n  it(\"[E1] refuses microseconds and digits it would have to guess\", () => {\n    for (const text of [\"250µs\", \"250μs\", \"٣٠s\"]) expect(() => parseDuration(text)).toThrow(/write a number with a unit/);\n  });\n  it(\"[E1] refuses what is no duration\""));
  s.does("", bash("npx vitest run test/core/duration.test.ts"));
  s.does("", edit("src/core/duration.ts", "  let rest = text;", "  let rest = text.normalize(\"NFKC\");"));
  s.does("", bash("npx vitest run test/core/duration.test.ts 2>&1 | grep -E '✓|×|Tests'"));
  s.think("A bare full-width number ３００００ is checked before normalising. It should be the same as 30000. Check.");
  s.does("One more of the kind: a bare full-width number is looked at before it is normalised.", bash("cat > probe.test.ts <<'END'\nEND\nrm probe.test.ts; sed -n 20,45p src/core/duration.ts"));
  s.does("", edit("src/core/duration.ts", "  if (/^\\d+$/.test(text)) return Number(text);\n  let rest = text.normalize(\"NFKC\");", "  let rest = text.normalize(\"NFKC\");\n  if (/^\\d+$/.test(rest)) return Number(rest);"), edit("test/core/duration.test.ts", "    expect(parseDuration(\"１ｈ３０ｍ\")).toBe(5_400_000);", "    expect(parseDuration(\"１ｈ３０ｍ\")).toBe(5_400_000);\n    expect(parseDuration(\"３００００\")).toBe(30_000);"));
  s.does("", bash("npx vitest run test/core/duration.test.ts test/properties/duration.test.ts"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.says("Done, with the colleague's inputs as tests: 「３０ｓ」 is 30,000; `250µs` (both code points) and `٣٠s` are refused with the list of units. 10 tests pass, types are clean.");
  s.entry({ type: "custom_message", customType: "reminder", content: "Reminder from the time extension: this session is open for two hours.", display: true });
}
