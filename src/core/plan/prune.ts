import { projectContext } from "../context/project.ts";
import type { Projection } from "../context/projection.ts";
import { estimateMessage, type TokenCounter } from "../context/tokens.ts";
import type { Entry } from "../session/entry.ts";
import type { Message, TextBlock } from "../session/message.ts";
import type { Settings } from "../settings.ts";
import { isPlaceholder, placeholder } from "./placeholder.ts";
import { protects } from "./protected-tools.ts";
import { staleReads } from "./stale-reads.ts";
import { type ToolOutput, toolOutputs } from "./tool-outputs.ts";

/** One tool output that goes: what it takes now, what its going saves, and what stands in its place. */
export interface PrunedOutput {
  readonly entryId: string;
  readonly toolName: string;
  readonly tokens: number;
  readonly saved: number;
  readonly content: readonly TextBlock[];
}

/** A prune that is worth it; `outputs` oldest first, `saved` in tokens over all of them. */
export interface PrunePlan {
  readonly kind: "prune";
  readonly outputs: readonly PrunedOutput[];
  readonly saved: number;
}

/** `saved` is what there would have been to gain: 0 when no output may go. */
export interface NothingToPrune {
  readonly kind: "nothing";
  readonly because: "nothing-old-enough" | "too-little";
  readonly saved: number;
}

export interface PruneOptions {
  readonly counter: TokenCounter;
  /** A message's estimate, when the caller holds it already; by default it is counted. */
  readonly sizeOf?: (message: Message) => number;
  /** The second line of each placeholder: how to get the original back. `recallHint` where a recall tool is at hand. */
  readonly recallHint?: (entryId: string) => string;
  /** Further outputs that stay, beside those of `pruning.protectTools`. */
  readonly protect?: (output: Omit<ToolOutput, "newest">) => boolean;
}

/**
 * Which tool outputs of a path a prune takes, or why it takes none [R1].
 *
 * From the newest back: the newest `pruning.protectTokens` of live tool output stay, an output that straddles that line
 * included; so do the newest batch of results [R3], protected tools, what is smaller than `pruning.minTokens`, and what
 * is pruned already. With `pruning.staleReads` outdated reads go first, wherever they stand [R4]. Less than
 * `pruning.minSavings` in all is not worth it. Pure, O(live); `pruning.enabled` is not asked here.
 */
export function pruneToolOutputs(
  source: Projection | readonly Entry[],
  settings: Settings,
  options: PruneOptions,
): PrunePlan | NothingToPrune {
  const projection = isPath(source) ? projectContext(source) : source;
  const { counter, sizeOf = (message) => estimateMessage(message, counter) } = options;
  const protectedTool = protects(settings["pruning.protectTools"]);
  const outputs = toolOutputs(projection);
  const gone = ({ message }: ToolOutput) => isPlaceholder(message);
  const stale = settings["pruning.staleReads"] ? staleReads(outputs, gone) : new Set<string>();

  const mayGo = (output: ToolOutput, newer: number): boolean => {
    if (output.newest || gone(output) || options.protect?.(output)) return false;
    if (stale.has(output.entryId)) return true;
    return newer >= settings["pruning.protectTokens"] && !protectedTool(output.toolName, output.call);
  };

  const pruned: PrunedOutput[] = [];
  let newer = 0;
  let saved = 0;
  for (const output of outputs.reverse()) {
    const tokens = sizeOf(output.message);
    const candidate = tokens >= settings["pruning.minTokens"] && mayGo(output, newer);
    const cut = candidate ? pruneOne(output, tokens, options) : null;
    if (cut !== null && cut.saved > 0) {
      pruned.push(cut);
      saved += cut.saved;
      newer += tokens - cut.saved;
    } else newer += tokens;
  }
  if (saved >= settings["pruning.minSavings"]) return { kind: "prune", outputs: pruned.reverse(), saved };
  return { kind: "nothing", because: saved === 0 ? "nothing-old-enough" : "too-little", saved };
}

function pruneOne({ entryId, toolName, message }: ToolOutput, tokens: number, options: PruneOptions): PrunedOutput {
  const content = placeholder(message, tokens, options.recallHint?.(entryId));
  const left = estimateMessage({ ...message, content }, options.counter);
  return { entryId, toolName, tokens, saved: tokens - left, content };
}

function isPath(source: Projection | readonly Entry[]): source is readonly Entry[] {
  return Array.isArray(source);
}
