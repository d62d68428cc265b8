import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../../src/core/context/projection.ts";
import { extractSummary } from "../../../src/core/extract/extract.ts";
import { SECTIONS } from "../../../src/core/extract/sections.ts";
import { counter, idsIn, says, summarise, tool, under, user, work } from "./made.ts";

const headings = (text: string) => text.split("\n").flatMap((line) => /^#{2,3} (.+)$/.exec(line)?.[1] ?? []);

describe("extractSummary", () => {
  it("[M9] prints the nine sections in order", () => {
    expect(headings(summarise(work(5)).text)).toEqual([...SECTIONS]);
  });

  it.each([500, 2000, 16_000])("[M9] stays within %i tokens", (maxTokens) => {
    const messages = [user("big", "Please rewrite the parser.\n".repeat(2000)), ...work(200)];
    const { text } = summarise(messages, { maxTokens });
    expect(counter.count(text)).toBeLessThanOrEqual(maxTokens);
    expect(counter.count(text)).toBeGreaterThan(maxTokens * 0.6);
    expect(text).toContain("## Goal");
  });

  it.each([
    ["/home/me/app", "/home/me/app/src/store.ts", "src/store.ts"],
    ["/home/me/app/", "/home/me/app/src/store.ts", "src/store.ts"],
    ["C:\\work\\app", "C:\\work\\app\\src\\store.ts", "src\\store.ts"],
    ["/home/me/app", "/home/me/app/README.md", "/home/me/app/README.md"],
    ["/home/me/app", "/home/me/apple/src/store.ts", "/home/me/apple/src/store.ts"],
    ["", "/home/me/app/src/store.ts", "/home/me/app/src/store.ts"],
  ])("[M9] from working folder %j the file %j is told as %j", (cwd, path, told) => {
    const { text } = summarise(
      [user("u", "Go."), ...tool("w", "write", { path, content: "export const a = 1;" }, "ok")],
      {
        cwd,
      },
    );
    expect(text).toContain(`- Modified ${told} [#wr]`);
    expect(text.includes("relative to the working folder")).toBe(told !== path);
  });

  it("[M9] names the working folder where the conversation does", () => {
    const wrote = tool("w", "write", { path: "/home/me/app/src/a.ts", content: "" }, "ok");
    const ran = tool("r", "bash", { command: "cd /home/me/app && ls" }, "src");
    const cwd = "/home/me/app";
    expect(summarise(wrote, { cwd }).text).toContain("- Paths are relative to the working folder.\n");
    expect(summarise([...wrote, ...ran], { cwd }).text).toContain(
      "- Paths are relative to the working folder /home/me/app\n",
    );
  });

  it("[M9] lists what is open in the list of tasks that was touched last, as it stands now", () => {
    const list = ["# Plan", "## Parser", "- [x] read", "- [ ] write", "## Printer", "- [ ] colours"].join("\n");
    const form = tool("f", "read", { path: "FORM.md" }, "- [ ] I have read the rules");
    const first = [...tool("w", "write", { path: "PLAN.md", content: list }, "ok"), ...form];
    const next = (text: string) => under(text, "Next Steps");
    expect(next(summarise(first).text)).toContain(
      "- Open in PLAN.md [#wr], Parser:\n  write\n- Open in PLAN.md [#wr], Printer:\n  colours",
    );
    const ticks = tool("e", "edit", { path: "PLAN.md", oldText: "- [ ] write", newText: "- [x] write" }, "ok");
    expect(next(summarise([...first, ...ticks]).text)).toMatch(/^- Open in PLAN\.md \[#er\], Printer:\n {2}colours\n$/);
    expect(next(summarise(form).text)).toBe("(none)\n");
  });

  it("[M9] gives the same bytes for the same input", () => {
    expect(summarise(work(60))).toEqual(summarise(work(60)));
  });

  it("[M9] quotes the newest request in full, earlier ones in order", () => {
    const long = `Please do all of this:\n${Array.from({ length: 40 }, (_, i) => `- step ${i} of the plan`).join("\n")}`;
    const goal = under(
      summarise([user("a", "First, look at the tests."), user("b", "Then fix src/x.ts."), user("c", long)]).text,
      "Goal",
    );
    for (let i = 0; i < 40; i++) expect(goal).toContain(`> - step ${i} of the plan`);
    expect(goal.indexOf("First, look")).toBeLessThan(goal.indexOf("Then fix"));
    expect(goal.indexOf("Then fix")).toBeLessThan(goal.indexOf("step 0"));
    expect(idsIn(goal)).toEqual(["a", "b", "c"]);
  });

  it("[M9] cites only entries of its input", () => {
    const messages = work(40);
    const known = new Set(messages.map(({ entryId }) => entryId));
    const ids = idsIn(summarise([...messages, user("z", "See [#deadbeef] and [#123](http://x.test).")]).text);
    expect(ids.length).toBeGreaterThan(20);
    for (const id of ids) expect(known.has(id) || id === "z").toBe(true);
  });

  it("[M9] lists the wishes of a request too long to be quoted whole", () => {
    const long = `${"Here is some background on the parser and its long history. ".repeat(150)}\nThe tool should install hooks.\n${"More background on the printer. ".repeat(150)}`;
    const { text } = summarise([user("u", long), says("s", "Understood.")], { maxTokens: 1500 });
    expect(under(text, "Constraints & Preferences")).toContain('"The tool should install hooks." [#u]');
  });

  it("[M9] quotes the lines of a changed file as they stand now, and cites the change", () => {
    const file = ["export function open() {", "  return readAll(path);", "}"].join("\n");
    const { text } = summarise([
      user("u", "Read lazily."),
      ...tool("r", "read", { path: "src/store.ts" }, file),
      ...tool("e", "edit", { path: "src/store.ts", oldText: "readAll(path)", newText: "readLazily(path)" }, "ok"),
    ]);
    expect(under(text, "Critical Context")).toContain(
      "- src/store.ts [#er]:\n  ```\n  export function open() {\n    return readLazily(path);\n  }\n  ```",
    );
    expect(text).not.toMatch(/^ +readAll\(path\)$/m);
  });

  it("[M9] repeats no lines that stay visible after the cut", () => {
    const file = Array.from({ length: 12 }, (_, i) => `const option${i} = readOption("name${i}");`).join("\n");
    const read = tool("r", "read", { path: "src/options.ts" }, file);
    const again = tool("k", "read", { path: "src/options.ts" }, file);
    const { text } = summarise([user("u", "Look at the options."), ...read], { kept: again });
    expect(text).not.toContain("```");
  });

  it("[M9] says in the assistant's words what was done to a file", () => {
    const { text } = summarise([
      user("u", "Make it lazy."),
      {
        entryId: "e",
        message: {
          role: "assistant",
          content: [
            { type: "text", text: "The store must not read everything at once:" },
            {
              type: "toolCall",
              id: "c",
              name: "edit",
              arguments: { path: "src/s.ts", oldText: "a", newText: "openLazily" },
            },
          ],
        },
      } as unknown as ContextMessage,
      {
        entryId: "er",
        message: { role: "toolResult", toolCallId: "c", toolName: "edit", content: [{ type: "text", text: "ok" }] },
      } as unknown as ContextMessage,
    ]);
    expect(under(text, "Done")).toContain(
      '- Modified src/s.ts — "The store must not read everything at once": openLazily [#er]',
    );
  });

  it("[M9] keeps a ledger of changed files with the names they are about", () => {
    const done = under(
      summarise([
        user("u", "Rename it."),
        ...tool("e1", "edit", { path: "src/store.ts", oldText: "openFile(", newText: "openStore(" }, "ok"),
        ...tool("e2", "edit", { path: "src/store.ts", oldText: "closeFile(", newText: "closeStore(" }, "ok"),
        ...tool("e3", "edit", { path: "src/lost.ts", oldText: "a", newText: "b" }, "oldText not found", true),
      ]).text,
      "Done",
    );
    expect(done).toMatch(/- Modified ×2 src\/store\.ts: .*openStore.*\[#e2r\]/);
    expect(done).not.toContain("src/lost.ts");
  });

  it("[M9] tells a failure that was cured from one that is open", () => {
    const { text } = summarise([
      user("u", "Make it green."),
      ...tool("a", "bash", { command: "npm test" }, "TypeError: x is undefined\n1 failed", true),
      ...tool("b", "bash", { command: "npm run lint" }, "error: unused variable\nexit code 1", true),
      ...tool("c", "bash", { command: "npm test" }, "Tests  12 passed"),
    ]);
    expect(under(text, "Done")).toMatch(
      /`npm test` failed \(TypeError: x is undefined\), then passed: Tests 12 passed \[#cr\]/,
    );
    expect(under(text, "Blocked")).toMatch(/`npm run lint` failed: error: unused variable \[#br\]/);
    expect(under(text, "Blocked")).not.toContain("npm test");
  });

  it("[M9] takes next steps from the plan and the question nobody answered", () => {
    const todos = [
      { content: "write the parser", status: "completed" },
      { content: "write the printer", status: "in_progress" },
      { content: "write the docs", status: "pending" },
    ];
    const { text } = summarise([
      user("u", "Go on."),
      ...tool("t", "TodoWrite", { todos }, "ok"),
      says("s", "The parser stands.\n\nShall I run the migration now?"),
    ]);
    expect(under(text, "In Progress")).toContain("write the printer");
    expect(under(text, "Next Steps")).toContain("write the docs");
    expect(under(text, "Next Steps")).toContain('"Shall I run the migration now?" [#s]');
  });

  it("[M9] drops chatter and keeps what is said with it", () => {
    const { text } = summarise([
      user("u", "Why does it crash?"),
      says("s", "Great! Let me look at that. The root cause is a stale handle in src/pool.ts:41."),
    ]);
    expect(under(text, "Key Decisions")).toContain("The root cause is a stale handle in src/pool.ts:41. [#s]");
    expect(text).not.toMatch(/Great!|Let me/);
  });

  it("[M9] counts tokens of what it prints, not of the session: twice the text costs the counter no more", () => {
    let asked = 0;
    const counting = {
      name: "counting",
      count(text: string) {
        asked += text.length;
        return counter.count(text);
      },
    };
    const cost = (turns: number) => {
      asked = 0;
      extractSummary({ kind: "history", messages: work(turns), maxTokens: 4000 }, { counter: counting });
      return asked;
    };
    expect(cost(800)).toBeLessThan(cost(400) * 1.3);
  });

  it("[M9] reads a line of five million characters", () => {
    const line = "var a=function(b){return b.c};".repeat(170_000);
    const { text } = summarise([
      user("u", "Minify it."),
      ...tool("t", "bash", { command: "cat a.min.js" }, line),
      says("s", line),
    ]);
    expect(counter.count(text)).toBeLessThanOrEqual(4000);
  });

  it("[M9] makes the early part of a split turn and a line for a list from the same parts", () => {
    const prefix = summarise(work(3), { kind: "turn-prefix" });
    expect(headings(prefix.text)).toEqual(["Original Request", "Early Progress", "Context for Suffix"]);
    expect(Object.keys(prefix.details)).toEqual(["espalierPrefix"]);
    const short = summarise(work(3), { kind: "short", maxTokens: 100 });
    expect(short.text).toBe(
      '"Now extend part 2 by an option maxSize2 and tell me when it works." Changed 3 files: part0.ts, part1.ts, part2.ts.',
    );
  });

  it("[M9] never throws, whatever the messages hold, and stays within the budget", () => {
    const odd = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
    const text = fc.string({ unit: "binary", maxLength: 200 });
    const block = fc.oneof(
      odd,
      fc.record({ type: fc.constant("text"), text: fc.oneof(text, odd) }),
      fc.record({
        type: fc.constant("toolCall"),
        id: fc.oneof(text, odd),
        name: fc.oneof(fc.constant("edit"), fc.constant("bash"), odd),
        arguments: fc.oneof(odd, fc.dictionary(fc.constantFrom("path", "command", "edits", "todos"), odd)),
      }),
    );
    const message = fc.record({
      role: fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "other"),
      content: fc.oneof(odd, text, fc.array(block, { maxLength: 4 })),
      summary: fc.oneof(odd, text),
      command: fc.oneof(odd, text),
      output: fc.oneof(odd, text),
      toolCallId: fc.oneof(odd, text),
      isError: odd,
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        text,
        odd,
        fc.integer({ min: 1, max: 900 }),
        (list, summary, details, maxTokens) => {
          const messages = list.map((item, i) => ({ entryId: `e${i}`, message: item }) as unknown as ContextMessage);
          const previous = { summary, details: { espalierState: details } };
          const { text: out } = summarise(messages, { maxTokens, previous });
          if (messages.length > 0) expect(counter.count(out)).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { numRuns: 300 },
    );
  });
});
