import type { Usage } from "../session/message.ts";

/** Two usages as one; costs add up where both are known or one is. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: totalOf(a) + totalOf(b),
    ...((a.cost || b.cost) && { cost: addCost(a.cost ?? FREE, b.cost ?? FREE) }),
  };
}

type Cost = NonNullable<Usage["cost"]>;
const FREE: Cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

const totalOf = (usage: Usage) => usage.totalTokens ?? usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

const addCost = (a: Cost, b: Cost): Cost => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  total: a.total + b.total,
});
