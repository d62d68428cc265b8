import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { explain } from "../../src/core/context/explain.ts";
import { createLiveScan } from "../../src/core/context/live.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { convertToLlm } from "../../src/core/context/render.ts";
import type { Entry } from "../../src/core/session/entry.ts";
import { aiSdkFaults } from "../checkers/ai-sdk.ts";
import { anthropicFaults } from "../checkers/anthropic.ts";
import { openAiChatFaults } from "../checkers/openai-chat.ts";
import { openAiResponsesFaults } from "../checkers/openai-responses.ts";
import { pathTo, plainSessions, sessions } from "./sessions.ts";

const CHECKERS = {
  anthropic: anthropicFaults,
  "openai-chat": openAiChatFaults,
  "openai-responses": openAiResponsesFaults,
  "ai-sdk": aiSdkFaults,
} as const;

const FORMATS = Object.keys(CHECKERS) as (keyof typeof CHECKERS)[];

const suffixOf = (path: readonly Entry[]) => {
  const scan = createLiveScan();
  let at = path.length;
  while (at > 0 && !scan.enough(path[--at] as Entry));
  return path.slice(at);
};

const LONE = /\p{Surrogate}/u;

describe("random sessions", () => {
  it("[X5] are acceptable to every provider at the leaf", () => {
    const holds = fc.property(sessions(), ({ entries, leafId }) => {
      const { messages } = projectContext(pathTo(entries, leafId));
      for (const format of FORMATS) expect(CHECKERS[format](renderFor(format, messages))).toEqual([]);
    });
    fc.assert(holds, { numRuns: 2000 });
  });

  it("[I2] are acceptable at every leaf", () => {
    const holds = fc.property(sessions({ maxSteps: 25 }), ({ entries }) => {
      for (const { id } of entries) {
        const { messages } = projectContext(pathTo(entries, id));
        for (const format of FORMATS) {
          expect(CHECKERS[format](renderFor(format, messages))).toEqual([]);
        }
      }
    });
    fc.assert(holds, { numRuns: 300 });
  });

  it("[X1] give the same messages from the whole path and from what a live scan found enough", () => {
    const holds = fc.property(sessions({ maxSteps: 60 }), ({ entries, leafId }) => {
      const path = pathTo(entries, leafId);
      const whole = projectContext(path);
      const { model: _, thinkingLevel: __, ...same } = whole;
      expect(projectContext(suffixOf(path))).toMatchObject({ ...same });
      expect(projectContext(path)).toEqual(whole);
    });
    fc.assert(holds, { numRuns: 1500 });
  });

  it("[X6] render no lone surrogate in any format", () => {
    const holds = fc.property(sessions(), ({ entries, leafId }) => {
      const { messages } = projectContext(pathTo(entries, leafId));
      for (const format of FORMATS) {
        const json = JSON.stringify(renderFor(format, messages));
        expect(LONE.test(json) || /\\ud[89a-f]/i.test(json)).toBe(false);
      }
    });
    fc.assert(holds, { numRuns: 1000 });
  });

  it("[X7] only grow at the end while nothing maintains them", () => {
    const holds = fc.property(plainSessions(), ({ entries }) => {
      let sent: string[][] = [[], [], []];
      for (let end = 1; end <= entries.length; end++) {
        const { messages } = projectContext(entries.slice(0, end));
        if (messages.some((message) => message.synthetic && message.message.role === "toolResult")) continue;
        const chat = renderFor("openai-chat", messages).messages;
        const responses = renderFor("openai-responses", messages).messages;
        const now = [convertToLlm(messages), chat, responses].map((list) => list.map((item) => JSON.stringify(item)));
        for (const [at, list] of now.entries()) expect(list.slice(0, sent[at]?.length)).toEqual(sent[at]);
        sent = now;
      }
    });
    fc.assert(holds, { numRuns: 500 });
  });

  it("[X8] are explained entry by entry, from metadata alone outside the live span", () => {
    const holds = fc.property(sessions({ maxSteps: 60 }), ({ entries, leafId }) => {
      const path = pathTo(entries, leafId);
      const metas = path.map((entry) => ({
        id: entry.id,
        parentId: entry.parentId,
        type: entry.type,
        ...(entry.type === "message" && { role: entry.message.role }),
      }));
      const told = explain(metas, projectContext(suffixOf(path)));
      expect(told.entries.map(({ id }) => id)).toEqual(path.map(({ id }) => id));
      expect(Object.values(told.counts).reduce((sum, count) => sum + count, 0)).toBe(path.length);
      const shown = projectContext(path).messages.filter(({ synthetic }) => !synthetic);
      const visible = told.entries.filter(({ fate, why }) => (fate === "verbatim" || fate === "edited") && !why);
      expect(new Set(visible.map(({ id }) => id))).toEqual(new Set(shown.map(({ entryId }) => entryId)));
    });
    fc.assert(holds, { numRuns: 1500 });
  });
});
