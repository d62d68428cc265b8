// Records examples/session/espalier.jsonl: node examples/session/record.mjs
//
// What the user and the assistant say was written by hand; what the tools answer is what they answered. Every command
// was run and every file read in a scratch clone of this repository at the commit that is checked out.
import { fileURLToPath } from "node:url";
import { lookAround } from "./chapter-1.mjs";
import { findTheFault, otherScripts } from "./chapter-2.mjs";
import { costAndFormat, intoSettingsAndOut } from "./chapter-3.mjs";
import { reviewAndCommit, survey } from "./chapter-4.mjs";
import { Recorder } from "./recorder.mjs";

const SURVEYED = [
  ["The way in: layers, and where they come from.", "src/cli/settings.ts", "src/engine/session.ts"],
  ["The clock, which is where times come from.", "src/ports/clock.ts", "src/engine/clock.ts"],
  ["What is stored with an entry, and who asks for it.", "src/core/session/message.ts", "src/ports/store.ts"],
  ["Who takes numbers from the settings: the trigger and the plan.", "src/core/plan/cut-point.ts", "src/core/plan/compaction.ts"],
  ["And what a plan hands on.", "src/core/plan/plan.ts", "src/core/context/projection.ts"],
  ["Where messages of the context are made.", "src/core/context/project.ts", "src/core/context/repair.ts", "src/core/context/render.ts"],
  ["Does the codec touch times?", "src/core/session/codec.ts", "src/core/session/migrations.ts"],
  ["The tree and the records it is made from.", "src/core/session/tree.ts", "src/core/session/records.ts"],
  ["Does the store wait for anything? Its lock and its appends would be the places.", "src/stores/jsonl/lock.ts", "src/stores/jsonl/append.ts", "src/stores/jsonl/write-file.ts"],
  ["Neither does. The readers of the store.", "src/stores/jsonl/reader.ts", "src/stores/jsonl/head.ts", "src/stores/jsonl/store.ts"],
  ["The summarizer quotes numbers with their units; maybe it knows durations.", "src/core/extract/language.ts", "src/core/extract/compose.ts"],
  ["It takes them as text. The pipeline, from the settings to the stored entry.", "src/engine/compact.ts", "src/core/summary/transcript.ts"],
  ["And the last leg: what the command line prints.", "src/cli/render/number.ts", "src/cli/render/table.ts", "src/cli/commands/stats.ts"],
];

const session = new Recorder(fileURLToPath(new URL("../../", import.meta.url)));
lookAround(session);
findTheFault(session);
otherScripts(session);
costAndFormat(session);
intoSettingsAndOut(session);
survey(session, SURVEYED);
reviewAndCommit(session);
session.finish(process.argv[2] ?? fileURLToPath(new URL("espalier.jsonl", import.meta.url)));
