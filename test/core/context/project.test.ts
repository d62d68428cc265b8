import { describe, expect, it } from "vitest";
import { buildSessionContext, projectContext } from "../../../src/core/context/project.ts";
import { EARLIER_NOT_SHOWN } from "../../../src/core/context/repair.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import { assistant, chain, chainOf, compaction, edit, message, result, system, user } from "./chain.ts";

const shape = (path: Entry[]) =>
  projectContext(path).messages.map(({ entryId, message, synthetic }) =>
    [message.role, entryId, ...(synthetic ? ["synthetic"] : [])].join(" "),
  );
const contentOf = (path: Entry[], at: number) =>
  (projectContext(path).messages[at]?.message as { content?: unknown } | undefined)?.content;

describe("projectContext", () => {
  it("[X1] gives each message with its entry", () => {
    expect(shape(chain(user("a"), assistant("b"), user("c")))).toEqual(["user e0", "assistant e1", "user e2"]);
  });

  it("[X3] maps entries to roles, and metadata to nothing", () => {
    const path = chain(
      user("a"),
      { type: "custom_message", customType: "x", content: "note", display: true },
      { type: "branch_summary", fromId: "root", summary: "elsewhere" },
      { type: "branch_summary", fromId: "root", summary: "" },
      { type: "custom", customType: "x" },
      { type: "label", targetId: "e0", label: "l" },
      { type: "usage", kind: "k" },
      { type: "session_info", name: "n" },
      { type: "never_heard_of" },
      message({ role: "never heard of" }),
      { type: "message" },
      compaction("e0"),
    );
    expect(shape(path)).toEqual(["compactionSummary e11", "user e0", "custom e1", "branchSummary e2"]);
  });

  it("[X3] reads the model in both spellings, and the thinking level, from the whole path", () => {
    const pi = chain({ type: "model_change", provider: "a", modelId: "m1" }, user("x"), compaction("e2"));
    expect(projectContext(pi).model).toEqual({ provider: "a", modelId: "m1" });
    const omp = chain({ type: "model_change", model: "a/b/c" }, { type: "model_change", model: "x/y", role: "smol" });
    expect(projectContext(omp).model).toEqual({ provider: "a", modelId: "b/c" });
    const said = chain(user("x"), assistant("y", [], { provider: "p", model: "m" }));
    expect(projectContext(said).model).toEqual({ provider: "p", modelId: "m" });
    expect(projectContext(said).thinkingLevel).toBeNull();
    const level = chain({ type: "thinking_level_change", thinkingLevel: "high" }, user("x"));
    expect(projectContext(level).thinkingLevel).toBe("high");
  });

  it("[X3] replays system messages into one that leads", () => {
    const path = chain(
      system("base", { sections: { a: "A", b: "B" }, toolsAdded: [{ name: "t1" }, { name: "t2" }] }),
      user("x"),
      system("more", { sections: { a: null, c: "C" }, toolsRemoved: [{ name: "t1" }] }),
    );
    expect(shape(path)).toEqual(["system e0", "user e1"]);
    expect(projectContext(path).systemMessage).toEqual({
      role: "system",
      content: "base\n\nmore",
      sections: { b: "B", c: "C" },
      toolsAdded: [{ name: "t2" }],
    });
  });

  it("[X3] lets a compaction's system message lead, drops kept ones, and patches it by later ones", () => {
    const carried = { role: "system", content: "carried" };
    const path = chain(
      system("old"),
      user("x"),
      compaction("e0", { systemMessage: carried }),
      user("y"),
      system("later"),
    );
    expect(shape(path)).toEqual(["system e2", "compactionSummary e2", "user e1", "user e3"]);
    expect(contentOf(path, 0)).toBe("carried\n\nlater");
    expect(projectContext(path).dropped).toContainEqual({ entryId: "e0", why: "superseded-system" });
  });

  it("[X3] keeps the system messages of the kept entries where a compaction carries none", () => {
    expect(shape(chain(system("old"), user("x"), compaction("e0")))).toEqual([
      "system e0",
      "compactionSummary e2",
      "user e1",
    ]);
  });

  it("[X3] gives pi's plain form, with off as the level", () => {
    const path = chain(user("a"), assistant("b"));
    const { messages, model, thinkingLevel } = buildSessionContext(path);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect([model, thinkingLevel]).toEqual([null, "off"]);
  });
});

describe("edits", () => {
  it("[S3] replace the content of a user, a custom message and a result, the newest wins", () => {
    const path = chain(
      user("long"),
      assistant("b", ["c1"]),
      result("c1", "long"),
      { type: "custom_message", customType: "x", content: "long" },
      edit("e0", { content: "older" }),
      edit("e0", { content: "short" }),
      edit("e2", { content: "cut" }),
      edit("e3", { content: [{ type: "text", text: "note" }] }),
    );
    expect(contentOf(path, 0)).toBe("short");
    expect(contentOf(path, 2)).toEqual([{ type: "text", text: "cut" }]);
    expect(contentOf(path, 3)).toEqual([{ type: "text", text: "note" }]);
    expect(projectContext(path).messages.map(({ edited }) => edited === true)).toEqual([true, false, true, true]);
    expect([...projectContext(path).edits]).toEqual([
      ["e0", "e5"],
      ["e2", "e6"],
      ["e3", "e7"],
    ]);
  });

  it("[S3] omit an assistant together with its results", () => {
    const path = chain(user("a"), assistant("b", ["c1", "c2"]), result("c1"), result("c2"), edit("e1", null));
    expect(shape(path)).toEqual(["user e0"]);
    expect(projectContext(path).dropped.map(({ why }) => why)).toEqual(Array(3).fill("omitted-by-edit"));
    expect(projectContext(path).warnings).toEqual([]);
  });

  it("[S3] that replace an assistant's content take the results of calls that are gone", () => {
    const path = chain(user("a"), assistant("b", ["c1"]), result("c1"), edit("e1", { content: "said" }));
    expect(shape(path)).toEqual(["user e0", "assistant e1"]);
    expect(projectContext(path).warnings).toEqual([]);
  });

  it("[S3] that omit a result leave a note in its place", () => {
    const path = chain(user("a"), assistant("b", ["c1"]), result("c1"), edit("e2", null));
    expect(shape(path)).toEqual(["user e0", "assistant e1", "toolResult e1 synthetic"]);
  });

  it("[S3] with the original content restore", () => {
    const path = chain(user("a"), edit("e0", { content: "b" }), edit("e0", { content: "a" }));
    expect(projectContext(path).messages).toMatchObject([{ entryId: "e0", message: { content: "a" } }]);
    expect(projectContext(path).edits.size).toBe(0);
  });

  it.each([
    ["of another form", "e0", { text: "x" }],
    ["without a form", "e0", undefined],
    ["of a system message", "e1", null],
    ["of metadata", "e2", null],
    ["of nothing on the path", "gone", null],
    ["of a later entry", "e4", null],
    ["of a command's content", "e5", { content: "x" }],
  ])("[S3] %s are ignored with a warning", (_, target, replacement) => {
    const bash = message({ role: "bashExecution", command: "ls", output: "" });
    const path = chain(user("a"), system("s"), { type: "custom", customType: "x" }, user("p"), user("q"), bash);
    const at = target === "e4" ? 4 : 6;
    const whole = chain(
      ...path.toSpliced(at, 0, { ...edit(target, replacement), id: "ed" } as unknown as Entry).map((e) => ({ ...e })),
    );
    expect(projectContext(whole).warnings).toMatchObject([{ code: "edit-ignored", entryId: "ed" }]);
    expect(projectContext(whole).messages).toHaveLength(5);
  });
});

describe("repair", () => {
  it("[X5] puts results right after their call and in call order", () => {
    const path = chain(user("a"), assistant("b", ["c1", "c2"]), result("c2"), user("steer"), result("c1"));
    expect(shape(path)).toEqual(["user e0", "assistant e1", "toolResult e4", "toolResult e2", "user e3"]);
  });

  it("[X5] makes up an error result that says so for a call without one", () => {
    const path = chain(user("a"), assistant("b", ["c1"]), user("next"));
    expect(projectContext(path).messages[2]).toMatchObject({
      entryId: "e1",
      synthetic: true,
      message: { role: "toolResult", toolCallId: "c1", toolName: "read", isError: true },
    });
    expect(JSON.stringify(contentOf(path, 2))).toContain("No result");
  });

  it("[X5] drops results without a call and second results, with a warning", () => {
    const path = chain(result("c0"), user("a"), assistant("b", ["c1"]), result("c1"), result("c1", "again"));
    expect(shape(path)).toEqual(["user e1", "assistant e2", "toolResult e3"]);
    expect(projectContext(path).warnings.map(({ code, entryId }) => [code, entryId])).toEqual([
      ["orphan-result", "e0"],
      ["duplicate-result", "e4"],
    ]);
  });

  it("[X5] pairs ids that repeat across turns by the nearest call", () => {
    const path = chain(user("a"), assistant("b", ["c"]), result("c"), assistant("d", ["c"]), result("c"));
    expect(shape(path)).toEqual(["user e0", "assistant e1", "toolResult e2", "assistant e3", "toolResult e4"]);
  });

  it("[X5] pairs ids that repeat within one turn in order", () => {
    const path = chain(user("a"), assistant("b", ["c", "c"]), result("c", "1"), result("c", "2"));
    expect(shape(path)).toEqual(["user e0", "assistant e1", "toolResult e2", "toolResult e3"]);
  });

  it("[X5] leaves failed, aborted and empty turns out with their results", () => {
    const path = chain(
      user("a"),
      assistant("b", ["c1"], { stopReason: "aborted" }),
      result("c1"),
      assistant("b", [], { stopReason: "error" }),
      assistant(""),
      message({ role: "assistant", content: [{ type: "thinking", thinking: "hm", thinkingSignature: "s" }] }),
      user("  "),
    );
    expect(shape(path)).toEqual(["user e0"]);
    expect(
      projectContext(path)
        .dropped.map(({ entryId, why }) => `${entryId} ${why}`)
        .sort(),
    ).toEqual(["e1 aborted-attempt", "e2 aborted-attempt", "e3 failed-attempt", "e4 empty", "e5 empty", "e6 empty"]);
  });

  it("[X5] puts a note before an assistant that comes first, and keeps it", () => {
    const path = chain(system("s"), assistant("b", ["c1"]), result("c1"), user("x"));
    expect(shape(path)).toEqual(["system e0", "user e1 synthetic", "assistant e1", "toolResult e2", "user e3"]);
    expect(contentOf(path, 1)).toBe(EARLIER_NOT_SHOWN);
  });

  it("[X5] drops the result of a call that was summarised, with a warning", () => {
    const path = chain(user("a"), assistant("b", ["c1"]), result("c1"), user("c"), compaction("e2"));
    expect(shape(path)).toEqual(["compactionSummary e4", "user e3"]);
    expect(projectContext(path).warnings).toMatchObject([{ code: "orphan-result" }]);
  });

  it("[X5] pairs a call kept before a compaction with its result after it", () => {
    const path = chain(user("a"), assistant("b", ["c1"]), compaction("e1"), result("c1"));
    expect(shape(path)).toEqual(["compactionSummary e2", "assistant e1", "toolResult e3"]);
  });

  it("[X5] stays linear over 200,000 entries with one id", () => {
    const turns = Array.from({ length: 100_000 }, () => [assistant("b", ["c"]), result("c")]).flat();
    expect(projectContext(chainOf([user("a")].concat(turns))).messages).toHaveLength(200_001);
  });
});
