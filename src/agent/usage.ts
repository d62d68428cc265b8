import { limits } from "../core/trigger/decide.ts";
import type { Session } from "../engine/session.ts";

/** How full the context is. All in tokens. */
export interface ContextUsage {
  readonly tokens: number;
  readonly contextWindow: number;
  /** Automatic compaction is due above it. */
  readonly threshold: number;
  /** Of the window; whole, may be above 100. */
  readonly percent: number;
  /** Whether the provider counted it, or we estimated it [T2]. */
  readonly source: "usage" | "estimate";
}

/** What the requests of a session came to. `cost` in US dollars, as far as prices are known. */
export interface Spending {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
}

export function contextUsage(session: Session): ContextUsage {
  const { tokens, source } = session.measure();
  const { window, threshold } = limits(session.settings);
  return { tokens, contextWindow: window, threshold, percent: Math.round((tokens / window) * 100), source };
}

/** Sums what replies, summaries and failed attempts used, each once, on every branch; never goes down [M12]. */
export async function spending(session: Session): Promise<Spending> {
  const sum = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
  for await (const { entry } of session.store.entries()) {
    const holder: { usage?: unknown } = entry.type === "message" ? (entry.message as object) : (entry as object);
    const usage = holder?.usage as Record<string, unknown> | undefined;
    if (typeof usage !== "object" || usage === null) continue;
    sum.requests++;
    for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) sum[key] += finite(usage[key]);
    sum.cost += finite((usage.cost as { total?: unknown } | undefined)?.total);
  }
  return sum;
}

const finite = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
