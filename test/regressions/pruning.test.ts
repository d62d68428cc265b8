import { describe, expect, it } from "vitest";
import { textOf } from "../../src/core/context/blocks.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { convertToLlm } from "../../src/core/context/render.ts";
import { pruneToolOutputs } from "../../src/core/plan/prune.ts";
import { openSession } from "../../src/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock } from "../../src/testing/index.ts";
import { callsTool, chars, type Draft, message, pathOf, settingsOf, user } from "../core/plan/entries.ts";

const PRUNING = { protectTokens: 500, minSavings: 100 };
const turn = (id: string, name: string, args: Record<string, unknown> = {}): Draft[] => [
  callsTool(name, args, id),
  message({
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: `${id} `.repeat(400) }],
    isError: false,
  }),
];
const path = pathOf(
  user("go"),
  ...turn("a", "bash"),
  ...turn("b", "bash"),
  user("next"),
  ...turn("c", "bash"),
  ...turn("d", "bash"),
);
const opened = (entries = path, leafId?: string, pruning = PRUNING) =>
  openSession(createMemoryStore({ entries }), {
    settings: { pruning },
    clock: fixedClock(),
    ...(leafId !== undefined && { leafId }),
  });
const textsOf = (messages: ReturnType<typeof projectContext>["messages"]) =>
  messages.map(({ message }) => textOf((message as { content?: unknown }).content));
const isPruned = (text: string) => text.startsWith("[Output truncated");

describe("pruning", () => {
  it("[TB-05] navigating to before a prune brings the originals back, and a sibling branch keeps them", async () => {
    const session = await opened();
    expect((await session.prune()).status).toBe("pruned");
    expect(textsOf((await session.context()).messages).filter(isPruned)).toHaveLength(2);
    const stored: typeof path = [];
    for await (const { entry } of session.store.entries()) stored.push(entry);
    const before = await opened(stored, path.at(-1)?.id);
    expect(textsOf((await before.context()).messages)).toEqual(textsOf(projectContext(path).messages));
    const earlier = await opened(stored, "e5");
    expect(textsOf((await earlier.context()).messages).filter(isPruned)).toEqual([]);
  });

  it("[LC-05] a prune leaves every stored entry as it is", async () => {
    const session = await opened();
    await session.prune();
    expect(await session.store.read(path.map(({ id }) => id))).toEqual(path);
  });

  it("[LC-09] a prune goes on past what is pruned already, and a read stays that nothing repeats", () => {
    const pruned: Draft = {
      type: "context_edit",
      targetId: "e4",
      replacement: { content: "[Output truncated - 800 tokens]" },
    };
    const plan = pruneToolOutputs(
      [...path, ...pathOf(...(path as Draft[]), pruned).slice(-1)],
      settingsOf({ pruning: PRUNING }),
      { counter: chars },
    );
    expect(plan.kind === "prune" && plan.outputs.map(({ entryId }) => entryId)).toContain("e2");
    const reads = pathOf(
      ...turn("a", "read", { path: "f" }),
      ...turn("b", "read", { path: "f" }),
      ...turn("c", "bash"),
    );
    const gone: Draft = {
      type: "context_edit",
      targetId: "e3",
      replacement: { content: "[Output truncated - 800 tokens]" },
    };
    const stale = settingsOf({ pruning: { ...PRUNING, staleReads: true } });
    const all = pathOf(...(reads as Draft[]), gone);
    expect(pruneToolOutputs(all, stale, { counter: chars })).toMatchObject({ kind: "nothing" });
  });

  it("[LC-10] protection holds under the names that other agents give to the same tool", () => {
    const names = ["read", "skill", "Read", "read_file", "functions.read", "mcp__x__read", "bash", "mcp__x__bash"];
    const all = pathOf(...names.flatMap((name, i) => turn(`t${i}`, name)), ...turn("z", "bash"));
    const plan = pruneToolOutputs(all, settingsOf({ pruning: PRUNING }), { counter: chars });
    expect(plan.kind === "prune" && plan.outputs.map(({ toolName }) => toolName)).toEqual(["bash", "mcp__x__bash"]);
  });

  it("[PC-01] between two prunes that are worth it the sent prefix only grows", async () => {
    const session = await opened(path, undefined, { ...PRUNING, minSavings: 900 });
    let resets = 0;
    let sent: string[] = [];
    for (let round = 0; round < 12; round++) {
      await session.append(...(turn(`r${round}`, "bash") as never[]));
      if ((await session.prune()).status === "pruned") resets++;
      else {
        const now = convertToLlm((await session.context()).messages).map((item) => JSON.stringify(item));
        expect(now.slice(0, sent.length)).toEqual(sent);
      }
      sent = convertToLlm((await session.context()).messages).map((item) => JSON.stringify(item));
    }
    expect(resets).toBeGreaterThan(0);
    expect(resets).toBeLessThan(7);
  });

  it("[PC-04] the context is the same bytes when it is built again", async () => {
    const session = await opened();
    await session.prune();
    const stored: typeof path = [];
    for await (const { entry } of session.store.entries()) stored.push(JSON.parse(JSON.stringify(entry)));
    const again = await opened(stored);
    const bytes = async (each: typeof session) => JSON.stringify(convertToLlm((await each.context()).messages));
    expect(await bytes(again)).toBe(await bytes(session));
  });
});
