import { describe, expect, it } from "vitest";
import { createPipeline } from "../../../src/adapters/index.ts";
import { scriptedSummarizer } from "../../../src/testing/index.ts";
import { ARRAYS, FORMATS, round } from "./arrays.ts";

describe.each(FORMATS)("the pipeline for %s", (format) => {
  const { user, asks, texts, faults } = ARRAYS[format];
  const big = "0123456789abcde\n".repeat(1500);

  it("[R6] [R7] [R8] a hundred rounds: every request fits and is taken, each layer has its turn", async () => {
    const transcripts: string[][] = [];
    const pipeline = createPipeline({
      format,
      transcripts: async (name, lines) => {
        transcripts.push([...lines]);
        return name;
      },
    });
    let messages: object[] = [user("Fix all parts; never touch src/legacy.")];
    let marked = 0;
    let compacted = 0;
    let served = 0;
    for (let n = 1; n <= 100; n++) {
      const step = await pipeline.beforeRequest(messages);
      messages = step.messages;
      expect(faults(step.request)).toEqual([]);
      expect(step.tokens).toBeLessThanOrEqual(50_000);
      if (step.outcome.status === "compacted") compacted++;
      marked += texts(step.request).filter((text) => text === "[Previous: used bash]").length;
      expect(texts(messages)).not.toContain("[Previous: used bash]");
      const asksIt = n % 7 === 0;
      const due = step.outcome.status === "compacted" ? "refused" : "compacted";
      messages.push(
        ...(asksIt ? asks("New phase.", [{ id: `k${n}`, name: "compact", input: {} }]) : round(format, n, big)),
      );
      const after = await pipeline.afterToolResults(messages);
      expect(after.status).toBe(asksIt ? due : "none");
      if (after.status === "compacted") served++;
      messages = after.messages;
    }
    expect(marked).toBeGreaterThan(15);
    expect(compacted).toBeGreaterThan(5);
    expect(served).toBeGreaterThan(5);
    expect(transcripts).toHaveLength(compacted + served);
    expect(JSON.stringify(messages)).toContain("never touch src/legacy");
  });

  it("[T8] stops after three failures in a row until the model's own call succeeds", async () => {
    let works = false;
    const pipeline = createPipeline({
      format,
      threshold: 1000,
      transcripts: async (name) => {
        if (works) return name;
        throw new Error("disk full");
      },
    });
    const messages = [user("Go."), ...[1, 2, 3, 4].flatMap((n) => round(format, n))];
    const statuses: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { outcome } = await pipeline.beforeRequest(messages);
      statuses.push(outcome.status === "skipped" ? outcome.because : outcome.status);
    }
    expect(statuses).toEqual(["failed", "failed", "failed", "breaker-open", "breaker-open"]);
    works = true;
    const call = asks("Room.", [{ id: "k", name: "compact", input: {} }]);
    expect((await pipeline.afterToolResults([...messages, ...call])).status).toBe("compacted");
    expect((await pipeline.beforeRequest(messages)).outcome.status).toBe("compacted");
  });

  it("[R6] layers can be left out", async () => {
    const summarizer = scriptedSummarizer(["unused"]);
    const messages = [user("Go."), ...[1, 2, 3, 4].flatMap((n) => round(format, n, big))];
    const plain = createPipeline({ format, summarizer, micro: false, auto: false, threshold: 100 });
    const { request, outcome } = await plain.beforeRequest(messages);
    expect(request).toEqual(messages);
    expect(outcome.status).toBe("skipped");
    expect(summarizer.requests).toEqual([]);
  });
});
