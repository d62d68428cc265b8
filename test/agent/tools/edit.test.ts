import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../src/agent/tools/files/diff.ts";
import { replaceAll } from "../../../src/agent/tools/files/replacements.ts";
import { folder, text, tools } from "./scratch.ts";

describe("edit", () => {
  it("takes one replacement or several, and tells the diff", async () => {
    const cwd = folder({ a: "one\ntwo\nthree\nfour\n" });
    const { edit } = tools(cwd);
    const result = (await edit?.({
      path: "a",
      edits: [
        { oldText: "four", newText: "4" },
        { oldText: "one", newText: "1" },
      ],
    }))!;
    expect(text(result)).toBe("Edited a: 2 replacements, the first near line 1.");
    expect(result.details.diff).toBe("@@ -1,5 +1,5 @@\n-one\n+1\n two\n three\n-four\n+4\n ");
    await edit?.({ path: "a", oldText: "two", newText: "" });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("1\n\nthree\n4\n");
  });

  it("takes a list sent as JSON, and a single edit without its list", async () => {
    const cwd = folder({ a: "one two" });
    const { edit } = tools(cwd);
    await edit?.({ path: "a", edits: '[{"oldText":"one","newText":"1"}]' });
    await edit?.({ path: "a", edits: { oldText: "two", newText: "2" } });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("1 2");
    await expect(edit?.({ path: "a", edits: "no json" })).rejects.toThrow(/edits are no list/);
    await expect(edit?.({ path: "a" })).rejects.toThrow(/nothing to replace/);
    await expect(edit?.({ path: "a", edits: [{ oldText: "1" }] })).rejects.toThrow(/needs oldText and newText/);
  });

  it("keeps byte order mark, line ends, mode and all that it does not touch", async () => {
    const bytes = "\uFEFFone\r\ntwo\r\nmixed\nthree\r\n";
    const cwd = folder({ a: bytes });
    chmodSync(join(cwd, "a"), 0o750);
    await tools(cwd).edit?.({ path: "a", oldText: "one\ntwo\n", newText: "1\n1b\n2\n" });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("\uFEFF1\r\n1b\r\n2\r\nmixed\nthree\r\n");
    expect(statSync(join(cwd, "a")).mode & 0o777).toBe(0o750);
  });

  it("changes nothing where an edit is not unique, not there, empty, without change, or overlaps", async () => {
    const cwd = folder({ a: "const a = 1;\nconst b = 2;\nconst a = 1;\naaa\n  indented line\n" });
    const { edit } = tools(cwd);
    const fails = (edits: object[], message: string | RegExp) =>
      expect(edit?.({ path: "a", edits })).rejects.toThrow(message);
    await fails([{ oldText: "const a", newText: "x" }], "The oldText stands 2 times in the file; add lines around it");
    await fails([{ oldText: "aa", newText: "x" }], /stands 2 times/);
    await fails([{ oldText: "", newText: "x" }], /oldText is empty/);
    await fails([{ oldText: "const b", newText: "const b" }], /nothing would change/);
    await fails(
      [
        { oldText: "const b", newText: "x" },
        { oldText: "b = 2;", newText: "y" },
      ],
      "Edits 1 and 2 overlap; make one edit of them.",
    );
    await fails(
      [
        { oldText: "const b", newText: "x" },
        { oldText: "zzz", newText: "y" },
      ],
      /oldText of edit 2 is not in the file/,
    );
    await fails([{ oldText: "indented  line", newText: "x" }], /Line 5 comes nearest/);
    await fails([{ oldText: "\tindented line", newText: "x" }], /only the white space differs\): " {2}indented line"/);
    await fails(
      [{ oldText: "const b = 2;\nconst a = 9;", newText: "x" }],
      'Line 3 comes nearest to line 2 of it: "const a = 1;"',
    );
    await fails([{ oldText: "全然違う", newText: "x" }], /read the file and copy the text exactly/);
    expect(readFileSync(join(cwd, "a"), "utf8")).toContain("const b = 2;");
  });

  it("says what can't be edited", async () => {
    const cwd = folder({ latin1: Buffer.from([0x63, 0xe9]), "dir/a": "" });
    const { edit } = tools(cwd);
    const change = { oldText: "c", newText: "d" };
    await expect(edit?.({ path: "latin1", ...change })).rejects.toThrow(/is not UTF-8 text; change it with bash/);
    await expect(edit?.({ path: "none", ...change })).rejects.toThrow(/none does not exist/);
    await expect(edit?.({ path: "dir", ...change })).rejects.toThrow(/no regular file/);
  });

  it("loses none of many edits of one file at once", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `<${at}>`);
    const cwd = folder({ a: names.join("\n") });
    const { edit } = tools(cwd);
    await Promise.all(names.map((name, at) => edit?.({ path: "a", oldText: name, newText: `done ${at}` })));
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe(names.map((_, at) => `done ${at}`).join("\n"));
  });

  it("works on the file as it is when it is allowed", async () => {
    const cwd = folder({ a: "one\n" });
    const ask = async () => {
      writeFileSync(join(cwd, "a"), "zero\none\n");
      return "once" as const;
    };
    await tools(cwd, { ask }).edit?.({ path: "a", oldText: "one", newText: "1" });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("zero\n1\n");
  });
});

describe("replacements", () => {
  it("equal those of plain text, whatever the line ends", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const ending = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 2, maxLength: 12 }),
        ending,
        fc.nat(),
        fc.nat(),
        (words, eol, i, j) => {
          const lines = words.map((each) => `<${each}>`);
          const from = i % lines.length;
          const to = from + (j % (lines.length - from));
          const oldText = lines.slice(from, to + 1).join("\n");
          const expected = [...lines.slice(0, from), "new", "lines", ...lines.slice(to + 1)].join(eol);
          const result = replaceAll(lines.join(eol), [{ oldText, newText: "new\nlines" }]);
          expect(result.replaceAll("\r\n", "\n")).toBe(expected.replaceAll("\r\n", "\n"));
          if (lines.length > 1) expect(result.includes("\r\n")).toBe(eol === "\r\n");
        },
      ),
    );
  });
});

describe("a unified diff", () => {
  /** `before` with the hunks of a diff applied. */
  function applied(before: string, diff: string): string {
    const old = before.split("\n");
    const result: string[] = [];
    let at = 0;
    for (const line of diff === "" ? [] : diff.split("\n")) {
      const start = /^@@ -(\d+)/.exec(line)?.[1];
      if (start !== undefined) {
        result.push(...old.slice(at, Number(start) - 1));
        at = Number(start) - 1;
      } else {
        if (line[0] !== "+") expect(line.slice(1)).toBe(old[at++]);
        if (line[0] !== "-") result.push(line.slice(1));
      }
    }
    return [...result, ...old.slice(at)].join("\n");
  }

  it("gives the new text when it is applied to the old", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 }).map((each) => each.join("\n"));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(applied(before, unifiedDiff(before, after))).toBe(after);
      }),
    );
  });

  it("is bounded, and quick on texts that have nothing in common", () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join("\n");
    const diff = unifiedDiff(many("a"), many("b"));
    expect(diff.split("\n")).toHaveLength(201);
    expect(diff).toMatch(/more lines of the diff left out\]$/);
    expect(unifiedDiff("same", "same")).toBe("");
  });
});
