import type { ContextMessage } from "../../core/context/projection.ts";
import type { CompactionOutcome } from "../../engine/outcome.ts";
import { EspalierError, type Warning } from "../../errors.ts";
import type { Answer, Call, Command } from "../answer.ts";
import { compactionDocument, skippedSentence } from "../compaction-document.ts";
import { checkOut, writeCopy } from "../copy.ts";
import { type Opened, openFile, repeatable } from "../open.ts";
import { beforeAfter, fileLines, partition, summaryLines, verifiedLines } from "../render/compaction.ts";
import { heading, nextCommands, sentence, titleLine } from "../render/page.ts";
import { plain } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { word } from "../shell.ts";

/** Of each section of the summary; `--verbose` shows all. */
const SHOWN_LINES = 12;

/** Where a compaction goes: into the session, into a copy, or nowhere. */
type Place =
  | { readonly kind: "in-place" }
  | { readonly kind: "copy"; readonly out: string }
  | { readonly kind: "nowhere" };

/** Compacts the active path of a session, in place, into a copy (`--out`), or only to look at (`--dry-run`). */
export const compact: Command = async (call) => {
  const [file = "", ...focus] = call.args;
  const place = placeOf(call);
  if (place.kind === "copy") await checkOut(place.out);
  const opened = await openFile(call, file, { write: place.kind === "in-place" });
  if (place.kind === "in-place" && opened.format !== "pi") {
    const message = `${file} is a ${opened.format} session, which can be read but not appended to; use --out FILE for a compacted copy.`;
    throw new EspalierError("FORMAT_READ_ONLY", message, { file, format: opened.format });
  }
  const session = place.kind === "in-place" ? opened.session : await repeatable(call, opened);
  const before = (await session.context()).messages;
  call.progress.step("Compacting");
  const options = { signal: call.signal, ...(focus.length > 0 && { focus: focus.join(" ") }) };
  let outcome = place.kind === "in-place" ? await session.compact(options) : await session.previewCompaction(options);
  if (outcome.status === "failed") throw outcome.error;
  if (outcome.status === "preview" && place.kind === "copy") {
    await writeCopy(opened, [outcome.entry, ...outcome.result.spent], place.out, call.signal);
    outcome = { ...outcome, status: "compacted" };
  }
  return answer(call, opened, place, outcome, before, session.warnings);
};

function placeOf({ flags }: Call): Place {
  if (flags.dryRun) return { kind: "nowhere" };
  return flags.out === undefined ? { kind: "in-place" } : { kind: "copy", out: flags.out };
}

function answer(
  call: Call,
  { file, format }: Opened,
  place: Place,
  outcome: Exclude<CompactionOutcome, { status: "failed" }>,
  before: readonly ContextMessage[],
  warnings: readonly Warning[],
): Answer {
  const { flags, signal } = call;
  const out = place.kind === "copy" && outcome.status === "compacted" ? place.out : undefined;
  const document = compactionDocument(outcome, out);
  switch (outcome.status) {
    case "skipped":
      return { document, warnings, lines: () => [skippedSentence(outcome.because), "Nothing was written."] };
    case "cancelled":
      return { document, warnings, lines: () => ["Cancelled. Nothing was written."], exit: signal.aborted ? 130 : 0 };
    default: {
      const { entry, result } = outcome;
      return {
        document,
        warnings: [...warnings, ...result.warnings],
        *lines(screen) {
          yield titleLine(screen, file, format);
          yield "";
          yield* beforeAfter(screen, before, result);
          yield "";
          yield* partition(screen, result);
          yield* summaryLines(screen, entry, flags.verbose ? undefined : SHOWN_LINES);
          yield* fileLines(screen, entry);
          yield* verifiedLines(screen, result);
          yield* ending(screen, file, place, entry.id, shapedBy(call));
        },
      };
    }
  }
}

function* ending(screen: Screen, file: string, place: Place, entryId: string, shape: string): Generator<string> {
  if (place.kind === "nowhere") {
    yield heading(screen, "Dry run", "nothing was written");
    yield* nextCommands(screen, [
      [`espalier compact ${word(file)}${shape} --out compacted.jsonl`, "a compacted copy"],
      [`espalier explain ${word(file)}`, "where every entry is now"],
    ]);
    return;
  }
  const target = place.kind === "copy" ? place.out : file;
  yield heading(screen, "Written");
  yield* sentence(screen, `${plain(target)}: one compaction entry, #${entryId}; nothing that was there is gone`);
  yield* nextCommands(screen, [
    [`espalier context ${word(target)}`, "what the model sees now"],
    [`espalier explain ${word(target)}`, "where every entry went"],
  ]);
}

/** The focus and the flags that shaped this compaction, to be typed again. */
function shapedBy({ args: [, ...focus], flags }: Call): string {
  const { window, keepRecentTokens, retainNone, leaf, model, baseUrl, api, apiKeyEnv, modelWindow, endpoint } = flags;
  const given: [flag: string, value: string | undefined][] = [
    ["--window", window],
    ["--keep-recent-tokens", keepRecentTokens],
    ["--leaf", leaf],
    ["--model", model],
    ["--base-url", baseUrl],
    ["--api", api],
    ["--api-key-env", apiKeyEnv],
    ["--model-window", modelWindow],
    ["--endpoint", endpoint],
  ];
  const words = given.flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${word(value)}`]));
  return focus.map((each) => ` ${word(each)}`).join("") + words.join("") + (retainNone ? " --retain-none" : "");
}
