import { EspalierError } from "../../errors.ts";
import type { RepairReport } from "../../stores/jsonl/index.ts";
import type { Command } from "../answer.ts";
import { count, thousands } from "../render/number.ts";
import { heading, nextCommands, titleLine } from "../render/page.ts";
import { firstLine, plain } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { table } from "../render/table.ts";
import { word } from "../shell.ts";

const SHOWN = 20;

/** Sets the bad lines of a session file aside and splits records that share a line; loses nothing [S6]. */
export const repair: Command = async (call) => {
  const [file = ""] = call.args;
  const { dryRun = false } = call.flags;
  call.progress.step(`Reading ${file}`);
  const { formatOf } = await import("../../formats/index.ts");
  const format = await formatOf(file);
  if (format !== "pi") {
    const message = `${file} is a ${format} session, which can be read but not written to; leave its repair to that agent.`;
    throw new EspalierError("FORMAT_READ_ONLY", message, { file, format });
  }
  const { repairFile } = await import("../../stores/jsonl/index.ts");
  const report = await repairFile(file, { dryRun });
  const isClean = report.bad.length + report.split.length === 0;
  return {
    document: { status: isClean ? "clean" : dryRun ? "preview" : "repaired", ...report },
    warnings: [],
    *lines(screen) {
      yield titleLine(screen, file, count(report.entries, "entry", "entries"));
      yield "";
      if (isClean) yield "  Nothing to repair: every line holds one whole record. Nothing was written.";
      else yield* reportLines(screen, file, report);
    },
  };
};

function* reportLines(screen: Screen, file: string, report: RepairReport): Generator<string> {
  const { bad, split, reparented, badFile, backup } = report;
  yield `  ${count(bad.length, "bad line")} set aside, ${count(split.length, "line")} split, ${count(reparented.length, "entry", "entries")} re-attached.`;
  const columns = [
    { title: "line", align: "right" },
    { title: "problem", fills: true },
    { title: "kept of it" },
  ] as const;
  const rows = [
    ...bad.map(({ line, problem, records }) => [
      thousands(line),
      firstLine(problem),
      records > 0 ? count(records, "record") : "–",
    ]),
    ...split.map((line) => [thousands(line), "holds several records", "all"]),
  ];
  yield heading(screen, "Lines");
  yield* table(screen, columns, rows.slice(0, SHOWN));
  if (rows.length > SHOWN)
    yield screen.tint("dim", `  … and ${thousands(rows.length - SHOWN)} more; --json lists them`);
  if (reparented.length > 0) {
    yield heading(screen, "Re-attached", "their parents were lost");
    for (const { id, to } of reparented.slice(0, SHOWN))
      yield `  #${firstLine(id)} → ${to === null ? "root" : `#${firstLine(to)}`}`;
  }
  if (backup === undefined) {
    yield heading(screen, "Dry run", "nothing was written");
    return;
  }
  yield heading(screen, "Written", `the old file is ${plain(backup)}`);
  if (badFile !== undefined) yield `  The bad lines are in ${plain(badFile)}, word for word.`;
  yield* nextCommands(screen, [[`espalier tree ${word(file)}`, "what the session holds now"]]);
}
