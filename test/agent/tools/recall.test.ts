import { describe, expect, it } from "vitest";
import { createRecallTool } from "../../../src/agent/tools/recall.ts";
import type { Session } from "../../../src/engine/session.ts";
import { openSession } from "../../../src/index.ts";
import { createMemoryStore } from "../../../src/stores/memory.ts";
import { text } from "./scratch.ts";

const said = (session: Pick<Session, "recall">, params: unknown, signal?: AbortSignal) =>
  createRecallTool(session).execute("call-1", params, signal).then(text);

describe("recall", () => {
  it("[R9] finds by words what was left on another branch, with ids and places, and reads it whole in parts", async () => {
    const session = await openSession(createMemoryStore());
    const [first] = await session.append({ role: "user", content: "Where do we start?" });
    const long = `walrus ${"word ".repeat(12_000)}end`;
    const [entry] = await session.append({ role: "user", content: long });
    await session.navigate(first!.id);
    await session.append({ role: "user", content: "Something else." });
    const found = await said(session, { query: "walrus" });
    expect(found).toMatch(
      new RegExp(`^1 hit of 1; read one whole with entryId\\.\n\n#${entry!.id} · user · on another branch\nwalrus`),
    );
    expect(found.length).toBeLessThan(2_500);
    let whole = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await said(session, { entryId: `#${entry!.id}`, ...(offset > 0 && { offset }) });
      const next = /\n\[[\d,]+ characters follow; read on with offset (\d+)\]$/.exec(part);
      whole += part.slice(part.indexOf("\n") + 1, next?.index ?? part.length);
      offset = next ? Number(next[1]) : undefined;
    }
    expect(whole).toBe(long);
    await expect(said(session, { entryId: entry!.id, offset: 100_000 })).rejects.toThrow(/out of reach/);
    await expect(said(session, { entryId: "ffffffff0" })).rejects.toThrow(
      "There is no entry ffffffff0 in this session; look for words",
    );
    expect(await said(session, { query: "unicorn" })).toMatch(/^Nothing found in \d+ earlier entr/);
    await session.close();
  });

  it("[R9] is bounded for many hits", async () => {
    const hit = { role: "toolResult", score: 1, where: "edited" as const, text: "x".repeat(400), cut: 10 };
    const requests: unknown[] = [];
    const session: Pick<Session, "recall"> = {
      recall: async (request) => {
        requests.push(request);
        return {
          hits: Array.from({ length: 20 }, (_, at) => ({ ...hit, entryId: `e${at}` })),
          found: 300,
          searched: 900,
        };
      },
    };
    const found = await said(session, { query: "x", limit: 500 });
    expect(requests).toEqual([{ words: "x", limit: 20, maxChars: 400 }]);
    expect(found).toMatch(/^20 hits of 300;/);
    expect(found).toContain("#e19 · toolResult · cut\n");
    expect(found.length).toBeLessThan(10_000);
    expect(await said(session, { entryId: "e" })).toMatch(/^300 entries begin with e: #e0 \(toolResult\), /);
  });

  it("asks for words or an id, and stops on abort", async () => {
    const session: Pick<Session, "recall"> = { recall: () => new Promise(() => {}) };
    await expect(said(session, { query: " " })).rejects.toThrow(/Give words to look for as query/);
    const stop = new AbortController();
    const waiting = said(session, { query: "x" }, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow(/Interrupted/);
  });
});
