import { describe, expect, it } from "vitest";
import { projectContext } from "../../src/core/context/project.ts";
import { readClaudeCode } from "../../src/formats/index.ts";
import { answer, assistant, call, chained, source, text, user, uuid } from "./claude-lines.ts";
import { forks, label, pathOf } from "./shape.ts";

const labels = async (...lines: Parameters<typeof source>) =>
  (await readClaudeCode(source(...lines))).entries.map(label);

describe("API messages", () => {
  it("[S2] joins the lines of one message, with the last line's usage", async () => {
    const late = assistant("d", "c", "msg_1", [call("t1")]);
    (late.message as { usage: { output_tokens: number } }).usage.output_tokens = 99;
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "msg_1", [{ type: "thinking", thinking: "hm", signature: "sig" }]),
        assistant("c", "b", "msg_1", [text("I look")]),
        late,
        user("e", "d", [answer("t1", "files")]),
      ),
    );
    expect(entries.map(label)).toEqual(["user", "assistant", "toolResult"]);
    expect(entries[1]).toMatchObject({
      id: "bbbbbbbb",
      message: {
        content: [
          { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
          { type: "text", text: "I look" },
          { type: "toolCall", id: "t1", name: "Bash", arguments: { command: "ls" } },
        ],
        provider: "anthropic",
        model: "claude-opus-4-5",
        stopReason: "toolUse",
        usage: { input: 3, output: 99, cacheRead: 7, cacheWrite: 5, totalTokens: 114 },
      },
    });
    expect(entries[2]).toMatchObject({ message: { toolCallId: "t1", toolName: "Bash", isError: false } });
  });

  it("[S7] attaches parallel results to their message; that is no fork", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "msg_1", [call("t1")]),
        assistant("c", "b", "msg_1", [call("t2", "Read", { file_path: "x" })]),
        user("d", "b", [answer("t1", "one")]),
        user("e", "c", [answer("t2", "two", true)]),
        assistant("f", "e", "msg_2", [text("done")]),
      ),
    );
    expect(entries.map(label)).toEqual(["user", "assistant", "toolResult", "toolResult", "assistant"]);
    expect(forks(entries)).toEqual([]);
    expect(entries[3]).toMatchObject({ message: { toolName: "Read", isError: true } });
    expect(projectContext(pathOf(entries)).messages).toHaveLength(5);
  });

  it("[S7] a late result stands with its call, and the conversation goes on where its line was", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "msg_1", [call("t1")]),
        assistant("c", "b", "msg_2", [call("t2")]),
        user("d", "c", [answer("t2", "two")]),
        user("e", "d", [answer("t1", "one")]),
        assistant("f", "e", "msg_3", [text("done")]),
      ),
    );
    expect(entries.map((entry) => entry.id[0])).toEqual(["a", "b", "e", "c", "d", "f"]);
    expect(forks(entries)).toEqual([]);
  });

  it("[S7] of two results for one call the second begins a branch", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "msg_1", [call("t1")]),
        user("c", "b", [answer("t1", "interrupted", true)]),
        user("d", "b", [answer("t1", "fine")]),
        assistant("e", "d", "msg_2", [text("done")]),
      ),
    );
    expect(forks(entries)).toEqual(["bbbbbbbb"]);
    expect(pathOf(entries).map((entry) => entry.id[0])).toEqual(["a", "b", "d", "e"]);
  });

  it("[V6] what Claude Code wrote in the assistant's place is an errored reply, which never reaches the model", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "msg_1", [text("ok")]),
        user("c", "b", "more"),
        assistant("d", "c", "x", [text("API Error: 529")], { isApiErrorMessage: true }),
      ),
    );
    expect(entries[3]).toMatchObject({
      message: { stopReason: "error", errorMessage: "API Error: 529", model: "claude-opus-4-5" },
    });
    expect(projectContext(pathOf(entries)).messages.map((one) => one.entryId)).toEqual([
      "aaaaaaaa",
      "bbbbbbbb",
      "cccccccc",
    ]);
  });

  it("[S2] keeps images and says what stood in place of what has no block", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/webp", data: "AAAA" } };
    const document = {
      type: "document",
      title: "spec",
      source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
    };
    const { entries } = await readClaudeCode(
      source(
        user("a", null, [image, text("see this"), document]),
        assistant("b", "a", "m", [call("t1", "Read")]),
        user("c", "b", [answer("t1", [image, { type: "tool_reference", tool_name: "x" }])]),
      ),
    );
    const block = { type: "image", data: "AAAA", mimeType: "image/webp" };
    expect(entries[0]).toMatchObject({
      message: { content: [block, text("see this"), text("[document: spec, application/pdf, 3 bytes]")] },
    });
    expect(entries[2]).toMatchObject({ message: { content: [block, { type: "text" }] } });
  });
});

describe("who speaks", () => {
  it("[V6] only the human's own words are user messages", async () => {
    expect(
      await labels(
        user("a", null, "<command-name>/clear</command-name>"),
        user("b", "a", "<local-command-stdout>done</local-command-stdout>"),
        user("c", "b", "Caveat: do not answer", { isMeta: true }),
        user("d", "c", [text("<system-reminder>todo</system-reminder>"), text("real words")]),
        user("e", "d", [text("[Request interrupted by user]")]),
        chained("f", "e", { type: "attachment", attachment: { type: "todo_reminder", content: "todo" } }),
      ),
    ).toEqual([
      "claude-code.command",
      "claude-code.command-output",
      "claude-code.meta",
      "claude-code.reminder",
      "user",
      "claude-code.interrupt",
      "claude-code.attachment",
    ]);
  });

  it("[V6] a text beside a tool result, or brought in by a tool, follows the results", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [call("t1", "Skill"), call("t2")]),
        user("c", "b", [answer("t1", "loaded"), text("<system-reminder>x</system-reminder>")]),
        user("d", "c", "skill body", { isMeta: true, sourceToolUseID: "t1" }),
        user("e", "b", [answer("t2", "")]),
        assistant("f", "d", "n", [text("done")]),
      ),
    );
    expect(entries.map(label)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "claude-code.reminder",
      "claude-code.meta",
      "assistant",
    ]);
    expect(forks(entries)).toEqual([]);
  });
});

describe("compaction", () => {
  const boundary = (fields = {}) =>
    chained("c", null, {
      type: "system",
      subtype: "compact_boundary",
      logicalParentUuid: uuid("b"),
      compactMetadata: { trigger: "auto", preTokens: 155_123, ...fields },
    });
  const summary = user("d", "c", "This session is being continued. Goal: X", { isCompactSummary: true });

  it("[X2] a boundary and its summary are a compaction that keeps nothing before it", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [text("ok")]),
        boundary(),
        summary,
        user("e", "d", "next"),
      ),
    );
    expect(entries[2]).toMatchObject({
      id: "cccccccc",
      parentId: "bbbbbbbb",
      tokensBefore: 155_123,
      firstKeptEntryId: "cccccccc",
    });
    expect(projectContext(pathOf(entries)).messages.map((one) => one.message.role)).toEqual([
      "compactionSummary",
      "user",
    ]);
  });

  it("[X2] a preserved segment is kept", async () => {
    const kept = { preservedSegment: { headUuid: uuid("b"), anchorUuid: uuid("d"), tailUuid: uuid("b") } };
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [text("ok")]),
        boundary(kept),
        summary,
        user("e", "d", "next"),
      ),
    );
    expect(entries[2]).toMatchObject({ firstKeptEntryId: "bbbbbbbb" });
  });

  it("[S7] a boundary whose parent is missing stands on the line before it", async () => {
    const lost = { ...boundary(), logicalParentUuid: uuid("9") };
    const { entries, warnings } = await readClaudeCode(source(user("a", null, "go"), lost, summary));
    expect(entries[1]).toMatchObject({ type: "compaction", parentId: "aaaaaaaa" });
    expect(warnings).toMatchObject([{ code: "unknown-parent", line: 2 }]);
  });

  it("[X2] a boundary without summary cuts nothing", async () => {
    const { entries, warnings } = await readClaudeCode(
      source(user("a", null, "go"), boundary(), user("e", "c", "next")),
    );
    expect(entries.map(label)).toEqual(["user", "claude-code.system.compact_boundary", "user"]);
    expect(warnings.map((one) => one.code)).toContain("summary-missing");
  });

  it("[S3] a micro-compaction edits the results that it cleared", async () => {
    const micro = { trigger: "auto", compactedToolIds: ["t1", "unknown"], clearedAttachmentUUIDs: [] };
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [call("t1")]),
        user("c", "b", [answer("t1", "long output")]),
        chained("d", "c", { type: "system", subtype: "microcompact_boundary", microcompactMetadata: micro }),
        assistant("e", "d", "n", [text("done")]),
      ),
    );
    expect(entries[3]).toMatchObject({
      type: "context_edit",
      targetId: "cccccccc",
      replacement: { content: [text("[Old tool result content cleared]")] },
    });
    expect(projectContext(pathOf(entries)).messages[2]?.message).toMatchObject({
      content: [text("[Old tool result content cleared]")],
    });
  });
});

describe("the tree", () => {
  it("[S7] the chain runs through progress lines, which are counted and not imported", async () => {
    const { entries, warnings } = await readClaudeCode(
      source(
        user("a", null, "go"),
        chained("b", "a", { type: "progress", data: {} }),
        chained("c", "b", { type: "progress", data: {} }),
        assistant("d", "c", "m", [text("ok")]),
        { type: "queue-operation", operation: "enqueue" },
      ),
    );
    expect(entries.map((entry) => entry.parentId)).toEqual([null, "aaaaaaaa"]);
    expect(warnings).toMatchObject([
      { code: "not-imported", message: expect.stringContaining("2 progress, 1 queue-operation") },
    ]);
  });

  it("[S8] a second prompt under an old parent is a branch; the last line is the leaf", async () => {
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        assistant("b", "a", "m", [text("ok")]),
        user("c", "b", "this way"),
        user("d", "b", "that way"),
        assistant("e", "d", "n", [text("done")]),
      ),
    );
    expect(forks(entries)).toEqual(["bbbbbbbb"]);
    expect(pathOf(entries).map((entry) => entry.id[0])).toEqual(["a", "b", "d", "e"]);
  });

  it("[S8] a subagent's lines are a tree beside the main path, and the file still ends on that path", async () => {
    const side = { isSidechain: true, agentId: "a1" };
    const { entries } = await readClaudeCode(
      source(
        user("a", null, "go"),
        user("b", null, "subtask", side),
        assistant("c", "a", "m", [text("done")]),
        assistant("d", "b", "n", [text("found")], side),
      ),
    );
    expect(entries.map(label)).toEqual(["user", "user", "assistant", "assistant", "espalier.leaf"]);
    expect(entries.at(-1)?.parentId).toBe("cccccccc");
    expect(entries[1]?.parentId).toBeNull();
  });

  it("[S8] a file of one subagent is a session of its own", async () => {
    const side = { isSidechain: true, agentId: "a1" };
    const { entries } = await readClaudeCode(
      source(user("a", null, "subtask", side), assistant("b", "a", "m", [text("found")], side)),
    );
    expect(pathOf(entries)).toHaveLength(2);
  });

  it("[S7] cycles and self-parents are cut, and parents come before children", async () => {
    const { entries, warnings } = await readClaudeCode(
      source(
        user("a", "c", "one"),
        user("b", "a", "two"),
        user("c", "b", "three"),
        user("d", "d", "four"),
        user("f", "e", "x"),
        user("e", null, "y"),
      ),
    );
    const seen = new Set<string | null>([null]);
    for (const entry of entries) {
      expect(seen.has(entry.parentId)).toBe(true);
      seen.add(entry.id);
    }
    expect(entries).toHaveLength(6);
    expect(warnings.map((one) => one.code)).toEqual(["cycle"]);
  });

  it("[S7] repeated lines count once; of different ones the last wins", async () => {
    const twice = user("a", null, "go");
    const { entries, warnings } = await readClaudeCode(
      source(twice, twice, user("b", "a", "old"), user("b", "a", "new")),
    );
    expect(entries.map(label)).toEqual(["user", "user"]);
    expect(entries[1]).toMatchObject({ message: { content: "new" } });
    expect(warnings.map((one) => one.code)).toEqual(["duplicate-id", "repeated-lines"]);
  });

  it("[S7] 100,000 lines in one chain", async () => {
    const ids = Array.from(
      { length: 100_000 },
      (_, at) => `${at.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
    );
    const lines = ids.map((id, at) => ({ ...user("a", null, "x"), uuid: id, parentUuid: ids[at - 1] ?? null }));
    const { entries } = await readClaudeCode(source(...lines));
    expect(pathOf(entries)).toHaveLength(100_000);
  }, 60_000);
});

describe("damage", () => {
  it("[S6] reports broken lines with their numbers and reads on; glued lines are split", async () => {
    const glued =
      JSON.stringify(user("c", "b", "three")) + JSON.stringify({ type: "summary", summary: "t", leafUuid: uuid("a") });
    const { entries, warnings } = await readClaudeCode(
      source(user("a", null, "one"), '{"type":"user","uuid":"br', "", user("b", "9", "two"), glued, '{"type":"us'),
    );
    expect(entries.map(label)).toEqual(["user", "user", "user", "session_info"]);
    expect(entries[1]?.parentId).toBe("aaaaaaaa");
    expect(warnings.filter((one) => one.code === "bad-line").map((one) => one.line)).toEqual([2, 6]);
  });

  it("[S2] odd content never throws", async () => {
    const { entries } = await readClaudeCode(
      source(
        { ...user("a", null, null), message: 7 },
        user("b", "a", [null, 3, { type: "image" }, { type: 4 }]),
        assistant("c", "b", "m", [{ type: "tool_use", id: 5, name: null, input: "x" }]),
        chained("d", "c", { type: "assistant", message: null }),
        chained("e", "d", { type: "new-thing", payload: [1] }),
        user("f", "e", [answer("nobody", null)]),
        '{"uuid":"only"}',
      ),
    );
    expect(entries.map(label)).toEqual([
      "user",
      "assistant",
      "assistant",
      "claude-code.new-thing",
      "toolResult",
      "claude-code",
    ]);
    expect(entries[3]).toMatchObject({ data: { type: "new-thing", payload: [1] } });
  });

  it("[X6] lone surrogates are replaced", async () => {
    const { entries } = await readClaudeCode(source(JSON.stringify(user("a", null, "x\ud800y"))));
    expect(entries[0]).toMatchObject({ message: { content: "x\uFFFDy" } });
  });
});

it("[S11] takes the title of this session, not that of another", async () => {
  const other = { type: "summary", summary: "other", leafUuid: uuid("9") };
  const own = { type: "summary", summary: "own", leafUuid: uuid("a") };
  const { entries } = await readClaudeCode(source(own, other, user("a", null, "go")));
  expect(entries.at(-1)).toMatchObject({ type: "session_info", name: "own" });
});

it("[S1] the header has the folder and the session the file ends in", async () => {
  const { header } = await readClaudeCode(
    source(
      user("a", null, "go"),
      user("b", "a", "on", { cwd: "/elsewhere", sessionId: "5e551000-0000-4000-8000-000000000002" }),
    ),
  );
  expect(header).toMatchObject({
    type: "session",
    version: 3,
    id: "5e551000-0000-4000-8000-000000000002",
    cwd: "/home/ada/project",
  });
});
