import type { ContextMessage } from "../../core/context/projection.ts";
import type { Tree } from "../../core/session/tree.ts";
import type { CompactionOutcome } from "../../engine/outcome.ts";
import type { PruneOutcome } from "../../engine/prune.ts";
import type { Warning } from "../../errors.ts";
import type { Command } from "../answer.ts";
import { skippedSentence } from "../compaction-document.ts";
import { openFile, repeatable } from "../open.ts";
import { KINDS, type Kind, partsOf, tokensOf } from "../parts.ts";
import { skippedPrune } from "../prune-document.ts";
import { barLine, legend, type Part } from "../render/bar.ts";
import { count, percent, thousands } from "../render/number.ts";
import { heading, sentence, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { table } from "../render/table.ts";

const SHOWN_PROBLEMS = 8;
/** Names of the kinds in the JSON document. */
const KEYS: Readonly<Record<Kind, string>> = {
  system: "system",
  summary: "summaries",
  user: "user",
  assistant: "assistant",
  "tool results": "toolResults",
  other: "other",
};

/** Counts what the session holds, what of it is live, and what a compaction or a prune would save. */
export const stats: Command = async (call) => {
  const opened = await openFile(call, call.args[0] ?? "");
  const { file, format } = opened;
  const session = await repeatable(call, opened);
  call.progress.step("Counting");
  const tree = await session.tree();
  const { messages, tokens } = await session.context();
  const path = tree.path(session.leafId);
  const shape = shapeOf(tree, new Set(path));
  const parts = partsOf(messages);
  const sizeOf = (kind: Kind) => parts.find((part) => part.kind === kind)?.tokens ?? 0;
  const tools = toolTokens(messages);
  call.progress.step("Trying a compaction");
  const preview = await session.previewCompaction({ signal: call.signal });
  const prune = session.previewPrune();
  const { warnings } = session;
  return {
    document: {
      format,
      ...shape,
      tokens: {
        total: tokens,
        byKind: Object.fromEntries(KINDS.map((kind) => [KEYS[kind], sizeOf(kind)])),
        byTool: Object.fromEntries(tools.map((part) => [part.kind, part.tokens])),
      },
      path: path.length,
      compaction: savingOf(preview),
      prune: pruneSaving(prune),
    },
    warnings,
    tellsWarnings: true,
    *lines(screen) {
      const notes = [format, count(shape.entries, "entry", "entries"), count(shape.messages, "message")];
      notes.push(count(shape.branches, "branch", "branches"), count(shape.compactions, "compaction"));
      yield titleLine(screen, file, notes.join(" · "));
      yield "";
      yield barLine(screen, "live", parts, tokens);
      yield* legend(
        screen,
        parts.map((part) => part.kind),
      );
      yield heading(
        screen,
        "Tokens by kind",
        `${count(messages.length, "message")} that the model sees; ${count(path.length, "entry", "entries")} on the path`,
      );
      yield* shares(screen, parts, tokens);
      if (tools.length > 0) {
        yield heading(screen, "Tool results by tool");
        yield* shares(screen, tools, tokens);
      }
      yield heading(screen, "A compaction now");
      yield* sentence(screen, savingSentence(preview));
      yield heading(screen, "A prune now");
      yield* sentence(screen, pruneSentence(prune));
      yield* problems(screen, warnings);
    },
  };
};

function shapeOf(tree: Tree, path: ReadonlySet<string>) {
  const shape = { entries: tree.size, messages: 0, branches: 0, compactions: 0 };
  for (const id of tree.ids()) {
    const type = tree.get(id)?.type;
    if (type === "message") shape.messages++;
    if (type === "compaction") shape.compactions++;
    if (!path.has(id) && tree.children(id).length === 0) shape.branches++;
  }
  return shape;
}

/** Largest first. */
function toolTokens(messages: readonly ContextMessage[]): Part[] {
  const tokens = new Map<string, number>();
  for (const { message } of messages) {
    if (message.role !== "toolResult") continue;
    const name = firstLine(String(message.toolName)) || "(unnamed)";
    tokens.set(name, (tokens.get(name) ?? 0) + tokensOf(message));
  }
  return Array.from(tokens, ([kind, n]) => ({ kind, tokens: n })).sort((a, b) => b.tokens - a.tokens);
}

function savingOf(preview: CompactionOutcome): object {
  if (preview.status !== "preview") {
    return { status: preview.status, saved: 0, because: preview.status === "skipped" ? preview.because : undefined };
  }
  const { tokensBefore, tokensAfter } = preview.result;
  return { status: "preview", saved: tokensBefore - tokensAfter, tokensBefore, tokensAfter };
}

function savingSentence(preview: CompactionOutcome): string {
  if (preview.status === "skipped") return skippedSentence(preview.because);
  if (preview.status !== "preview") return preview.status === "failed" ? preview.error.message : "Cancelled.";
  const { tokensBefore, tokensAfter } = preview.result;
  const saved = tokensBefore - tokensAfter;
  return `saves ${thousands(saved)} tokens (${percent(saved, tokensBefore)}): ${thousands(tokensBefore)} → ${thousands(tokensAfter)}`;
}

function pruneSaving(preview: PruneOutcome): object {
  if (preview.status === "skipped") return { status: "skipped", saved: 0, because: preview.because };
  const { status, saved, tokensBefore, tokensAfter, outputs } = preview;
  return { status, saved, tokensBefore, tokensAfter, outputs: outputs.length };
}

function pruneSentence(preview: PruneOutcome): string {
  if (preview.status === "skipped") return skippedPrune(preview);
  const { saved, tokensBefore, outputs } = preview;
  return `saves ${thousands(saved)} tokens (${percent(saved, tokensBefore)}) of ${count(outputs.length, "tool output")}`;
}

function shares(screen: Screen, parts: readonly Part[], total: number): Iterable<string> {
  const columns = [{ title: "" }, { title: "", align: "right" }, { title: "", align: "right", tint: "dim" }] as const;
  return table(
    screen,
    columns,
    parts.map(({ kind, tokens }) => [kind.padEnd(14), thousands(tokens), percent(tokens, total)]),
  );
}

function* problems(screen: Screen, warnings: readonly Warning[]): Generator<string> {
  yield heading(screen, "Problems", warnings.length === 0 ? "none" : thousands(warnings.length));
  for (const { message } of warnings.slice(0, SHOWN_PROBLEMS))
    yield `  ${screen.tint("yellow", "!")} ${firstLine(message)}`;
  const rest = warnings.length - SHOWN_PROBLEMS;
  if (rest > 0) yield screen.tint("dim", `  … and ${thousands(rest)} more; --json lists them`);
}
