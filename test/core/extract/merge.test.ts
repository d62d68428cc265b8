import { describe, expect, it } from "vitest";
import { idsIn, says, summarise, tool, under, user, work } from "./made.ts";

const again = ({ text, details }: ReturnType<typeof summarise>) => ({ previous: { summary: text, details } });

describe("merging a previous summary", () => {
  it("[M9] gives it back as it is when nothing is new", () => {
    const first = summarise(work(10));
    expect(summarise([], again(first))).toEqual(first);
  });

  it("[M9] adds nothing when the same messages come twice", () => {
    const first = summarise(work(10));
    const second = summarise(work(10), again(first));
    expect(new Set(second.text.split("\n"))).toEqual(new Set(first.text.split("\n")));
    expect(second.text.split("\n").length).toBe(first.text.split("\n").length);
  });

  it.each([true, false])(
    "[M9] carries requests and constraints word for word through twenty (state kept: %s)",
    (kept) => {
      let last = summarise([
        user("u", "Port the parser to Rust. Never change the public API. Always run cargo test first."),
      ]);
      for (let i = 0; i < 20; i++) {
        const previous = { summary: last.text, ...(kept ? { details: last.details } : {}) };
        last = summarise(work(4, i * 4), { previous, maxTokens: 3000 });
      }
      expect(under(last.text, "Goal")).toContain("Port the parser to Rust.");
      expect(under(last.text, "Constraints & Preferences")).toContain('"Never change the public API." [#u]');
      expect(under(last.text, "Constraints & Preferences")).toContain('"Always run cargo test first." [#u]');
      expect(under(last.text, "Done")).toContain("src/part79.ts");
    },
  );

  it("[M9] counts a file changed again and replaces a command's result", () => {
    const edit = (id: string) => tool(id, "edit", { path: "src/a.ts", oldText: "x", newText: "openStore()" }, "ok");
    const first = summarise([
      user("u", "Go."),
      ...edit("e1"),
      ...tool("t1", "bash", { command: "make" }, "error: no rule\n", true),
    ]);
    const second = summarise([...edit("e2"), ...tool("t2", "bash", { command: "make" }, "built in 3 s")], again(first));
    expect(under(second.text, "Done")).toMatch(/- Modified ×2 src\/a\.ts.*\[#e2r\]/);
    expect(under(second.text, "Done")).toMatch(/make failed \(error: no rule\), then passed: built in 3 s \[#t2r\]/);
    expect(under(second.text, "Blocked")).toBe("(none)\n");
  });

  it("[M9] cites only entries of the input and of the previous summary", () => {
    const known = new Set([...work(8), ...work(8, 8)].map(({ entryId }) => entryId));
    const { text } = summarise(work(8, 8), again(summarise(work(8))));
    for (const id of idsIn(text)) expect(known).toContain(id);
  });

  it("[M9] takes over a summary of another tool under its sections, prose under Critical Context", () => {
    const summary = [
      "The server listens on port 8123.",
      "",
      "## Goal",
      "Ship the importer",
      "## Key Decisions",
      "- **SQLite**: no server needed",
      "  - file in `var/app.db`",
      "## Next Steps",
      "1. Write the migration",
      "<modified-files>",
      "src/gone.ts",
      "</modified-files>",
    ].join("\n");
    const { text } = summarise(work(2), { previous: { summary, details: { foreign: 1 } } });
    expect(under(text, "Goal")).toContain("- Ship the importer");
    expect(under(text, "Key Decisions")).toContain("- **SQLite**: no server needed\n  - file in `var/app.db`");
    expect(under(text, "Next Steps")).toContain("1. Write the migration");
    expect(under(text, "Critical Context")).toContain("- The server listens on port 8123.");
    expect(text).not.toContain("modified-files");
  });

  it("[M9] keeps what somebody added to the text by hand", () => {
    const first = summarise(work(3));
    const summary = first.text.replace("## Key Decisions", "## Key Decisions\n- We agreed on port 9555 with Ana.");
    const second = summarise([says("s", "The port is set.")], { previous: { summary, details: first.details } });
    expect(under(second.text, "Key Decisions")).toContain("We agreed on port 9555 with Ana.");
  });

  it("[M9] reads back from the text what the state does not hold: facts, and lines of files as they stood", () => {
    const messages = work(20);
    const first = summarise(messages, { maxTokens: 8000 });
    const { files, ...more } = first.details.espalierState as { files: { path: string; changes: number }[] };
    const state = { ...more, facts: [], terms: [], files: files.map(({ path, changes }) => ({ path, changes })) };
    const later = [user("z", "Go on with the printer.")];
    const second = summarise(later, {
      previous: { summary: first.text, details: { espalierState: state } },
      maxTokens: 8000,
    });
    const facts = (text: string) => new Set(under(text, "Critical Context").split("\n"));
    const kept = [...facts(first.text)].filter((line) => facts(second.text).has(line));
    expect(kept.length).toBeGreaterThan(facts(first.text).size * 0.8);
    expect(kept.join("\n")).toContain("return cacheKey19(id);");
  });

  it("[M9] holds the state small", () => {
    let last = summarise(work(50));
    for (let i = 1; i < 12; i++) last = summarise(work(50, i * 50), { ...again(last), maxTokens: 16_000 });
    expect(JSON.stringify(last.details).length).toBeLessThan(36_000);
  });
});
