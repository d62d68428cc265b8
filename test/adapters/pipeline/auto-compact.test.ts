import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { autoCompact } from "../../../src/adapters/index.ts";
import { summaryPrompt } from "../../../src/core/summary/prompt.ts";
import { transcriptsIn } from "../../../src/stores/jsonl/index.ts";
import { fixedClock, scriptedSummarizer } from "../../../src/testing/index.ts";
import { ARRAYS, FORMATS, LONG, round } from "./arrays.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-pipeline-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const REQUEST = "Move the rate limiter to the gateway.\nKeep `x-quota` as it is; never touch src/legacy.";

describe.each(FORMATS)("automatic compaction of %s", (format) => {
  const { user, asks, faults } = ARRAYS[format];
  const big = "0123456789abcde\n".repeat(1500);
  const long = () => [user(REQUEST), ...[1, 2, 3, 4, 5].flatMap((n) => round(format, n, big))];

  it("[R7] does nothing up to 50,000 tokens", async () => {
    const messages = [user(REQUEST), ...round(format, 1)];
    const outcome = await autoCompact(messages, { format });
    expect(outcome).toMatchObject({ status: "skipped", because: "under-threshold" });
    expect(outcome.messages).toEqual(messages);
  });

  it("[R7] over 50,000 tokens: one [compressed] message that a provider takes, with the request word for word", async () => {
    const messages = long();
    const copy = structuredClone(messages);
    const outcome = await autoCompact(messages, { format, clock: fixedClock() });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(messages).toEqual(copy);
    expect(outcome.messages).toHaveLength(1);
    expect(faults(outcome.messages)).toEqual([]);
    expect(outcome.summary).toContain(REQUEST);
    expect(JSON.stringify(outcome.messages)).toContain("[compressed] ");
    expect(outcome.summary).toContain("src/part-3.ts");
    expect(outcome.method).toBe("extractive");
    expect(outcome.tokensBefore).toBeGreaterThan(50_000);
    expect(outcome.tokensAfter).toBeLessThan(40_000);
    const again = await autoCompact(long(), { format, clock: fixedClock() });
    expect(again).toEqual(outcome);
  });

  it("[K5] backs the whole array up first, one message a line, and tells where", async () => {
    const messages = long();
    const outcome = await autoCompact(messages, { format, transcripts: transcriptsIn(folder) });
    const [name = "", ...others] = await readdir(join(folder, ".transcripts"));
    expect(name).toMatch(/^transcript_\d{13}_[0-9a-f]+\.jsonl$/);
    expect(others).toEqual([]);
    const text = await readFile(join(folder, ".transcripts", name), "utf8");
    expect(text).toBe(`${messages.map((each) => JSON.stringify(each)).join("\n")}\n`);
    expect(outcome).toMatchObject({ status: "compacted", transcript: join(folder, ".transcripts", name) });
    expect(JSON.stringify(outcome.messages)).toContain(name);
  });

  it("[K5] changes nothing when the backup fails", async () => {
    const messages = long();
    const summarizer = scriptedSummarizer(["## Goal\nNone."]);
    const outcome = await autoCompact(messages, {
      format,
      summarizer,
      transcripts: () => Promise.reject(new Error("disk full")),
    });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "STORE_IO" } });
    expect(outcome.messages).toEqual(messages);
    expect(summarizer.requests).toEqual([]);
  });

  it("[P5] restates open calls word for word", async () => {
    const call = { id: "open_1", name: "deploy", input: { target: "staging", dry: true } };
    const outcome = await autoCompact([...long(), ...asks("Deploying.", [call])], { format });
    if (outcome.status !== "compacted") throw new Error(outcome.status);
    expect(outcome.summary).toContain('deploy({"target":"staging","dry":true})');
    expect(faults(outcome.messages)).toEqual([]);
  });

  it("[P5] a second compaction still has the request and updates the first summary", async () => {
    const summarizer = scriptedSummarizer(["## Goal\nThe first summary.", "## Goal\nThe second summary."]);
    const first = await autoCompact(long(), { format, summarizer });
    expect(JSON.stringify(first.messages)).toContain("The first summary.");
    const grown = [...first.messages, ...[6, 7, 8, 9, 10].flatMap((n) => round(format, n, big))];
    expect(faults(grown)).toEqual([]);
    const second = await autoCompact(grown, { format, summarizer });
    if (second.status !== "compacted") throw new Error(second.status);
    expect(summarizer.requests[1]?.previous?.summary).toBe("## Goal\nThe first summary.");
    expect(second.messages).toHaveLength(1);
    expect(second.summary.split(REQUEST)).toHaveLength(2);
    expect(second.summary).toContain("never touch src/legacy");
    expect(second.summary).not.toContain("The first summary.");
    expect(faults(second.messages)).toEqual([]);
  });

  it("[R7] a summariser that fails is stood in for; one that is aborted leaves the array as it was", async () => {
    const failing = scriptedSummarizer([{ kind: "failed", reason: "No key.", retryable: false }]);
    const outcome = await autoCompact(long(), { format, summarizer: failing });
    expect(outcome).toMatchObject({ status: "compacted", method: "extractive" });
    const aborted = await autoCompact(long(), { format, signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ status: "cancelled", messages: long() });
  });

  it("[R7] keepLastRound leaves the newest batch as it is while there is room for it", async () => {
    const last = round(format, 6);
    const kept = await autoCompact([...long(), ...last], { format, keepLastRound: true });
    expect(kept.messages.slice(1)).toEqual(last);
    expect(faults(kept.messages)).toEqual([]);
    const huge = await autoCompact([...long(), ...round(format, 6, big.repeat(4))], { format, keepLastRound: true });
    expect(huge.messages).toHaveLength(1);
  });

  it("[M1] the focus is in the prompt", async () => {
    const summarizer = scriptedSummarizer(["## Goal\nNone."]);
    await autoCompact(long(), { format, summarizer, focus: "the quota header" });
    const [request] = summarizer.requests;
    if (!request) throw new Error("nothing was asked");
    expect(summaryPrompt(request).prompt).toContain("the quota header");
    expect(summaryPrompt(request).prompt).toContain("bash(command=");
    expect(summarizer.requests).toHaveLength(1);
  });
});

it("[R7] system messages stay where they lead", async () => {
  for (const role of ["system", "developer"]) {
    const messages = [
      { role, content: "Be brief." },
      ARRAYS["openai-chat"].user("Go."),
      ...[1, 2, 3, 4].flatMap((n) => round("openai-chat", n)),
    ];
    const outcome = await autoCompact(messages, { format: "openai-chat", threshold: 1000 });
    expect(outcome.status).toBe("compacted");
    expect(outcome.messages[0]).toBe(messages[0]);
    expect(outcome.messages).toHaveLength(2);
  }
});

it("[R7] a transcript's line is what a citation names", async () => {
  const format = "anthropic";
  const messages = [ARRAYS[format].user("Go."), ...[1, 2, 3].flatMap((n) => round(format, n, LONG.repeat(20)))];
  const outcome = await autoCompact(messages, { format, threshold: 1000, clock: fixedClock(0xabcdef) });
  if (outcome.status !== "compacted") throw new Error(outcome.status);
  const lines = [...outcome.summary.matchAll(/\[#([0-9a-f]+)\.(\d+)/g)];
  expect(lines.length).toBeGreaterThan(0);
  for (const [, stem, line] of lines) {
    expect(stem).toBe("abcdf0");
    expect(Number(line)).toBeLessThanOrEqual(messages.length);
  }
});

it("[T1, R7] bytes of the AI SDK count as what they are, and are told by their number", async () => {
  const bytes = new Uint8Array(1_000_000).fill(200);
  const [data, buffer] = [bytes.buffer, Buffer.from(bytes)];
  const messages = [
    { role: "user", content: [...[bytes, data, buffer].map((image) => ({ type: "image", image }))] },
    { role: "user", content: [...[bytes, buffer].map((each) => file(each))] },
  ];
  const outcome = await autoCompact(messages, { format: "ai-sdk" });
  expect(outcome).toMatchObject({ status: "skipped", because: "under-threshold" });
  if (outcome.status !== "skipped") return;
  expect(outcome.tokens).toBeGreaterThan(3 * 1_200);
  expect(outcome.tokens).toBeLessThan(4_000);
});

const file = (data: Uint8Array) => ({ type: "file", data, mediaType: "application/pdf" });

it("[R7] a message of tags that never close is read in linear time", async () => {
  const opened = `<pinned>\n<last-user-request entry="a">\n`.repeat(20_000);
  const messages = [{ role: "user", content: `[compressed] It was.\n\n${opened}` }];
  const outcome = await autoCompact(messages, { format: "openai-chat" });
  expect(outcome.messages).toHaveLength(1);
});
