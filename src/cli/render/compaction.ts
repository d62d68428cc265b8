import type { ContextMessage } from "../../core/context/projection.ts";
import type { CompactionEntry } from "../../core/session/entry.ts";
import type { Usage } from "../../core/session/message.ts";
import type { CompactionResult } from "../../engine/outcome.ts";
import { partsOf, tokensOf } from "../parts.ts";
import { barLine, legend } from "./bar.ts";
import { quoted } from "./markdown.ts";
import { messageLine } from "./message.ts";
import { count, percent, thousands } from "./number.ts";
import { heading } from "./page.ts";
import { firstLine } from "./plain.ts";
import type { Screen } from "./style.ts";
import { clip } from "./width.ts";

const SHOWN_FILES = 8;
const SHOWN_LOSSES = 12;

/** Before and after as two bars on one scale, by kind of content. */
export function* beforeAfter(
  screen: Screen,
  before: readonly ContextMessage[],
  result: CompactionResult,
): Generator<string> {
  const was = partsOf(before);
  const is = partsOf(result.after);
  const scale = Math.max(result.tokensBefore, result.tokensAfter, 1);
  yield barLine(screen, "before", was, scale);
  yield barLine(
    screen,
    "after",
    is,
    scale,
    screen.tint("green", `−${percent(result.tokensBefore - result.tokensAfter, result.tokensBefore)}`),
  );
  yield* legend(screen, [...new Set([...was, ...is].map((part) => part.kind))]);
}

/** What became of the messages: summarised, kept, and where the cut is. */
export function* partition(screen: Screen, { plan }: CompactionResult): Generator<string> {
  const row = (label: string, messages: number, tokens: number, note: string) =>
    clip(
      `  ${label.padEnd(12)}${count(messages, "message").padStart(14)}  ${thousands(tokens).padStart(10)} tokens  `,
      screen.width,
    ) + screen.tint("dim", clip(note, screen.width - 50));
  const first = plan.messagesToSummarize[0] ?? plan.turnPrefixMessages[0];
  yield row("summarised", plan.messagesToSummarize.length, plan.tokens.summarized, first ? `from ${told(first)}` : "");
  if (plan.isSplitTurn) {
    const note = "the start of a turn that was too long to keep whole";
    yield row("turn start", plan.turnPrefixMessages.length, plan.tokens.turnPrefix, note);
  }
  const kept = plan.keptMessages[0];
  yield row("kept", plan.keptMessages.length, plan.tokens.kept, kept ? `from ${told(kept)}` : "nothing stays verbatim");
}

const told = ({ entryId, message }: ContextMessage): string =>
  `#${firstLine(entryId)} ${message.role}: ${messageLine(message)}`;

/** The stored summary, as it will be read by the model. */
export function* summaryLines(screen: Screen, entry: CompactionEntry, perSection?: number): Generator<string> {
  const by = entry.model ?? (entry.method === "extractive" ? "embedded summariser, no model" : entry.method);
  const size = tokensOf({ role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore });
  yield heading(
    screen,
    "Summary",
    [by, `${thousands(size)} tokens`, spending(entry.usage)].filter(Boolean).join(" · "),
  );
  if (entry.shortSummary) yield `  ${clip(firstLine(entry.shortSummary), screen.width - 4)}`;
  yield* quoted(screen, withoutFileTags(entry.summary), perSection);
}

/** What the requests took, and their price where it is known. */
function spending(usage: Usage | undefined): string {
  if (!usage) return "";
  const tokens = `asked with ${thousands(usage.input + usage.cacheRead + usage.cacheWrite)} tokens`;
  return usage.cost ? `${tokens}, $${usage.cost.total.toFixed(4)}` : tokens;
}

/** What became of pins and of the names of things: how much is carried, how much is gone, and the weightiest of it. */
export function* verifiedLines(screen: Screen, { loss, pins, citations }: CompactionResult): Generator<string> {
  const kept = loss.anchors - loss.lost;
  yield heading(screen, "Checked", `${thousands(kept)} of ${count(loss.anchors, "anchor")} still named`);
  if (pins.kept > 0) {
    const restored = pins.restored > 0 ? `, ${thousands(pins.restored)} of them put back` : "";
    yield `  ${count(pins.kept, "pin")} carried word for word${restored}`;
  }
  if (citations.removed > 0) yield `  ${count(citations.removed, "citation")} of entries it does not cover taken out`;
  const gone = loss.top.filter(({ used }) => used).slice(0, SHOWN_LOSSES);
  if (gone.length > 0) {
    yield clip(`  not named any more: ${gone.map(({ text }) => firstLine(text)).join(", ")}`, screen.width - 1);
    yield screen.tint("dim", "  recall finds them in the originals");
  }
}

/** Files that were read and modified, a few by name. */
export function* fileLines(screen: Screen, entry: Pick<CompactionEntry, "details">): Generator<string> {
  const modified = entry.details?.modifiedFiles ?? [];
  const read = entry.details?.readFiles ?? [];
  if (modified.length + read.length === 0) return;
  yield heading(screen, "Files", `${thousands(modified.length)} modified · ${thousands(read.length)} read`);
  yield* fileList(screen, screen.tint("yellow", "M"), modified);
  yield* fileList(screen, screen.tint("dim", "R"), read);
}

function* fileList(screen: Screen, mark: string, files: readonly string[]): Generator<string> {
  for (const file of files.slice(0, SHOWN_FILES)) yield `  ${mark} ${clip(firstLine(file), screen.width - 6)}`;
  if (files.length > SHOWN_FILES) yield screen.tint("dim", `    … and ${thousands(files.length - SHOWN_FILES)} more`);
}

// They are listed on their own; here they would fill the screen.
const withoutFileTags = (summary: string): string =>
  summary.replace(/\n*<(read|modified)-files>[\s\S]*?<\/\1-files>/g, "").trimEnd();
