import { describe, expect, it } from "vitest";
import { compactTool, handleCompactTool } from "../../../src/adapters/index.ts";
import { summaryPrompt } from "../../../src/core/summary/prompt.ts";
import { scriptedSummarizer } from "../../../src/testing/index.ts";
import { ARRAYS, type Call, FORMATS, LONG, round } from "./arrays.ts";

const FOCUS = "keep the API design decisions";
const compact = (id: string, focus?: string): Call => ({ id, name: "compact", input: focus ? { focus } : {} });
const bash: Call = { id: "b", name: "bash", input: { command: "ls" } };

describe.each(FORMATS)("the compact tool for %s", (format) => {
  const { user, asks, results, texts, faults } = ARRAYS[format];
  const talk = () => [user("Design the API."), ...[1, 2, 3].flatMap((n) => round(format, n))];
  const summary = () => scriptedSummarizer(["## Goal\nThe API is designed."]);

  it("[R8] puts its focus in the prompt and answers its own call with tokens before and after", async () => {
    const summarizer = summary();
    const batch = asks("A new phase.", [compact("c", FOCUS)]);
    const outcome = await handleCompactTool([...talk(), ...batch], { format, summarizer });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    const [request] = summarizer.requests;
    expect(request && summaryPrompt(request).prompt).toContain(FOCUS);
    expect(request?.messages).toHaveLength(10);
    expect(texts(outcome.messages)).toEqual([
      `Compacted: ${outcome.tokensBefore} tokens before, ${outcome.tokensAfter} after.`,
    ]);
    expect(outcome.tokensAfter).toBeLessThan(outcome.tokensBefore);
    expect(outcome.messages.slice(1, 1 + batch.length)).toEqual(batch);
    expect(faults(outcome.messages)).toEqual([]);
    expect((await handleCompactTool(outcome.messages, { format, summarizer })).status).toBe("none");
  });

  it("[R8] waits for its batch, which stays; two calls are one; an answer given by the loop is replaced", async () => {
    const summarizer = summary();
    const asked = [...talk(), ...asks("Both.", [compact("c1", FOCUS), bash, compact("c2", "and the errors")])];
    const early = await handleCompactTool(asked, { format, summarizer });
    expect(early).toEqual({ status: "waiting", messages: asked });
    const given = results([
      { id: "c1", name: "compact", text: "ok" },
      { id: "b", name: "bash", text: LONG },
    ]);
    const outcome = await handleCompactTool([...asked, ...given], { format, summarizer });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(summarizer.requests.map(({ focus }) => focus)).toEqual([`${FOCUS}\nand the errors`]);
    const done = `Compacted: ${outcome.tokensBefore} tokens before, ${outcome.tokensAfter} after.`;
    expect(texts(outcome.messages)).toEqual([done, LONG, done]);
    expect(faults(outcome.messages)).toEqual([]);
  });

  it("[R8] is refused right after a compaction, with a reason, and not once there is work again", async () => {
    const summarizer = summary();
    const first = await handleCompactTool([...talk(), ...asks("One.", [compact("c1")])], { format, summarizer });
    const twice = [...first.messages, ...asks("Again.", [compact("c2")])];
    const refused = await handleCompactTool(twice, { format, summarizer });
    expect(refused).toMatchObject({ status: "refused", because: "just-compacted" });
    expect(texts(refused.messages)[1]).toMatch(/^Not compacted: .*just now/);
    expect(faults(refused.messages)).toEqual([]);
    const worked = [...refused.messages, ...round(format, 7), ...asks("Now.", [compact("c3")])];
    expect((await handleCompactTool(worked, { format, summarizer })).status).toBe("compacted");
  });

  it("[R8] says so when there is too little, and does nothing where it was not called", async () => {
    const small = [user("Hi."), ...asks("Hm.", [compact("c")])];
    const outcome = await handleCompactTool(small, { format });
    expect(outcome).toMatchObject({ status: "skipped", because: "too-small" });
    expect(texts(outcome.messages)).toEqual(["Not compacted: there is too little to replace."]);
    expect(faults(outcome.messages)).toEqual([]);
    expect(await handleCompactTool(talk(), { format })).toEqual({ status: "none", messages: talk() });
  });

  it("[R8] has a schema that takes a focus", () => {
    const json = JSON.stringify(compactTool(format));
    expect(json).toContain('"name":"compact"');
    expect(json).toContain('"focus":{"type":"string"');
  });
});
