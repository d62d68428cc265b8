import type { NavigationPreview } from "../../engine/branch-preview.ts";
import type { NavigateOptions, NavigateOutcome } from "../../engine/navigate.ts";
import type { Call, Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openToMove } from "../open.ts";
import { moveLines } from "../render/move.ts";

/**
 * Moves the leaf of a session to an entry, or to `root`, with a summary of what is left if asked [B1, B4, S8]; with
 * `--dry-run` it only shows that [V5].
 */
export const navigate: Command = async (call) => {
  const [file = "", entry = ""] = call.args;
  const session = await openToMove(call, file);
  const target = entry === "root" ? null : await entryIdOf(session, entry, "navigate");
  const options = { signal: call.signal, ...summaryFlags(call) };
  const outcome = call.flags.dryRun
    ? withoutDraft(await session.previewNavigation(target, options))
    : await session.navigate(target, options);
  return {
    document: outcome,
    warnings: session.warnings,
    exit: outcome.status === "cancelled" && outcome.by === "signal" ? 130 : 0,
    lines: (screen) => moveLines(screen, file, outcome, "The session stands there already"),
  };
};

function withoutDraft(
  outcome: NavigateOutcome | NavigationPreview,
): NavigateOutcome | Omit<NavigationPreview, "draft"> {
  if (outcome.status !== "preview") return outcome;
  const { draft: _, ...shown } = outcome;
  return shown;
}

function summaryFlags({ flags: { summarize, focus, name } }: Call): NavigateOptions {
  const asked = summarize ?? (focus === undefined ? undefined : true);
  return {
    ...(asked !== undefined && { summarize: asked }),
    ...(focus !== undefined && { customInstructions: focus, replaceInstructions: false }),
    ...(name !== undefined && { label: name }),
  };
}
