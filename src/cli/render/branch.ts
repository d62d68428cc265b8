import type { BranchSummaryEntry } from "../../core/session/entry.ts";
import { tokensOf } from "../parts.ts";
import { fileLines } from "./compaction.ts";
import { quoted } from "./markdown.ts";
import { thousands } from "./number.ts";
import { heading } from "./page.ts";
import type { Screen } from "./style.ts";

const SHOWN_LINES = 12;

/** A stored branch summary as the model will read it, and the files that it names. */
export function* branchSummaryLines(screen: Screen, entry: BranchSummaryEntry): Generator<string> {
  const size = tokensOf({ role: "branchSummary", summary: entry.summary, fromId: entry.fromId });
  yield heading(screen, "Summary of the branch", `#${entry.id} · ${thousands(size)} tokens`);
  yield* quoted(
    screen,
    entry.summary.replace(/\n*<(read|modified)-files>[\s\S]*?<\/\1-files>/g, "").trimEnd(),
    SHOWN_LINES,
  );
  yield* fileLines(screen, entry);
}
