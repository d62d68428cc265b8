import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { convertToLlm, fill } from "../../../src/core/context/render.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { ROOT } from "../../sources.ts";

const rendered = (message: unknown) => convertToLlm([message as Message])[0];
const textOf = (message: unknown) =>
  ((rendered(message)?.content ?? []) as { text?: string }[]).map(({ text }) => text ?? "").join("\n");

describe("convertToLlm", () => {
  it("[X4] wraps summaries in their templates as user messages", () => {
    const compacted = { role: "compactionSummary", summary: "S $& {{summary}}", tokensBefore: 1 };
    expect(rendered(compacted)?.role).toBe("user");
    expect(textOf(compacted)).toMatch(/no longer shown[\s\S]*<summary>\nS \$& \{\{summary\}\}\n<\/summary>/);
    const branch = { role: "branchSummary", summary: "B", fromId: "x" };
    expect(rendered(branch)?.role).toBe("user");
    expect(textOf(branch)).toMatch(/another branch[\s\S]*<summary>\nB\n<\/summary>/);
  });

  it("[X4] shows a command with its output and how it ended", () => {
    const bash = { role: "bashExecution", command: "npm test", output: "1 failed", exitCode: 1 };
    expect(textOf(bash)).toContain("<command>\nnpm test\n</command>\n<output>\n1 failed\n</output>");
    expect(textOf(bash)).toContain("exit code 1");
    expect(textOf({ ...bash, output: "", cancelled: true })).toMatch(/\(no output\)[\s\S]*cancelled/);
    expect(textOf({ ...bash, truncated: true, fullOutputPath: "/t/out" })).toContain("all of it is in /t/out");
    expect(textOf({ role: "pythonExecution", code: "1/0", output: "ZeroDivisionError" })).toMatch(/1\/0[\s\S]*ZeroDiv/);
  });

  it("[X4] leaves out executions that are excluded, and unknown roles", () => {
    const excluded = { role: "bashExecution", command: "x", output: "", excludeFromContext: true };
    const python = { role: "pythonExecution", code: "x", output: "", excludeFromContext: true };
    expect(convertToLlm([excluded, python, { role: "?" }] as unknown as Message[])).toEqual([]);
  });

  it("[X4] shows mentioned files with their images, and an extension's message as it is", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const mention = {
      role: "fileMention",
      files: [
        { path: "a.ts", content: "let a;" },
        { path: "b.png", image },
      ],
    };
    expect(rendered(mention)?.content).toMatchObject([{ type: "text" }, { type: "text" }, image]);
    expect(textOf(mention)).toContain('<file path="a.ts">\nlet a;\n</file>');
    expect(textOf({ role: "custom", customType: "x", content: "as it is" })).toBe("as it is");
  });

  it("[X6] makes all text well-formed, arguments and their keys included", () => {
    const call = { type: "toolCall", id: "c", name: "w\ud800", arguments: { "k\udc00": ["v\ud83d", { x: "\udfff" }] } };
    const message = { role: "assistant", content: [{ type: "text", text: "a\ud800" }, call] };
    expect(rendered(message)?.content).toEqual([
      { type: "text", text: "a\ufffd" },
      { ...call, name: "w\ufffd", arguments: { "k\ufffd": ["v\ufffd", { x: "\ufffd" }] } },
    ]);
    expect(textOf({ role: "user", content: "fine 👩‍💻 \ud800" })).toBe("fine 👩‍💻 \ufffd");
  });

  it("[X4] takes odd content without a fault", () => {
    let deep: unknown = "end";
    for (let depth = 0; depth < 20_000; depth++) deep = [deep];
    const odd = [
      { role: "user" },
      { role: "user", content: [null, 5, { type: "text" }, { type: "text", text: "x" }] },
      { role: "assistant", content: null },
      { role: "assistant", content: [{ type: "toolCall", id: "c", name: "n", arguments: { deep } }] },
      {
        role: "assistant",
        content: [{ type: "toolCall", id: "c", name: "n", arguments: "raw" }, { type: "toolCall" }],
      },
      { role: "toolResult", toolCallId: "c", content: undefined },
      { role: "bashExecution" },
      { role: "fileMention", files: [null, {}] },
      { role: "system", content: null, sections: { a: 5 } },
      { role: "compactionSummary" },
    ];
    expect(JSON.stringify(convertToLlm(odd as unknown as Message[]))).toContain("nested too deep");
  });
});

it("[X4] fills templates literally", () => {
  expect(fill("{{a}} {{b}} {{c}}", { a: "{{b}}", b: "$1" })).toBe("{{b}} $1 ");
});

it("[X4] generates the templates from prompts", () => {
  expect(execFileSync(process.execPath, [`${ROOT}scripts/templates.mjs`, "--check"], { encoding: "utf8" })).toBe("");
});
