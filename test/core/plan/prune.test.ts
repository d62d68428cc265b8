import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/core/context/blocks.ts";
import { projectContext } from "../../../src/core/context/project.ts";
import { recallHint } from "../../../src/core/plan/placeholder.ts";
import { type PruneOptions, pruneToolOutputs } from "../../../src/core/plan/prune.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import type { SettingsInput } from "../../../src/core/settings.ts";
import {
  callsTool,
  chars,
  compaction,
  type Draft,
  extend,
  message,
  pathOf,
  says,
  settingsOf,
  user,
} from "./entries.ts";

const SMALL = { protectTokens: 1000, minSavings: 100, minTokens: 50 };
const IMAGE = { type: "image" as const, data: "A".repeat(4096), mimeType: "image/png" };

/** One call and its result of `size` characters. */
function turn(id: string, size: number, name = "bash", args: Record<string, unknown> = { command: "ls" }): Draft[] {
  return [callsTool(name, args, id), resultOf(id, "x".repeat(size), name)];
}
const resultOf = (toolCallId: string, text: string, toolName = "bash", isError = false): Draft =>
  message({ role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], isError });

const prune = (path: readonly Entry[], pruning: SettingsInput = SMALL, options: Partial<PruneOptions> = {}) =>
  pruneToolOutputs(path, settingsOf({ pruning }), { counter: chars, ...options });
const idsOf = (path: readonly Entry[], pruning: SettingsInput = SMALL, options: Partial<PruneOptions> = {}) => {
  const plan = prune(path, pruning, options);
  return plan.kind === "prune" ? plan.outputs.map(({ entryId }) => entryId) : plan.because;
};
/** The path with the plan's edits at its end. */
function pruned(path: readonly Entry[], pruning: SettingsInput = SMALL, options: Partial<PruneOptions> = {}): Entry[] {
  const plan = prune(path, pruning, options);
  if (plan.kind === "nothing") throw new Error(plan.because);
  const edits = plan.outputs.map(
    ({ entryId, content }): Draft => ({
      type: "context_edit",
      targetId: entryId,
      replacement: { content: [...content] },
    }),
  );
  return extend(path, ...edits);
}

describe("what a prune takes", () => {
  it("[R1] protects the newest 40,000 tokens and acts from 20,000 saved on", () => {
    const outputs = (n: number) =>
      pathOf(user("go"), ...Array.from({ length: n }, (_, i) => turn(`c${i}`, 9_996)).flat());
    expect(prune(outputs(5), {})).toEqual({ kind: "nothing", because: "too-little", saved: expect.any(Number) });
    expect(prune(outputs(6), {})).toMatchObject({ kind: "nothing", because: "too-little" });
    expect(idsOf(outputs(7), {})).toEqual(["e2", "e4", "e6"]);
    expect(prune(outputs(4), {})).toEqual({ kind: "nothing", because: "nothing-old-enough", saved: 0 });
  });

  it("[R1] keeps an output that straddles the line", () => {
    const path = pathOf(...turn("a", 500), ...turn("b", 900), ...turn("c", 500));
    expect(idsOf(path)).toEqual(["e1"]);
  });

  it("[R1] says how many tokens went, and how to get them back where a recall tool is at hand", () => {
    const path = pathOf(...turn("a", 496), ...turn("b", 996));
    const [, first] = projectContext(pruned(path)).messages.filter(({ message }) => message.role !== "user");
    expect(first?.message.role === "toolResult" && textOf(first.message.content)).toBe(
      "[Output truncated - 500 tokens]",
    );
    const plan = prune(path, SMALL, { recallHint });
    const lines = plan.kind === "prune" ? plan.outputs[0]?.content[0]?.text.split("\n") : [];
    expect(lines).toEqual(["[Output truncated - 500 tokens]", '[recall {"entryId":"e1"} shows it]']);
  });

  it("[R1] leaves what is smaller than 50 tokens, since it gains nothing", () => {
    const small = Array.from({ length: 40 }, (_, i) => turn(`s${i}`, 45)).flat();
    const path = pathOf(...small, ...turn("big", 400), ...turn("z", 1200));
    expect(idsOf(path)).toEqual(["e81"]);
    expect(idsOf(path, { ...SMALL, minTokens: 1 })).toContain("e1");
    const plan = prune(path, { ...SMALL, minTokens: 1 });
    if (plan.kind === "prune") for (const { saved } of plan.outputs) expect(saved).toBeGreaterThan(0);
  });

  it("[R1] counts live results only: what a compaction hides is neither counted nor pruned", () => {
    const before = [...turn("a", 5000), ...turn("b", 5000)];
    const path = pathOf(
      user("go"),
      ...before,
      user("on"),
      compaction("e5"),
      ...turn("c", 400),
      ...turn("d", 900),
      ...turn("e", 200),
    );
    expect(idsOf(path)).toEqual(["e8"]);
  });

  it.each([
    "read",
    "Read",
    "read_file",
    "ReadFile",
    "functions.read",
    "mcp__fs__read_text_file",
    "view",
    "skill",
    "Skill",
    "use_skill",
  ])("[R1] never prunes %s", (name) =>
    expect(idsOf(pathOf(...turn("a", 500, name), ...turn("b", 1200)))).toBe("nothing-old-enough"),
  );
  it("[R1] knows an editor's view from its edits by the call", () => {
    const editor = (command: string) => turn("a", 500, "str_replace_based_edit_tool", { command, path: "a.ts" });
    expect(idsOf(pathOf(...editor("view"), ...turn("b", 1200)))).toBe("nothing-old-enough");
    expect(idsOf(pathOf(...editor("create"), ...turn("b", 1200)))).toEqual(["e1"]);
  });
  it("[R1] takes other names and a predicate for what is protected", () => {
    const path = pathOf(...turn("a", 500, "read"), ...turn("b", 500, "mcp__web__search"), ...turn("c", 1200));
    expect(idsOf(path, { ...SMALL, protectTools: ["Search"] })).toEqual(["e1"]);
    expect(idsOf(path, { ...SMALL, protectTools: [] }, { protect: ({ entryId }) => entryId === "e1" })).toEqual(["e3"]);
  });
});

describe("what a prune never does", () => {
  it("[R3] touches the newest batch, however large and even with nothing protected", () => {
    const none = { ...SMALL, protectTokens: 0 };
    const path = pathOf(
      ...turn("a", 500),
      callsTool("bash", {}, "b", "c"),
      resultOf("b", "x".repeat(900)),
      resultOf("c", "x".repeat(900)),
    );
    expect(idsOf(path, none)).toEqual(["e1"]);
    expect(idsOf(extend(path, says("done"), user("more")), none)).toEqual(["e1"]);
    expect(idsOf(extend(path, callsTool("bash", {}, "open")), none)).toEqual(["e1"]);
  });

  it("[R3] prunes twice: the second run finds nothing", () => {
    const path = pathOf(...turn("a", 500), ...turn("b", 500), ...turn("c", 1200));
    expect(prune(pruned(path))).toEqual({ kind: "nothing", because: "nothing-old-enough", saved: 0 });
    expect(
      prune(pruned(path, SMALL, { recallHint }), { ...SMALL, minTokens: 1, minSavings: 1, protectTokens: 0 }).kind,
    ).toBe("nothing");
  });

  it("[R3] stops at what is pruned already: older outputs still go", () => {
    const path = pathOf(...turn("a", 500), ...turn("b", 500), ...turn("c", 1200));
    const edit: Draft = {
      type: "context_edit",
      targetId: "e3",
      replacement: { content: "[Output truncated - 504 tokens]" },
    };
    expect(idsOf(extend(path, edit))).toEqual(["e1"]);
  });

  it("[R3] loses an image without a word", () => {
    const shot = message({
      role: "toolResult",
      toolCallId: "a",
      toolName: "shot",
      content: [IMAGE, IMAGE],
      isError: false,
    });
    const plan = prune(pathOf(callsTool("shot", {}, "a"), shot, ...turn("b", 1200)));
    const text = plan.kind === "prune" ? plan.outputs[0]?.content[0]?.text : "";
    expect(text?.split("\n").slice(1)).toEqual(["[image: image/png, 3 kB]", "[image: image/png, 3 kB]"]);
  });

  it("[R3] changes anything but the results' content", () => {
    const path = pathOf(user("go"), ...turn("a", 500), says("ok"), ...turn("b", 1200));
    const before = projectContext(path).messages;
    const after = projectContext(pruned(path)).messages;
    expect(after.map(({ entryId }) => entryId)).toEqual(before.map(({ entryId }) => entryId));
    expect(after.filter(({ edited }) => edited).map(({ entryId }) => entryId)).toEqual(["e2"]);
    expect(after.filter(({ edited }) => !edited)).toEqual(before.filter(({ entryId }) => entryId !== "e2"));
  });

  it("[R3] fails on odd content", () => {
    const odd = { role: "toolResult", toolCallId: "a", content: "x".repeat(500), isError: false };
    const path = pathOf(callsTool("read", null as never, "a"), message(odd as never), ...turn("b", 1200));
    expect(idsOf(path)).toEqual("nothing-old-enough");
    expect(idsOf(path, { ...SMALL, staleReads: true, protectTools: ["x"] })).toEqual(["e1"]);
  });
});

describe("stale reads", () => {
  const STALE = { ...SMALL, staleReads: true };
  const read = (id: string, path: string, size = 500, more = {}) => turn(id, size, "read", { path, ...more });
  const edit = (id: string, path: string) => turn(id, 20, "edit", { path, old: "a", new: "b" });
  const last = turn("z", 300);

  it("[R4] stay unless the setting is on", () => {
    const path = pathOf(...read("a", "a.ts"), ...edit("b", "a.ts"), ...last);
    expect(idsOf(path)).toBe("nothing-old-enough");
    expect(idsOf(path, STALE)).toEqual(["e1"]);
  });
  it("[R4] are those of files read again or written since, not others", () => {
    expect(idsOf(pathOf(...read("a", "a.ts"), ...read("b", "b.ts"), ...read("c", "a.ts"), ...last), STALE)).toEqual([
      "e1",
    ]);
    expect(idsOf(pathOf(...edit("b", "a.ts"), ...read("a", "a.ts"), ...last), STALE)).toBe("nothing-old-enough");
  });
  it("[R4] are not outdated by a part of the file, nor by what failed", () => {
    const part = { offset: 10, limit: 5 };
    expect(idsOf(pathOf(...read("a", "a.ts"), ...read("b", "a.ts", 500, part), ...last), STALE)).toBe(
      "nothing-old-enough",
    );
    expect(idsOf(pathOf(...read("a", "a.ts", 500, part), ...read("b", "a.ts", 500, part), ...last), STALE)).toEqual([
      "e1",
    ]);
    const failed = [callsTool("edit", { path: "a.ts" }, "b"), resultOf("b", "no match", "edit", true)];
    expect(idsOf(pathOf(...read("a", "a.ts"), ...failed, ...last), STALE)).toBe("nothing-old-enough");
  });
  it("[R4] go first: their room counts before that of older outputs", () => {
    const path = pathOf(...turn("o", 500), ...read("a", "a.ts", 700), ...read("b", "a.ts", 700), ...last);
    expect(idsOf(path)).toEqual(["e1"]);
    expect(idsOf(path, { ...STALE, protectTokens: 1010 })).toEqual(["e1", "e3"]);
    expect(idsOf(path, { ...STALE, protectTokens: 1200 })).toEqual(["e3"]);
  });
  it("[R4] never takes the last reading that is still there", () => {
    const path = pathOf(...read("a", "a.ts"), ...read("b", "a.ts"), ...last);
    const gone: Draft = {
      type: "context_edit",
      targetId: "e3",
      replacement: { content: "[Output truncated - 504 tokens]" },
    };
    expect(idsOf(extend(path, gone), STALE)).toBe("nothing-old-enough");
  });
});
