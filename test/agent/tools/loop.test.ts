import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runToolCall } from "@earendil-works/pi-agent-core";
import { describe, expect, it } from "vitest";
import { createCompactTool, createTools } from "../../../src/agent/tools/index.ts";
import { folder, NO_SESSION, text } from "./scratch.ts";

type Options = Parameters<typeof runToolCall>[1];

/** A call as pi's loop makes it: arguments prepared, checked by the schema, errors as results. */
async function called(cwd: string, name: string, args: Parameters<typeof runToolCall>[0]["arguments"]) {
  const all = [
    ...createTools({ cwd, session: NO_SESSION, allowAll: true }),
    createCompactTool(() => ({ accepted: true })),
  ];
  const assistantMessage = { role: "assistant", content: [] } as unknown as Options["assistantMessage"];
  const options = { assistantMessage, context: { messages: [], tools: all }, tools: all } as Options;
  const { result, isError } = await runToolCall({ type: "toolCall", id: "call-1", name, arguments: args }, options);
  return { text: text(result), details: result.details, isError };
}

describe("the tools in pi's loop", () => {
  it("take numbers as text, nulls for what is not given, and edits in every form", async () => {
    const cwd = folder({ a: "one\ntwo\nthree\n" });
    expect(await called(cwd, "read", { path: "a", offset: "2", limit: null })).toMatchObject({ text: "two\nthree" });
    expect(await called(cwd, "bash", { command: "echo hi", timeout: "5" })).toMatchObject({
      text: "hi\n",
      isError: false,
    });
    await called(cwd, "edit", { path: "a", edits: '[{"oldText":"one","newText":"1"}]' });
    await called(cwd, "edit", { path: "a", edits: { oldText: "two", newText: "2" } });
    await called(cwd, "edit", { path: "a", edits: null, oldText: "three", newText: "" });
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("1\n2\n\n");
    expect(await called(cwd, "recall", { query: "walrus" })).toMatchObject({ isError: false });
    expect(await called(cwd, "compact", {})).toMatchObject({ text: expect.stringMatching(/^Accepted/) });
  });

  it("give errors as results that the model can act on, and keep the details of a failed command", async () => {
    const cwd = folder();
    expect(await called(cwd, "read", { path: "../x" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/use a path inside/),
    });
    expect(await called(cwd, "write", { path: "x" })).toMatchObject({ isError: true });
    expect(await called(cwd, "bash", { command: "exit 4" })).toMatchObject({ isError: true, details: { exitCode: 4 } });
  });

  it("say of themselves what is true, in few words", () => {
    const all = createTools({ cwd: folder(), session: NO_SESSION });
    expect(all.map(({ name }) => name)).toEqual(["read", "write", "edit", "bash", "recall"]);
    for (const { description, parameters } of all) {
      expect(description.length).toBeLessThan(250);
      expect(JSON.parse(JSON.stringify(parameters))).toEqual(parameters);
    }
  });
});
