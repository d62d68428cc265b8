import type { ProviderFormat } from "../../adapters/index.ts";
import type { ContextMessage } from "../../core/context/projection.ts";
import type { Command } from "../answer.ts";
import { openFile } from "../open.ts";
import { partsOf, tokensOf } from "../parts.ts";
import { barLine, legend } from "../render/bar.ts";
import { jsonDocument } from "../render/json.ts";
import { messageLine, roleTint } from "../render/message.ts";
import { count, thousands } from "../render/number.ts";
import { titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import { table } from "../render/table.ts";

/** Shows what the model sees: the live messages, or with `--format` the very array that a provider is sent [X1]. */
export const context: Command = async (call) => {
  const { file, format, session } = await openFile(call, call.args[0] ?? "");
  call.progress.step("Projecting the context");
  const { messages, tokens, warnings } = await session.context();
  const all = [...session.store.warnings, ...warnings];
  const { model, thinkingLevel } = await session.pathSettings();
  if (call.flags.format !== undefined) {
    const { renderFor } = await import("../../adapters/index.ts");
    // Parsing has checked the name.
    const rendered = renderFor(call.flags.format as ProviderFormat, messages, model);
    return { document: rendered, warnings: all, lines: () => [[...jsonDocument(rendered)].join("").trimEnd()] };
  }
  return {
    document: { messages: messages.map(row), tokens, model, thinkingLevel },
    warnings: all,
    *lines(screen) {
      const notes = [format, count(messages.length, "message"), `${thousands(tokens)} tokens`];
      if (model) notes.push(firstLine(`${model.provider}/${model.modelId}`));
      yield titleLine(screen, file, notes.join(" · "));
      yield "";
      const columns = [
        { title: "role" },
        { title: "entry", tint: "dim" },
        { title: "tokens", align: "right" },
        { title: "says", fills: true },
      ] as const;
      const rows = (function* () {
        for (const item of messages) yield cells(item);
      })();
      yield* table(screen, columns, rows, (cell, column) => (column === 0 ? roleTint(cell[0] ?? "") : undefined));
      yield "";
      const parts = partsOf(messages);
      yield barLine(screen, "total", parts, tokens);
      yield* legend(
        screen,
        parts.map((part) => part.kind),
      );
    },
  };
};

function row({ entryId, message, edited, synthetic }: ContextMessage): object {
  const { role, ...fields } = message;
  return {
    role,
    entryId,
    tokens: tokensOf(message),
    ...(edited && { edited }),
    ...(synthetic && { synthetic }),
    ...fields,
  };
}

function cells({ entryId, message, edited, synthetic }: ContextMessage): string[] {
  const note = synthetic ? "(made up: the call has no result) " : edited ? "(edited) " : "";
  return [
    firstLine(String(message.role)),
    firstLine(entryId),
    thousands(tokensOf(message)),
    note + messageLine(message),
  ];
}
