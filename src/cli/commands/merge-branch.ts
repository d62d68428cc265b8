import type { ImportOutcome } from "../../engine/branch-import.ts";
import type { Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openToMove } from "../open.ts";
import { branchSummaryLines } from "../render/branch.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { word } from "../shell.ts";

type Skipped = Extract<ImportOutcome, { status: "skipped" }>["because"];

const WHY: Readonly<Record<Skipped, string>> = {
  "on-the-path": "That entry is on the path already",
  "nothing-to-summarize": "That branch says nothing",
};

/** Puts a summary of another branch at the session's leaf [B5]; with `--dry-run` it only shows it [V5]. */
export const mergeBranch: Command = async (call) => {
  const [file = "", leaf = ""] = call.args;
  const session = await openToMove(call, file);
  const fromId = await entryIdOf(session, leaf, "merge-branch");
  const { focus, name, dryRun } = call.flags;
  const options = {
    signal: call.signal,
    ...(focus !== undefined && { customInstructions: focus, replaceInstructions: false }),
    ...(name !== undefined && { label: name }),
  };
  const outcome = await (dryRun ? session.previewImport(fromId, options) : session.importBranch(fromId, options));
  const { status } = outcome;
  const entry = "entry" in outcome ? outcome.entry : undefined;
  const because = status === "skipped" ? outcome.because : undefined;
  return {
    document: { status, because, fromId, leafId: session.leafId, summaryEntry: entry },
    warnings: session.warnings,
    exit: status === "cancelled" ? 130 : 0,
    *lines(screen) {
      yield titleLine(screen, file);
      if (!entry) {
        yield `  ${because ? WHY[because] : "Cancelled"}. Nothing was written.`;
        return;
      }
      yield* branchSummaryLines(screen, entry);
      if (dryRun) yield "  Nothing was written.";
      else yield* nextCommands(screen, [[`espalier context ${word(file)}`, "what the model sees now"]]);
    },
  };
};
