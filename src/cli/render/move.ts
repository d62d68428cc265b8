import type { NavigationPreview } from "../../engine/branch-preview.ts";
import type { NavigateOutcome } from "../../engine/navigate.ts";
import { word } from "../shell.ts";
import { branchSummaryLines } from "./branch.ts";
import { heading, nextCommands, titleLine } from "./page.ts";
import { firstLine, plain } from "./plain.ts";
import type { Screen } from "./style.ts";

const SHOWN_LINES = 12;

/** Lines on where the session stands after a navigation; `stayed` says why it stands where it stood. */
export function* moveLines(
  screen: Screen,
  file: string,
  outcome: NavigateOutcome | Omit<NavigationPreview, "draft">,
  stayed: string,
): Generator<string> {
  const { status, oldLeafId, newLeafId, editorText } = outcome;
  yield titleLine(screen, file);
  yield "";
  if (status === "moved" || status === "preview")
    yield `  ${placeOf(oldLeafId)} → ${screen.tint("green", placeOf(newLeafId))}`;
  else
    yield `  ${status === "cancelled" ? `Cancelled${outcome.by === "hook" ? " by a hook" : ""}` : stayed}. Nothing was written.`;
  if (editorText !== undefined) {
    yield heading(screen, "To edit");
    const lines = plain(editorText).split("\n");
    for (const line of lines.slice(0, SHOWN_LINES)) yield `  ${line}`;
    if (lines.length > SHOWN_LINES) yield screen.tint("dim", `  … and ${lines.length - SHOWN_LINES} more lines`);
  }
  if (outcome.summaryEntry) yield* branchSummaryLines(screen, outcome.summaryEntry);
  if (status === "preview") yield* ["", "  Nothing was written."];
  if (status !== "moved") return;
  yield* nextCommands(screen, [
    [`espalier context ${word(file)}`, "what the model sees here"],
    [`espalier back ${word(file)}`, "where it stood before"],
  ]);
}

const placeOf = (leafId: string | null): string => (leafId === null ? "the root" : `#${firstLine(leafId)}`);
