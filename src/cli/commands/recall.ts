import type { RecallHit, RecallPlace, RecallResult } from "../../engine/recall.ts";
import { EspalierError } from "../../errors.ts";
import type { Call, Command } from "../answer.ts";
import { openFile } from "../open.ts";
import { count, thousands } from "../render/number.ts";
import { heading, titleLine } from "../render/page.ts";
import { firstLine, plain } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { wrap } from "../render/width.ts";

/** Finds originals behind summaries, edits and on other branches, by words or by entry id [R9]. */
export const recall: Command = async (call) => {
  const [file = "", ...words] = call.args;
  const request = requestOf(call, words);
  const { session } = await openFile(call, file);
  call.progress.step("Searching");
  const result = await session.recall(request);
  return {
    document: { ...result },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file, summaryOf(result));
      for (const hit of result.hits) yield* hitLines(screen, hit);
      if (result.hits.length > 0) return;
      yield "";
      yield "Nothing found. Other words may do; `--where live` searches what the model still sees.";
    },
  };
};

function requestOf({ flags }: Call, words: readonly string[]) {
  const { entry, limit, where } = flags;
  if (entry === undefined && words.join("").trim() === "") {
    throw new EspalierError(
      "USAGE",
      "Say which words to look for, or name an entry with --entry ID; see `espalier recall --help`.",
    );
  }
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) {
    throw new EspalierError("USAGE", `--limit is "${limit}"; it must be a number of at least 1.`, { limit });
  }
  return {
    ...(entry === undefined ? { words: words.join(" ") } : { entryId: entry }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(where !== undefined && { where: where as RecallPlace }),
  };
}

function summaryOf({ hits, found, searched }: RecallResult): string {
  const shown = hits.length < found ? `${thousands(hits.length)} of ${count(found, "hit")}` : count(found, "hit");
  return `${shown} in ${count(searched, "entry", "entries")}`;
}

function* hitLines(screen: Screen, { entryId, role, where, score, text, cut }: RecallHit): Generator<string> {
  yield heading(screen, `#${firstLine(entryId)}`, `${firstLine(role)} · ${where} · ${score}`);
  for (const line of wrap(plain(text), screen.width - 4)) yield line === "" ? "" : `    ${line}`;
  if (cut > 0) yield screen.tint("dim", `    [${count(cut, "character")} left out]`);
}
