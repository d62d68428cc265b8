import { readdir } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContextMessage } from "../../core/context/projection.ts";
import type { CompactionResult } from "../../engine/outcome.ts";
import { EspalierError } from "../../errors.ts";
import type { Call, Command } from "../answer.ts";
import { compactionDocument, skippedSentence } from "../compaction-document.ts";
import { checkOut, writeCopy } from "../copy.ts";
import { openFile, repeatable } from "../open.ts";
import { KINDS, partsOf, tokensOf } from "../parts.ts";
import { beforeAfter, fileLines, partition, summaryLines } from "../render/compaction.ts";
import { messageLine, roleTint } from "../render/message.ts";
import { count, thousands } from "../render/number.ts";
import { heading, nextCommands, sentence, titleLine } from "../render/page.ts";
import { plain } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { table } from "../render/table.ts";
import { wrap } from "../render/width.ts";
import { word } from "../shell.ts";

const FIRST = 6;
const LAST = 4;
/** Of each section of the summary; `--verbose` shows all. */
const SHOWN_LINES = 8;

/** Shows a session before and after compaction: the project's own example, or the file given. Writes only to `--out`. */
export const demo: Command = async (call) => {
  const [file = await exampleFile(), ...focus] = call.args;
  const { out } = call.flags;
  if (out !== undefined) await checkOut(out);
  const opened = await openFile(call, file);
  const { messages: before, tokens } = await opened.session.context();
  const fitted = fittedTo(tokens, call);
  const session = await repeatable(fitted.call, opened);
  call.progress.step("Compacting");
  const options = { signal: call.signal, ...(focus.length > 0 && { focus: focus.join(" ") }) };
  const outcome = await session.previewCompaction(options);
  if (outcome.status === "failed") throw outcome.error;
  if (out !== undefined && outcome.status === "preview") {
    await writeCopy(opened, [outcome.entry, ...outcome.result.spent], out, call.signal);
  }
  const document = compactionDocument(outcome, out);
  const { warnings } = session;
  if (outcome.status === "cancelled")
    return { document, warnings, lines: () => ["Cancelled. Nothing was written."], exit: 130 };
  if (outcome.status === "skipped") {
    const why = skippedSentence(outcome.because);
    return { document, warnings, lines: (screen) => unchanged(screen, file, sizeNote(before, tokens), before, why) };
  }

  const { entry, result } = outcome;
  return {
    document,
    warnings: [...warnings, ...result.warnings],
    *lines(screen) {
      yield titleLine(screen, file, `${opened.format} · nothing in it is changed`);
      if (fitted.note) yield* wrap(fitted.note, screen.width).map((line) => screen.tint("dim", line));
      yield heading(screen, "What the model saw", sizeNote(before, result.tokensBefore));
      yield* sample(screen, before);
      yield heading(screen, "What it sees now", sizeNote(result.after, result.tokensAfter));
      yield* sample(screen, result.after);
      yield heading(screen, "Tokens");
      yield* beforeAfter(screen, before, result);
      yield "";
      yield* kinds(screen, before, result);
      yield "";
      yield* partition(screen, result);
      yield* summaryLines(screen, entry, call.flags.verbose ? undefined : SHOWN_LINES);
      yield* fileLines(screen, entry);
      if (out !== undefined) {
        yield heading(screen, "Written");
        yield* sentence(screen, `${plain(out)}: a copy with one compaction entry, #${entry.id}`);
      }
      yield* next(screen, file, out);
    },
  };
};

/** The example session that comes with the package. */
async function exampleFile(): Promise<string> {
  const folder = fileURLToPath(new URL("../../../examples/session", import.meta.url));
  const names = await readdir(folder).catch(() => []);
  const name = names.filter((each) => each.endsWith(".jsonl")).sort()[0];
  if (name === undefined) {
    throw new EspalierError("FILE_NOT_FOUND", `There is no example session in ${folder}; name a session file.`, {
      folder,
    });
  }
  const path = `${folder}/${name}`;
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
}

/**
 * The call with a window that the session outgrows, so that there is something to show; said in `note`.
 *
 * Only where nobody has set a window, and only if the context would fit into the default one.
 */
function fittedTo(tokens: number, call: Call): { call: Call; note?: string } {
  const { settings, origins } = call.settings;
  if (origins.contextWindow !== "default" || tokens > settings.contextWindow - settings["compaction.reserveTokens"]) {
    return { call };
  }
  const step = 10 ** Math.max(2, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
  const window = Math.max(1024, Math.floor(tokens / step) * step);
  const keepIsSet = origins["compaction.keepRecentTokens"] !== "default";
  const keep = keepIsSet
    ? settings["compaction.keepRecentTokens"]
    : Math.max(256, Math.min(20_000, Math.round(window / 5)));
  return {
    call: {
      ...call,
      settings: {
        ...call.settings,
        settings: { ...settings, contextWindow: window, "compaction.keepRecentTokens": keep },
      },
    },
    note: `It would still fit into a ${thousands(settings.contextWindow)} token window, so this run takes one of ${thousands(window)} and keeps the newest ${thousands(keep)}.`,
  };
}

function* unchanged(
  screen: Screen,
  file: string,
  size: string,
  messages: readonly ContextMessage[],
  why: string,
): Generator<string> {
  yield titleLine(screen, file);
  yield heading(screen, "What the model sees", size);
  yield* sample(screen, messages);
  yield `\n${why}`;
}

const sizeNote = (messages: readonly ContextMessage[], tokens: number): string =>
  `${count(messages.length, "message")} · ${thousands(tokens)} tokens`;

/** The first and the last messages; what lies between as a count. */
function* sample(screen: Screen, messages: readonly ContextMessage[]): Generator<string> {
  const between = messages.length - FIRST - LAST;
  const shown = between > 1 ? [...messages.slice(0, FIRST), undefined, ...messages.slice(-LAST)] : messages;
  const hidden = messages.slice(FIRST, -LAST).reduce((sum, { message }) => sum + tokensOf(message), 0);
  const rows = shown.map((item) =>
    item === undefined
      ? ["…", thousands(hidden), `${thousands(between)} more messages`]
      : [String(item.message.role), thousands(tokensOf(item.message)), messageLine(item.message)],
  );
  const columns = [{ title: "" }, { title: "", align: "right" }, { title: "", fills: true }] as const;
  yield* table(screen, columns, rows, (cells, i) =>
    cells[0] === "…" ? "dim" : i === 0 ? roleTint(cells[0] ?? "") : undefined,
  );
}

function kinds(screen: Screen, before: readonly ContextMessage[], result: CompactionResult): Iterable<string> {
  const was = new Map(partsOf(before).map((part) => [part.kind, part.tokens]));
  const is = new Map(partsOf(result.after).map((part) => [part.kind, part.tokens]));
  const rows = KINDS.filter((kind) => was.has(kind) || is.has(kind)).map((kind) => [
    kind,
    thousands(was.get(kind) ?? 0),
    thousands(is.get(kind) ?? 0),
  ]);
  rows.push(["total", thousands(result.tokensBefore), thousands(result.tokensAfter)]);
  const columns = [{ title: "kind" }, { title: "before", align: "right" }, { title: "now", align: "right" }] as const;
  return table(screen, columns, rows, (cells) => (cells[0] === "total" ? "bold" : undefined));
}

function next(screen: Screen, file: string, out: string | undefined): Iterable<string> {
  const target = out ?? file;
  return nextCommands(screen, [
    [`espalier explain ${word(target)}`, "where every entry went"],
    [`espalier tree ${word(target)}`, "the session with its branches"],
    [`espalier compact ${word(file)} --out compacted.jsonl`, "a compacted copy, the original untouched"],
    ["npm start -- SESSION", "the same on a session of yours"],
  ]);
}
