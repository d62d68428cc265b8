import { openSession } from "../../dist/index.js";
import { createMemoryStore } from "../../dist/stores/memory.js";
import { linesOf } from "./lines.mjs";
import { tokensOf } from "./sessions.mjs";

const HEADER = { type: "session", version: 3, id: "quality", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" };

/** Ways to bring `past`, message entries, under `budget` tokens; each gives `{lines, tokens}`. */
export const CONTEXTS = {
  espalier,
  tail: (past, budget) => ofMessages(tailOf(past, budget)),
  "random lines": randomLines,
  "shuffled tail": (past, budget) => {
    const tail = tailOf(past, budget);
    return { ...ofMessages(tail), lines: shuffled(tail.flatMap(({ message }) => linesOf(message, false))) };
  },
};

/** The engine as it works by itself: the threshold is passed, the context lands under 80 % of it. */
async function espalier(past, budget) {
  const entries = past.map((entry, i) => ({ ...entry, parentId: past[i - 1]?.id ?? null }));
  const session = await openSession(createMemoryStore({ header: HEADER, entries }), {
    settings: {
      contextWindow: budget * 4,
      compaction: {
        thresholdTokens: Math.ceil(budget / 0.8),
        reserveTokens: budget,
        keepRecentTokens: Math.floor(budget / 2),
      },
    },
  });
  await session.maintain();
  const { messages } = await session.context();
  await session.close();
  return ofMessages(messages);
}

/** The newest messages that fit, not beginning with a tool result. */
function tailOf(past, budget) {
  let from = past.length;
  for (let at = past.length - 1, left = budget; at >= 0; at--) {
    left -= tokensOf(past[at].message);
    if (left < 0) break;
    if (past[at].message.role !== "toolResult") from = at;
  }
  return past.slice(from);
}

/** Lines from all over, in their order, until the budget is full. */
function randomLines(past, budget) {
  const lines = past.flatMap(({ message }) => linesOf(message)).filter((line) => line.trim());
  const taken = new Set();
  let tokens = 0;
  for (const at of shuffled(lines.map((_, i) => i))) {
    const cost = tokensOf({ role: "user", content: lines[at] });
    if (tokens + cost > budget) break;
    tokens += cost;
    taken.add(at);
  }
  return { lines: lines.filter((_, i) => taken.has(i)), tokens };
}

function ofMessages(sources) {
  return {
    lines: sources.flatMap(({ message }) => linesOf(message)),
    tokens: sources.reduce((sum, { message }) => sum + tokensOf(message), 0),
  };
}

/** Always in the same disorder (mulberry32). */
function shuffled(items) {
  const list = [...items];
  let seed = 42;
  for (let i = list.length - 1; i > 0; i--) {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const at = ((mixed ^ (mixed >>> 14)) >>> 0) % (i + 1);
    [list[i], list[at]] = [list[at], list[i]];
  }
  return list;
}
