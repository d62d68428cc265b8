import { describe, expect, it } from "vitest";
import { fileLists, fileOps } from "../../../src/core/plan/files.ts";
import type { CompactionEntry } from "../../../src/core/session/entry.ts";
import { callsTool, compaction, type Draft, message, pathOf, result } from "./entries.ts";

const listsOf = (...drafts: Draft[]) => fileLists(fileOps(pathOf(...drafts)));
const done = (name: string, args: Record<string, unknown>): Draft[] => [callsTool(name, args, "1"), result("1")];

describe("calls", () => {
  it("[F1] reads and modifications by the names and arguments of many agents", () => {
    const reads: [string, Record<string, unknown>][] = [
      ["read", { path: "a" }],
      ["Read", { file_path: "a" }],
      ["read", { filePath: "a" }],
      ["read_file", { target_file: "a" }],
      ["mcp__filesystem__read_text_file", { path: "a" }],
      ["str_replace_editor", { command: "view", path: "a" }],
      ["read_many_files", { paths: ["a"] }],
    ];
    for (const [name, args] of reads) {
      expect(listsOf(...done(name, args)), name).toEqual({ readFiles: ["a"], modifiedFiles: [] });
    }
    const changes: [string, Record<string, unknown>][] = [
      ["write", { path: "a" }],
      ["Edit", { file_path: "a" }],
      ["MultiEdit", { file_path: "a", edits: [{ old_string: "x" }] }],
      ["multi_edit", { edits: [{ path: "a" }] }],
      ["NotebookEdit", { notebook_path: "a" }],
      ["str_replace_editor", { command: "str_replace", path: "a" }],
      ["str_replace_based_edit_tool", { command: "create", path: "a" }],
      ["apply_patch", { path: "a" }],
    ];
    for (const [name, args] of changes) {
      expect(listsOf(...done(name, args)), name).toEqual({ readFiles: [], modifiedFiles: ["a"] });
    }
    expect(listsOf(...done("bash", { command: "cat a", path: "a" }))).toEqual({ readFiles: [], modifiedFiles: [] });
  });

  it("[F1] the files of a patch, wherever it stands", () => {
    const patch =
      "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n*** Add File: c.ts\n*** Delete File: d.ts\n*** End Patch";
    const modifiedFiles = ["a.ts", "b.ts", "c.ts", "d.ts"];
    for (const [name, args] of [
      ["apply_patch", { input: patch }],
      ["apply_patch", { patchText: patch }],
      ["shell", { command: ["apply_patch", patch] }],
      ["exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }],
    ] as const) {
      expect(listsOf(...done(name, args)).modifiedFiles).toEqual(modifiedFiles);
    }
  });

  it("[F1] failed and unanswered calls don't count", () => {
    const failed = [callsTool("edit", { path: "a" }, "1"), result("1", "no match", true)];
    expect(listsOf(...failed, callsTool("write", { path: "b" }, "2")).modifiedFiles).toEqual([]);
    expect(listsOf(...failed, ...done("edit", { path: "a" })).modifiedFiles).toEqual(["a"]);
  });

  it("[F1] a range behind a path is no part of it, and an address is no file", () => {
    const named = ["src/a.ts:10-20", "src/a.ts:50+9", "src/a.ts:7", "src/a.ts#L3-L9", "./src/a.ts", "src/a.ts:raw"];
    for (const path of [...named, "https://x.org/a.ts:1", "skill://b"]) {
      const { readFiles } = listsOf(...done("read", { path }));
      expect(readFiles, path).toEqual(named.includes(path) ? ["src/a.ts"] : []);
    }
  });

  it("[F1] odd calls are passed over", () => {
    for (const args of [
      null,
      "text",
      7,
      ["a"],
      { path: 3 },
      { path: "" },
      { path: "a\nb" },
      { edits: "x" },
      { edits: [null] },
    ]) {
      expect(listsOf(...done("write", args as never)).modifiedFiles).toEqual([]);
    }
    const odd = message({ role: "assistant", content: null as never });
    expect(listsOf(odd, { type: "message" } as never)).toEqual({ readFiles: [], modifiedFiles: [] });
  });
});

describe("lists", () => {
  const previous = (more: Partial<CompactionEntry>) =>
    pathOf({ ...compaction("e0"), ...more } as Draft)[0] as CompactionEntry;
  const details = { readFiles: ["old.ts:1-9", "both.ts"], modifiedFiles: ["was.ts"] };

  it("[F2] the previous summary's lists join unless an extension wrote it", () => {
    const lists = (more: Partial<CompactionEntry>) =>
      fileLists(fileOps(pathOf(...done("write", { path: "both.ts" })), previous({ details, ...more })));
    const joined = { readFiles: ["old.ts"], modifiedFiles: ["both.ts", "was.ts"] };
    expect(lists({})).toEqual(joined);
    expect(lists({ fromExtension: false, fromHook: false })).toEqual(joined);
    expect(lists({ fromExtension: true })).toEqual({ readFiles: [], modifiedFiles: ["both.ts"] });
    expect(lists({ fromHook: true })).toEqual({ readFiles: [], modifiedFiles: ["both.ts"] });
  });

  it("[F2] the lists of branch summaries join", () => {
    const branch = { type: "branch_summary", fromId: "root", summary: "s", details } as const;
    expect(listsOf(branch).modifiedFiles).toEqual(["was.ts"]);
    expect(listsOf({ ...branch, fromExtension: true }).modifiedFiles).toEqual([]);
  });

  it("[F3] lists are sorted and unique, and what was modified is not listed as read", () => {
    const lists = listsOf(
      ...done("read", { path: "b" }),
      ...done("read", { path: "a" }),
      ...done("read", { path: "b" }),
      ...done("read", { path: "c" }),
      ...done("edit", { path: "c" }),
    );
    expect(lists).toEqual({ readFiles: ["a", "b"], modifiedFiles: ["c"] });
  });
});
