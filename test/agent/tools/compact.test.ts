import { expect, it, vi } from "vitest";
import { type CompactReply, createCompactTool } from "../../../src/agent/tools/compact.ts";
import { text } from "./scratch.ts";

it("[R8] answers accepted and runs nothing itself", async () => {
  const request = vi.fn((): CompactReply => ({ accepted: true }));
  const tool = createCompactTool(request);
  const result = await tool.execute("call-7", { focus: " the API " });
  expect(request.mock.calls).toEqual([["call-7", "the API"]]);
  expect(text(result)).toMatch(/^Accepted: the conversation is compacted when this batch is complete\.$/);
  await tool.execute("call-8", {});
  expect(request.mock.calls[1]).toEqual(["call-8", undefined]);
});

it("[R8] refuses with the reason it is given", async () => {
  const tool = createCompactTool(() => ({ accepted: false, because: "the conversation was compacted just now" }));
  expect(text(await tool.execute("call-1", {}))).toBe("Not compacted: the conversation was compacted just now.");
});
