// Only the engine, under a loop of your own: store what happens, call `maintain` before each request, send `context`.
import assert from "node:assert/strict";
import { openSession } from "espalier";
import { toAnthropic } from "espalier/adapters";

const session = await openSession("loop.jsonl", { create: { cwd: "/" }, settings: { contextWindow: 12_000 } });
await session.append({ role: "user", content: "Go through the log, piece by piece." });

let largest = 0;
for (let round = 1; ; round++) {
  const { decision, tokens, message } = await session.maintain();
  if (message) throw new Error(message);
  if (decision.kind !== "none") console.log(`round ${round}: ${decision.kind}, ${tokens} tokens now`);
  largest = Math.max(largest, tokens);
  const reply = await ask(toAnthropic((await session.context()).messages), round);
  if (reply === null) break;
  await session.append(
    {
      role: "assistant",
      content: [{ type: "toolCall", id: `c${round}`, name: "bash", arguments: { command: reply } }],
    },
    { role: "toolResult", toolCallId: `c${round}`, toolName: "bash", content: [output(round)], isError: false },
  );
  await session.endTurn();
}
assert(largest <= 12_000, "no request was over the window");
const { counts } = await session.explain();
console.log(counts);
assert(counts.summarised > 0);
await session.close();

async function ask(request: object, round: number): Promise<string | null> {
  assert(JSON.stringify(request).length > 0);
  return round > 60 ? null : `sed -n ${round * 100},${round * 100 + 99}p app.log`;
}

function output(round: number) {
  return { type: "text" as const, text: `lines of piece ${round}\n`.repeat(60) };
}
