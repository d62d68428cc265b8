import type { PruneOutcome } from "../engine/prune.ts";
import { thousands } from "./render/number.ts";

/** The JSON document of a prune. `out` is the file that was written instead of the session. */
export function pruneDocument(outcome: PruneOutcome, out?: string): object {
  if (outcome.status === "skipped") return { ...outcome };
  const { status, persist, saved, tokensBefore, tokensAfter, outputs, entries } = outcome;
  return {
    status,
    persist,
    saved,
    tokensBefore,
    tokensAfter,
    outputs: outputs.map(({ entryId, toolName, tokens, saved }) => ({ entryId, toolName, tokens, saved })),
    entryIds: status === "pruned" ? entries.map(({ id }) => id) : [],
    out,
  };
}

/** One sentence on why nothing was pruned. */
export function skippedPrune({ because, saved }: Extract<PruneOutcome, { status: "skipped" }>): string {
  switch (because) {
    case "nothing-old-enough":
      return "Nothing to prune: all tool outputs are recent, protected, small or pruned already.";
    case "too-little":
      return `Nothing to prune: it would save ${thousands(saved)} tokens, less than pruning.minSavings asks for.`;
    case "off":
      return "Nothing to prune: pruning.enabled is false.";
  }
}
