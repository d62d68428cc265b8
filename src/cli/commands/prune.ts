import type { PrunedOutput } from "../../core/plan/prune.ts";
import type { PruneOutcome } from "../../engine/prune.ts";
import { EspalierError } from "../../errors.ts";
import type { Call, Command } from "../answer.ts";
import { checkOut, writeCopy } from "../copy.ts";
import { openFile, repeatable } from "../open.ts";
import { pruneDocument, skippedPrune } from "../prune-document.ts";
import { count, percent, thousands } from "../render/number.ts";
import { heading, nextCommands, titleLine } from "../render/page.ts";
import { firstLine, plain } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { table } from "../render/table.ts";
import { word } from "../shell.ts";

/** Puts placeholders for old tool outputs: in place, into a copy (`--out`), or only to look at (`--dry-run`) [R1, R2]. */
export const prune: Command = async (call) => {
  const [file = ""] = call.args;
  const { dryRun, out } = call.flags;
  const inPlace = !dryRun && out === undefined;
  if (!dryRun && out !== undefined) await checkOut(out);
  const opened = await openFile(call, file, { write: inPlace });
  const { format } = opened;
  if (inPlace && format !== "pi") {
    const message = `${file} is a ${format} session, which can be read but not appended to; use --out FILE for a pruned copy.`;
    throw new EspalierError("FORMAT_READ_ONLY", message, { file, format });
  }
  call.progress.step("Pruning");
  const session = inPlace ? opened.session : await repeatable(byEdits(call), opened);
  let outcome: PruneOutcome = inPlace ? await session.prune() : session.previewPrune();
  if (outcome.status === "preview" && !dryRun && out !== undefined) {
    await writeCopy(opened, outcome.entries, out, call.signal);
    outcome = { ...outcome, status: "pruned" };
  }
  const copy = outcome.status === "pruned" && !inPlace ? out : undefined;
  return {
    document: pruneDocument(outcome, copy),
    warnings: session.warnings,
    *lines(screen) {
      if (outcome.status === "skipped") {
        yield skippedPrune(outcome);
        yield "Nothing was written.";
        return;
      }
      const { outputs, saved, tokensBefore, tokensAfter } = outcome;
      yield titleLine(screen, file, format);
      yield "";
      yield `  ${count(outputs.length, "tool output")} of ${thousands(saved)} tokens: ${thousands(tokensBefore)} → ${thousands(tokensAfter)} (−${percent(saved, tokensBefore)})`;
      yield heading(screen, "Pruned");
      yield* outputTable(screen, outputs);
      yield* ending(screen, outcome, file, copy);
    },
  };
};

/** A copy is made by adding to it. */
function byEdits(call: Call): Call {
  const settings = { ...call.settings.settings, "pruning.persist": "edits" as const };
  return { ...call, settings: { ...call.settings, settings } };
}

function outputTable(screen: Screen, outputs: readonly PrunedOutput[]): Iterable<string> {
  const columns = [
    { title: "entry", tint: "dim" },
    { title: "tool", fills: true },
    { title: "tokens", align: "right" },
    { title: "saved", align: "right" },
  ] as const;
  const rows = outputs.map(({ entryId, toolName, tokens, saved }) => [
    firstLine(entryId),
    firstLine(toolName),
    thousands(tokens),
    thousands(saved),
  ]);
  return table(screen, columns, rows);
}

function* ending(
  screen: Screen,
  outcome: Exclude<PruneOutcome, { status: "skipped" }>,
  file: string,
  copy: string | undefined,
): Generator<string> {
  const first = outcome.outputs[0]?.entryId ?? "";
  if (outcome.status === "preview") {
    yield heading(screen, "Dry run", "nothing was written");
    return;
  }
  const target = copy ?? file;
  const rewrote = outcome.persist === "rewrite" && copy === undefined;
  const how = rewrote ? "the originals stand in the file beside it" : "the originals are where they were";
  yield heading(screen, "Written", `${plain(target)}: ${count(outcome.entries.length, "entry", "entries")}; ${how}`);
  yield* nextCommands(screen, [
    [`espalier recall ${word(target)} --entry ${word(first)}`, "an output as it was"],
    [`espalier context ${word(target)}`, "what the model sees now"],
  ]);
}
