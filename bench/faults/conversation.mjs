/** What must not be lost: a rule that the user gives once, in the first turn. */
export const RULE = "Never touch src/lexer.ts";
const TURNS = 40;

/** Requests and answers, oldest first, about 300 tokens a turn. */
export const conversation = Array.from({ length: TURNS }, (_, turn) => [
  {
    role: "user",
    text: `${turn === 0 ? `${RULE}, whatever happens. ` : ""}Please fix problem ${turn} in src/part-${turn % 7}.ts. ${`It shows up in case ${turn} of the tests. `.repeat(14)}`,
  },
  { role: "assistant", text: `Problem ${turn} is fixed. ${`I changed function f${turn} and its test. `.repeat(14)}` },
]).flat();

const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** The same as session entries of pi, oh-my-pi and Espalier. */
export const entries = conversation.map(({ role, text }, index) => ({
  type: "message",
  id: index.toString(16).padStart(8, "0"),
  parentId: index === 0 ? null : (index - 1).toString(16).padStart(8, "0"),
  timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  message:
    role === "user"
      ? { role, content: text, timestamp: index }
      : {
          role,
          content: [{ type: "text", text }],
          api: "openai-completions",
          provider: "mock",
          model: "m",
          usage: { ...USAGE, cost: COST },
          stopReason: "stop",
          timestamp: index,
        },
}));

/** A model of pi and oh-my-pi at a server of one's own. */
export const piModel = (baseUrl) => ({
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "mock",
  baseUrl,
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 60_000,
  maxTokens: 8_192,
});

/** What is asked of every system: keep about the newest 2,000 tokens. */
export const KEEP_TOKENS = 2_000;
