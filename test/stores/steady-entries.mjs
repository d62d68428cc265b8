const TIME = "2026-01-01T00:00:00.000Z";
const SIZES = [10, 300, 2_000, 12, 20_000, 40, 900, 5_000, 30];

export const HEADER = { type: "session", version: 3, id: "s1", timestamp: TIME, cwd: "/" };

/** The entry that every writer puts at this place; each tenth is a compaction that keeps the two before it. */
export function entryAt(i) {
  const base = { id: `e${i}`, parentId: i === 0 ? null : `e${i - 1}`, timestamp: TIME };
  if (i % 10 === 9) {
    const summary = `## Goal\nAll up to e${i - 3}.`;
    return { type: "compaction", ...base, summary, firstKeptEntryId: `e${i - 2}`, tokensBefore: 100 };
  }
  const role = i % 2 === 0 ? "user" : "assistant";
  const text = `${i}: ${"é".repeat(SIZES[i % SIZES.length])}`;
  const content = [{ type: "text", text }];
  return {
    type: "message",
    ...base,
    message: role === "user" ? { role, content } : { role, content, stopReason: "stop" },
  };
}
