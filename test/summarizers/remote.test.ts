import { expect, it } from "vitest";
import type { ContextMessage } from "../../src/core/context/projection.ts";
import type { SummaryRequest } from "../../src/core/summary/request.ts";
import { remoteModel } from "../../src/models/remote.ts";
import { remoteSummarizer } from "../../src/summarizers/remote.ts";
import { endpoint, type Handler, json } from "../models/endpoint.ts";

const said = (id: string, text: string): ContextMessage => ({ entryId: id, message: { role: "user", content: text } });
const REQUEST: SummaryRequest = {
  kind: "history",
  messages: [said("a1", "Please move the parser into its own file. ".repeat(40))],
  maxTokens: 500,
  focus: "the parser",
};
const never = new AbortController().signal;

async function ask(handle: Handler, waits: number[] = []) {
  const { url, posts } = await endpoint(handle);
  const patience = {
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  const reply = await remoteSummarizer(remoteModel({ endpoint: url }), { patience }).summarize(REQUEST, never);
  return { reply, posts, waits };
}

it("[M8] the endpoint gets the request of M1 as text, and its summary is told as remote", async () => {
  const { reply, posts } = await ask(json({ summary: "## Goal\n- move the parser" }));
  expect(reply).toMatchObject({ kind: "text", method: "remote", text: "## Goal\n- move the parser" });
  const { systemPrompt = "", prompt = "" } = posts[0]?.body ?? {};
  expect(systemPrompt).not.toBe("");
  expect(prompt).toMatch(/^<conversation>\n\[User #a1\]: Please move[\s\S]*<\/conversation>/);
  expect(prompt).toContain("the parser");
});

it("[M8] 429 and 5xx are tried three times, retry-after first", async () => {
  const { reply, posts, waits } = await ask((response, _, number) =>
    number < 3
      ? json({}, number === 1 ? 429 : 503, number === 1 ? { "retry-after": "2" } : {})(response, _, number)
      : json({ summary: "done" })(response, _, number),
  );
  expect(reply).toMatchObject({ kind: "text", text: "done" });
  expect([posts.length, waits]).toEqual([3, [2000, 2000]]);
  const busy = await ask(json({}, 503));
  expect(busy.reply).toMatchObject({ kind: "failed", failure: "transient" });
  expect(busy.posts).toHaveLength(3);
});

it("[M8] other errors are not tried again", async () => {
  for (const status of [400, 401, 403, 404, 413]) expect((await ask(json({}, status))).posts).toHaveLength(1);
  const { reply, posts } = await ask(json({}));
  expect([reply.kind, posts.length]).toEqual(["failed", 1]);
});

it("[M8, M6] an empty or longer summary is asked for once more and then refused", async () => {
  for (const summary of ["  \n", "longer than all of it ".repeat(500)]) {
    const { reply, posts } = await ask(json({ summary }));
    expect(reply).toMatchObject({ kind: "failed", failure: "unaccepted" });
    expect(posts).toHaveLength(2);
  }
});
