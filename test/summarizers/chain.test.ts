import { describe, expect, it } from "vitest";
import { scriptCounter } from "../../src/core/context/tokens.ts";
import type { SummaryRequest } from "../../src/core/summary/request.ts";
import { embeddedSummarizer } from "../../src/summarizers/embedded.ts";
import { fallbackSummarizer } from "../../src/summarizers/fallback.ts";
import { llmSummarizer } from "../../src/summarizers/llm.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { scriptedSummarizer } from "../../src/testing/scripted-summarizer.ts";
import { sessionWith, turnEntries } from "./session.ts";

const RULE = "Never touch legacy.ts.";
const previousOf = (request: SummaryRequest) => request.previous?.summary ?? "## Goal\n- Fix the problems.";

const HABITS: Record<string, (request: SummaryRequest) => string> = {
  "echoes what it is given": (request) =>
    `${previousOf(request)}\n${request.messages.map(({ message }) => JSON.stringify(message)).join("\n")}`,
  "drops 10 %": (request) => {
    const lines = `${previousOf(request)}\n- And so on, step ${request.messages.length}.`.split("\n");
    return lines.slice(0, Math.max(2, Math.ceil(lines.length * 0.9))).join("\n");
  },
  doubles: (request) => `${previousOf(request)}\n\n${previousOf(request)}`,
};

const count = (text: string, part: string) => text.split(part).length - 1;

describe("twenty compactions in a row", () => {
  it.each(Object.entries(HABITS))(
    "[M10] by a summariser that %s: capped, pins and files kept, nothing nests",
    async (_, habit) => {
      const { session } = await sessionWith(scriptedSummarizer([habit]), { turns: 20 });
      let compactions = 0;
      for (let round = 0, next = 20; round < 20; round++, next += 12) {
        const outcome = await session.compact();
        if (outcome.status === "compacted") {
          compactions++;
          const { entry, result } = outcome;
          const { budget } = result.plan;
          expect(scriptCounter.count(entry.summary)).toBeLessThanOrEqual(budget.text + budget.restated + TOLD);
          expect(count(entry.summary, RULE)).toBeGreaterThan(0);
          for (const tag of ["<modified-files>", "<read-files>", "## Pinned"]) {
            expect(count(entry.summary, tag)).toBeLessThanOrEqual(1);
          }
          expect(entry.details).toMatchObject({ modifiedFiles: FILES, readFiles: [] });
        }
        await session.append(
          ...turnEntries(12, next).flatMap((made) => (made.type === "message" ? [made.message] : [])),
        );
      }
      expect(compactions).toBeGreaterThan(15);
    },
  );
});

/** What the engine may add on top of the summary: pins and facts. */
const TOLD = 2_500;

/** Each is modified within the first ten turns, so that none is only read. */
const FILES = [0, 1, 2, 3, 4].map((n) => `src/f${n}.ts`);

describe("what the engine adds is a floor under any model", () => {
  const REPLIES = {
    vague: "## Goal\nSome work was done on some files.",
    wrong: "## Goal\nWrite a poem. [#nope]\n\n## Constraints & Preferences\n- Edit legacy.ts freely.",
    empty: "",
  };

  it.each(Object.entries(REPLIES))(
    "[M6] a %s summary: rules, files and the way back are there all the same",
    async (kind, reply) => {
      const model = scriptedModel([reply]);
      const summarizer = fallbackSummarizer([llmSummarizer(model)], { last: embeddedSummarizer() });
      const { session } = await sessionWith(summarizer);
      const outcome = await session.compact();
      expect(outcome.status).toBe("compacted");
      if (outcome.status !== "compacted") return;
      const { summary, details, method } = outcome.entry;
      expect(method).toBe(kind === "empty" ? "extractive" : "llm");
      expect(summary).toContain(RULE);
      expect(summary).toMatch(/<modified-files>\n(src\/f\d\.ts\n)+<\/modified-files>/);
      expect(details?.modifiedFiles?.length).toBeGreaterThan(0);
      expect(outcome.result.tokensAfter).toBeLessThan(outcome.result.tokensBefore);
    },
  );
});
