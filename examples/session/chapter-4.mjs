import { bash, edit, grep, read, write } from "./recorder.mjs";

const NOTE = `# Durations

A duration in a settings file is a number of milliseconds, or a text such as \`30s\`, \`1h30m\` or \`2.5s\`.

- Units are d, h, m, s and ms, each at most once, larger ones first.
- Full-width forms are read (３０ｓ). Microseconds and other digits are refused.
- Fractions must come to whole milliseconds: \`1.005s\` is 1005 ms, \`0.0005s\` is refused.

\`parseDuration\` gives milliseconds, \`formatDuration\` the shortest text that reads back as the same number.
`;

/** A survey of the code, for the page that explains how a setting travels. */
export function survey(s, files) {
  s.user("Before we commit: write docs/durations.md, one page. For that, read how a setting travels from the file to the place that uses it, through the whole code; I want the page to be true. Tell me also whether any other place reads or prints times, so that formatDuration is used where it should be.");
  s.does("First everything that mentions times or timeouts, then the modules on the way.", grep("timestamp|Date\\.|now\\(\\)", "src", "*.ts"), grep("resolveSettings|SettingsLayer|settings\\[", "src", "*.ts"));
  for (const [why, ...paths] of files) s.does(why, ...paths.map((path) => read(path)));
  s.think("Timestamps in entries are ISO texts, clock.now() is ms since the epoch: points in time, no spans. So formatDuration has no user yet except help. Say so.");
  s.says("What I found: all times in the code are points in time (ISO texts in entries, `clock.now()` in milliseconds since the epoch), none is a span. So `formatDuration` has no caller before `hooks.timeout` arrives, and neither has `parseDuration`. A setting travels: file → layer → `resolveSettings` (checked, origin noted) → flat `Settings` in the session → the functions that take what they need from it.");
  s.user("Then the page should not claim more than the two functions. Keep it short.");
  s.does("", write("docs/durations.md", NOTE), bash("ls docs"));
  s.does("Checking every claim of the page against the code, not from memory.", write("claims.test.ts", `import { expect, it } from "vitest";
import { formatDuration, parseDuration } from "./src/core/duration.ts";

it("is true", () => {
  expect(["30000", "30s", "1h30m", "2.5s", "３０ｓ", "1.005s"].map(parseDuration)).toEqual([30_000, 30_000, 5_400_000, 2_500, 30_000, 1_005]);
  for (const text of ["1m1m", "30m1h", "250µs", "٣٠s", "0.0005s"]) expect(() => parseDuration(text)).toThrow(/is no duration/);
  expect(formatDuration(parseDuration("90m"))).toBe("1h30m");
});
`), bash("npx vitest run --dir . claims.test.ts 2>&1 | tail -12"));
  s.does("The configuration only includes test/**; moving the probe there for a moment.", bash("sed -i 's#./src/#../src/#' claims.test.ts && mv claims.test.ts test/claims.test.ts && npx vitest run test/claims.test.ts; rm test/claims.test.ts"));
  s.says("Each sentence of docs/durations.md was checked by running it; the probe is deleted again.");
}

/** Review, a last fault, the commit, and what stays open. */
export function reviewAndCommit(s) {
  s.user("Now review your own change as if somebody else had written it. Be hard.");
  s.does("", bash("cat src/core/duration.ts"), bash("cat test/core/duration.test.ts test/properties/duration.test.ts"), bash("npx vitest run test/architecture.test.ts"));
  s.does(
    "The architecture test fails: a file directly in core is a room of its own, and this one has no rule. A rule of one line; it may import errors, nothing else.",
    edit("test/architecture.test.ts", '  "core/settings": ["errors"],\n', '  "core/duration": ["errors"],\n  "core/settings": ["errors"],\n'),
    bash("npx vitest run test/architecture.test.ts 2>&1 | grep -E '✓|×|Tests'"),
  );
  s.think("Findings: (1) module-level sticky regex holds state in lastIndex: a throw leaves lastIndex, but it is reset at entry; fine but fragile. (2) Number(whole+fraction)*unit may exceed 2^53: 9007199254740993ms -> inexact. Should refuse unsafe integers. (3) '5.s'? regex refuses. (4) scale 10**n with 400 digits -> Infinity: scaled % Infinity... Number of 400 digits = Infinity; Infinity % Infinity = NaN !== 0 → null → refused. OK. (5) bare number over 2^53. Test it.");
  s.does("Two suspicions: numbers beyond 2⁵³, and fractions with hundreds of digits.", write("test/core/probe.test.ts", `import { it } from "vitest";
import { parseDuration } from "../../src/core/duration.ts";

it("probe", () => {
  for (const text of ["9007199254740993", "9007199254740993ms", "999999999999999d", "0." + "0".repeat(400) + "s", "1." + "0".repeat(30) + "s"]) {
    try {
      console.log(text.slice(0, 24), "→", parseDuration(text));
    } catch (error) {
      console.log(text.slice(0, 24), "→ refused:", String(error).slice(0, 60));
    }
  }
});
`), bash("npx vitest run test/core/probe.test.ts 2>&1 | grep '→'"));
  s.does(
    "The first suspicion is right: 9007199254740993 silently becomes …992. That is the same fault as with fractions, at the other end. Tests, then the code.",
    edit("test/core/duration.test.ts", "  it(\"[E1] refuses what is no duration\"", "  it(\"[E1] refuses what can't be held exactly\", () => {\n    for (const text of [\"9007199254740993\", \"9007199254740993ms\", \"999999999999999d\"]) expect(() => parseDuration(text)).toThrow();\n  });\n  it(\"[E1] refuses what is no duration\""),
    bash("rm test/core/probe.test.ts; npx vitest run test/core/duration.test.ts 2>&1 | grep -E '✓|×|Tests'"),
  );
  s.does(
    "",
    edit("src/core/duration.ts", "  if (/^\\d+$/.test(plain)) return Number(plain);", "  if (/^\\d+$/.test(plain)) return exact(Number(plain), text);"),
    edit("src/core/duration.ts", "  return sum;\n}", "  return exact(sum, text);\n}\n\nfunction exact(ms: number, text: string): number {\n  if (!Number.isSafeInteger(ms)) throw invalid(text);\n  return ms;\n}"),
  );
  s.does("", bash("npx vitest run test/core/duration.test.ts test/properties/duration.test.ts"), bash("npx tsc $STRICT src/core/duration.ts && echo 'no type errors'"));
  s.does("`999999999999999d` scales before it is checked: the product is beyond 2⁵³ and only happens to be refused. And `1.000…s` with thirty zeros?", bash("node -e 'console.log(Number(\"1\" + \"0\".repeat(30)) * 1000 % 10 ** 30, 9007199254740993 * 1 % 10)'"), bash("grep -n 'scaled' src/core/duration.ts"));
  s.says("My review:\n\n1. Fixed: a file in core needs its line in the architecture test; it has one now.\n2. Fixed: numbers beyond 2⁵³ were rounded silently; they are refused now, with tests.\n3. The sticky pattern at module level keeps `lastIndex`; it is reset at each call, so it is right, but a reader has to see that. I'd leave it.\n4. `1.000…s` with thirty zeros is refused although it is exactly one second: the digits leave what can be held. It errs on the safe side and nobody writes it; I'd leave it.\n5. The name `exact` is fine, `invalid` too. No file is over 90 lines.\n\nNothing else. Ready to commit.");
  s.user("Commit it, one commit, imperative message. Don't push.");
  s.does("", bash("npx biome check --write --colors=off src/core/duration.ts test/core/duration.test.ts test/properties/duration.test.ts && git add test/architecture.test.ts src/core/duration.ts test/core/duration.test.ts test/properties/duration.test.ts docs/durations.md && git commit -q -m 'Read and write durations' && git log --oneline | head -3"), bash("git status --short"), bash("git show --stat HEAD | tail -6"));
  const done = s.says("Committed as one commit, 'Read and write durations', not pushed. The tree is clean.");
  s.entry({ type: "label", targetId: done, label: "committed" });
  s.userRuns("git show HEAD:src/core/duration.ts | head -30", { excludeFromContext: true });
  s.user("Last thing for today: CHANGELOG.md gets a line under [Unreleased], \"Added\". Wording: what a user can do now, nothing about internals. And then tell me what stays open.");
  s.does("", bash("head -20 CHANGELOG.md"), grep("duration", "README.md"));
  s.think("A user can do nothing new yet: the functions aren't exported from index and no setting uses them. So an honest changelog has no line yet. Say so instead of writing something untrue.");
  s.says("I'd rather not write that line yet: a user can do nothing new. The module is not exported from the package and no setting uses it, so anything under \"Added\" would be untrue today. The line belongs to the change that adds the row `hooks.timeout`.\n\nOpen:\n\n- kind `duration` in the settings table, with `hooks.timeout` as its first row; `resolveSettings` then converts to milliseconds\n- the line in CHANGELOG.md, with that change\n- knip will report `formatDuration` as unused until then\n- nothing is pushed");
  s.user("You are right, leave it. Tomorrow: do the hooks.timeout row first, then the changelog. Same rules: no dependency, no casts in core, type checker before you say it works.");
  s.does("Noted. So that tomorrow starts from facts, the state as it is now:", bash("git status --short; git log --oneline -1; npx vitest run test/core/duration.test.ts test/properties/duration.test.ts 2>&1 | grep -E 'Tests|Test Files'"));
  s.says("Clean tree, everything committed, all duration tests green. Tomorrow: row `hooks.timeout` (kind `duration`, default 30s, converted by `resolveSettings`), then the line in CHANGELOG.md.");
}
